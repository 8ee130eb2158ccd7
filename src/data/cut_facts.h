// One list of facts, cut into train, valid and test.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "facts/date.h"
#include "orrery/facts.h"

namespace orrery {

using Splits = std::array<std::vector<Fact>, 3>;  // by Split

enum class CutBy {
  random,
  time,  // the earliest facts are train; facts of one date stay together
  last,  // the last fact of a (subject, relation) pair is test, the one before it valid
};

struct CutRule {
  std::array<double, 3> shares = {80, 10, 10};
  CutBy by = CutBy::random;
  std::uint64_t seed = 1;  // of a random cut, and of which pairs give their last facts
};

// `shares` as "80/10/10", `by` as "random", "time" or "last"; anything else is a request Error.
CutRule cut_rule(const std::string& shares, const std::string& by, std::uint64_t seed);

// For so many facts: enough to validate and test with, and not much more.
std::string usual_shares(std::size_t facts);

// At the rounded running shares; the order of the list is kept inside each split. `date_of` says
// when a fact starts (or ends, where that is all that is known). A split that would be empty is a
// request Error, unless its share is 0.
// By last facts the shares are bounds: only pairs of two facts and more give one away, and one of
// three and more may give two. Train has no later fact of a pair than valid, nor valid than test.
Splits cut_facts(std::vector<Fact> facts, const CutRule& rule,
                 const std::function<Date(const Fact&)>& date_of);

}  // namespace orrery
