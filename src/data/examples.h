// What a fact becomes for a model: one training example a direction (two of an interval: its sides,
// or two drawn times), and the questions a judge asks. The ids of reciprocal relations follow all
// forward ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/drawn_times.h"
#include "data/query.h"
#include "data/temporal_graph.h"

namespace orrery {

QueryPair queries_of(const TemporalGraph& data, const Fact& fact, Direction direction);

// In an epoch: one a direction, and of interval facts two.
std::int64_t examples_per_fact(const TemporalGraph& data);

// All examples of facts, fact by fact: forward queries, then the reciprocal ones. `draw` is for
// intervals that hold within.
std::vector<Example> examples_of(const TemporalGraph& data, std::span<const Fact> facts,
                                 const Draw& draw = {});

// The training set, in an order that does not depend on that of lines. The data must outlive it.
class TrainingExamples {
 public:
  TrainingExamples(const TemporalGraph& data, std::uint64_t seed);

  std::int64_t size() const;
  bool differ_by_epoch() const { return data_.times.within; }
  std::vector<Example> of_epoch(std::int64_t epoch) const;

 private:
  const TemporalGraph& data_;
  std::uint64_t seed_;
  std::vector<Fact> sorted_;  // where times are drawn: their examples need no sorting
};

}  // namespace orrery
