// How near a model's transforms are to what the algebra asks of relations with a pattern.
#pragma once

#include <cstdint>
#include <vector>

#include "paper/patterns.h"
#include "paper/patterns_in_data.h"
#include "paper/relation_transform.h"

namespace orrery {

class PatternDistances {
 public:
  // `facts` by relation, to leave out those of which a model can know nothing.
  PatternDistances(const RelationTransforms& transforms, std::vector<std::uint64_t> facts);

  std::int32_t sampled_times() const { return static_cast<std::int32_t>(times_.size()); }

  // R₁(t) and R₂(t + lag), over the sampled times; starts and ends of intervals together;
  // not a number where no time has another that long after it.
  double between(std::int32_t one, std::int32_t other, std::int32_t lag = 0,
                 bool straight = false) const;
  // By pattern, each beside its like among relations without it.
  std::vector<PatternDistance> summary(const DataPatterns& patterns) const;

 private:
  class Sample;
  struct Pair {
    std::int32_t one, other;
  };
  std::vector<Pair> pairs_at_random() const;
  void add_evolving(const DataPatterns& patterns, bool turned,
                    std::vector<PatternDistance>& list) const;

  const RelationTransforms& transforms_;
  std::vector<std::int32_t> frequent_;  // relations of enough facts
  std::vector<std::int32_t> times_;
  std::int32_t last_time_ = 0;
};

}  // namespace orrery
