// What a judge asks about a fact: for the object and for the subject.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/filter_index.h"
#include "data/temporal_graph.h"
#include "engine/ranking.h"
#include "orrery/evaluate.h"

namespace orrery {

// The directions in which each fact is asked, in this order: question i is about fact i / 2.
inline constexpr Direction question_directions[] = {Direction::object, Direction::subject};

inline Direction direction_of_question(std::size_t question) {
  return question_directions[question % queries_per_fact];
}

// The questions of facts in their order. `known` points into the filter, which must outlive them,
// or into what was gathered: the answers at a drawn time.
struct AskedQuestions {
  std::vector<RankQuestion> questions;
  std::vector<std::int32_t> gathered;
};
AskedQuestions questions_of(const TemporalGraph& data, const FilterIndex& filter,
                            std::span<const Fact> facts);

}  // namespace orrery
