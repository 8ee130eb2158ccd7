// What a judge asks about a fact: for the object and for the subject.
#pragma once

#include <cstddef>
#include <functional>
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

// At most so many facts, evenly from all of them.
inline std::vector<Fact> spread_facts(std::span<const Fact> facts, std::size_t most) {
  const std::size_t count = std::min(facts.size(), most);
  std::vector<Fact> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(facts[i * facts.size() / count]);
  return chosen;
}

// Called now and then by what takes long, where it can be given up; what it throws ends it.
using Pause = std::function<void()>;

}  // namespace orrery
