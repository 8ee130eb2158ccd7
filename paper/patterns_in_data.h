// Which relations of a data set are symmetric, inverse or evolving, by counting facts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/dataset.h"

namespace orrery {

// The time of a fact's start, or of its end where the start is unknown.
std::int32_t time_of(const Dataset& data, const Fact& fact);

// By relation: the distinct facts of two different entities, and those whose reverse (o, r, s, t)
// is among them.
struct ReversedCount {
  std::uint64_t facts = 0;
  std::uint64_t reversed = 0;
};
std::vector<ReversedCount> count_reversed(std::span<const Fact> facts, std::int32_t relations);

// `effect` comes `lag` times after `cause` far more often than as long before it, which is what
// chance would do, whatever the two entities are up to at the time.
struct EvolvingPair {
  std::int32_t cause = 0, effect = 0;
  bool turned = false;  // (s, cause, o) is followed by (o, effect, s); else by (s, effect, o)
  std::int32_t lag = 0;
  std::uint64_t followed = 0;  // facts of the cause that the effect follows after `lag` …
  std::uint64_t preceded = 0;  // … and that it precedes by as much
  std::uint64_t facts = 0;     // of the cause

  double lift() const {
    return (static_cast<double>(followed) + 1) / (static_cast<double>(preceded) + 1);
  }
};

inline constexpr std::int32_t longest_lag = 7;     // times
inline constexpr std::uint64_t fewest_facts = 20;  // of a relation that anything is said about
inline constexpr double least_lift = 1.5;          // and four standard deviations above chance
inline constexpr std::size_t most_evolving = 20;   // pairs, those with the largest surplus

struct DataPatterns {
  std::vector<InverseRelation> symmetric;  // at least half reversed, most facts first
  std::vector<InverseRelation> inverse;    // of two relations, as `orrery data check` finds them
  std::vector<EvolvingPair> evolving;      // largest surplus first
};
// Over the facts of all splits.
DataPatterns find_patterns(const Dataset& data);

}  // namespace orrery
