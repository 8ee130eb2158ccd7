// A check of a data set before training: counts, duplicates, leaks and warnings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/facts.h"

namespace orrery {

struct SplitCheck {
  std::uint64_t facts = 0;
  std::uint64_t duplicates = 0;         // facts beyond the first of their kind
  std::uint64_t ends_before_start = 0;  // interval facts that end before they start
  // valid and test only: facts with a name or time that is not in train, …
  std::uint64_t unseen_entity = 0;
  std::uint64_t unseen_relation = 0;
  std::uint64_t unseen_time = 0;
  std::uint64_t reversed_in_train = 0;  // … and facts (s, r, o, t) where train has (o, r, s, t)
};

// Distinct facts that are in both splits.
struct Overlap {
  Split first = Split::train, second = Split::train;
  std::uint64_t facts = 0;
};

// Of the `facts` distinct facts (s, relation, o, t), `reversed` also occur as (o, inverse, s, t),
// in any split; relation = inverse means symmetric.
struct InverseRelation {
  std::int32_t relation = 0;
  std::int32_t inverse = 0;
  std::uint64_t facts = 0;
  std::uint64_t reversed = 0;
};

struct DataCheck {
  SplitCheck splits[3];  // by Split
  std::int32_t entities = 0, entities_in_train = 0;
  std::int32_t relations = 0;
  std::int32_t times = 0;
  bool intervals = false;
  std::string granularity;
  std::string first_time, last_time;
  std::vector<Overlap> overlaps;          // train-valid, train-test, valid-test
  std::vector<InverseRelation> inverses;  // at least 80 % reversed, most facts first
  std::string fingerprint;
  std::vector<std::string> warnings;  // as sentences; empty: no problem found
};

}  // namespace orrery
