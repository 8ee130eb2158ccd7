// What a fact becomes for a model: one training example a direction (and a side of an interval),
// and the questions a judge asks. The ids of reciprocal relations follow all forward ones.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

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

enum class Direction { object, subject };  // which side of the fact is asked for

// One query for a point fact; two, whose scores are added, for an interval fact (an unknown end
// gives the start query twice, an unknown start the end query twice).
struct QueryPair {
  Query first, second;
  bool paired = false;
};
QueryPair queries_of(const TemporalGraph& data, const Fact& fact, Direction direction);

// All examples of a split, fact by fact: its forward queries, then the reciprocal ones. Training
// sorts them, so that the order of lines does not matter.
std::vector<Example> examples_of(const TemporalGraph& data, Split split);

}  // namespace orrery
