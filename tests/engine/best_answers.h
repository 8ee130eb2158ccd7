// The best answers of an engine, and the slow truth about them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/battery.h"

namespace orrery {

// A third of them are pairs.
inline std::vector<QueryPair> random_pairs(const ModelShape& shape, std::size_t count) {
  const auto examples = random_examples(shape, count + 1, 8);
  std::vector<QueryPair> pairs;
  for (std::size_t i = 0; i < count; ++i)
    pairs.push_back({examples[i].query, examples[i + 1].query, i % 3 == 0});
  return pairs;
}

inline std::vector<float> scores_of(Asker& asker, std::span<const QueryPair> queries,
                                    std::int32_t entities) {
  std::vector<float> scores(queries.size() * static_cast<std::size_t>(entities));
  asker.score(queries, scores);
  return scores;
}

inline std::vector<TopAnswers> top_of(Asker& asker, std::span<const QueryPair> queries,
                                      std::size_t k) {
  std::vector<TopAnswers> answers(queries.size());
  asker.top(queries, k, answers);
  return answers;
}

// From scores, by sorting all of them and in double.
inline TopAnswers sorted_answers(std::span<const float> scores, std::size_t k) {
  TopAnswers answers;
  for (std::size_t e = 0; e < scores.size(); ++e)
    answers.best.push_back({static_cast<std::int32_t>(e), scores[e]});
  std::ranges::stable_sort(answers.best,
                           [](const auto& a, const auto& b) { return a.score > b.score; });
  answers.highest = answers.best.front().score;
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score) - answers.highest);
  answers.log_sum = answers.highest + std::log(sum);
  answers.best.resize(std::min(k, scores.size()));
  return answers;
}
// Scores are asked for in the order in which `top` asks: other units of rows may round differently.
inline std::vector<TopAnswers> sorted_answers(Engine& engine, std::span<const QueryPair> queries,
                                              std::size_t k) {
  const auto order = asking_order(queries, engine.plan().variant->candidates);
  std::vector<QueryPair> asked;
  for (const std::size_t i : order) asked.push_back(queries[i]);
  const std::int32_t entities = engine.plan().shape.entities;
  const std::vector<float> scores = scores_of(engine, asked, entities);
  const auto width = static_cast<std::size_t>(entities);
  std::vector<TopAnswers> answers(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    answers[order[i]] = sorted_answers(std::span(scores).subspan(i * width, width), k);
  return answers;
}

// The same entities with the same scores; sums are of floats.
inline void expect_answers(std::span<const TopAnswers> found, std::span<const TopAnswers> wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].best.size(), wanted[i].best.size()) << "question " << i;
    for (std::size_t place = 0; place < found[i].best.size(); ++place) {
      const ScoredEntity &one = found[i].best[place], &other = wanted[i].best[place];
      ASSERT_EQ(std::pair(one.entity, one.score), std::pair(other.entity, other.score))
          << "question " << i << ", place " << place;
    }
    ASSERT_EQ(found[i].highest, wanted[i].highest) << "question " << i;
    ASSERT_NEAR(found[i].log_sum, wanted[i].log_sum, 1e-5) << "question " << i;
  }
}

}  // namespace orrery
