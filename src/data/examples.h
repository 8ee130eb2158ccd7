// What a fact becomes for a model: one training example a direction (two of an interval: its sides,
// or two drawn times), and the questions a judge asks. The ids of reciprocal relations follow all
// forward ones.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "data/drawn_times.h"
#include "data/temporal_graph.h"

namespace orrery {

// "Which object?", the only question a model answers.
struct Query {
  std::int32_t subject = 0;
  std::int32_t relation = 0;  // a relation row: forward, end-of-interval or reciprocal
  std::int32_t time = 0;      // a time row

  friend auto operator<=>(const Query&, const Query&) = default;
};

struct Example {
  Query query;
  std::int32_t object = 0;

  friend auto operator<=>(const Example&, const Example&) = default;
};

// One query for a point fact, and for an interval that holds within, at its asked_point. Two, whose
// scores are added, for one that is read by its ends (an unknown end gives the start query twice,
// an unknown start the end query twice).
struct QueryPair {
  Query first, second;
  bool paired = false;
};
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
