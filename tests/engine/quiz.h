// Rank questions with known answers of all kinds, and tables whose scores tie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/battery.h"

namespace orrery {

// Small whole numbers, so that many scores are equal.
inline void write_whole_numbers(Engine& engine) {
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    std::vector<float> rows(static_cast<std::size_t>(engine.tables()[t].count) *
                            static_cast<std::size_t>(engine.plan().shape.dim));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<float>(random_below(t + 1, i, 3)) - 1.0F;
    engine.write(t, State::value, rows);
  }
}

struct Quiz {
  std::vector<std::vector<std::int32_t>> known;
  std::vector<RankQuestion> questions;
};

// Half of the targets are among the known answers, as a filter index gives them; some lists are
// empty, and some hold everything.
inline Quiz random_quiz(const ModelShape& shape, std::size_t count) {
  Quiz quiz;
  const auto examples = random_examples(shape, count + 1, 8);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> known;
    const std::uint32_t rarity = i % 10 == 9 ? 1 : 8;
    for (std::int32_t e = 0; e < shape.entities; ++e)
      if (i % 5 != 4 && random_below(50 + i, static_cast<std::uint64_t>(e), rarity) == 0)
        known.push_back(e);
    const std::int32_t target = examples[i].object;
    const auto at = std::ranges::lower_bound(known, target);
    const bool inside = at != known.end() && *at == target;
    if (i % 2 == 0 && !inside) known.insert(at, target);
    if (i % 2 == 1 && inside) known.erase(at);
    quiz.known.push_back(known);
    quiz.questions.push_back(
        {{examples[i].query, examples[i + 1].query, i % 3 == 0}, examples[i].object, {}});
  }
  for (std::size_t i = 0; i < count; ++i) quiz.questions[i].known = quiz.known[i];
  return quiz;
}

// Counted from the engine's own scores.
inline std::vector<RankCounts> brute_force(Engine& engine,
                                           std::span<const RankQuestion> questions) {
  const auto entities = static_cast<std::size_t>(engine.plan().shape.entities);
  std::vector<QueryPair> queries;
  for (const auto& question : questions) queries.push_back(question.queries);
  std::vector<float> scores(queries.size() * entities);
  engine.score(queries, scores);
  std::vector<RankCounts> counts(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const float* row = scores.data() + i * entities;
    for (std::size_t e = 0; e < entities; ++e) {
      const auto id = static_cast<std::int32_t>(e);
      if (id == questions[i].target) continue;
      if (std::ranges::find(questions[i].known, id) != questions[i].known.end()) continue;
      counts[i].higher += row[e] > row[questions[i].target];
      counts[i].equal += row[e] == row[questions[i].target];
    }
  }
  return counts;
}

}  // namespace orrery
