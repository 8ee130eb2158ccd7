#include "judge/score_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace orrery {
namespace {

std::vector<float> some_scores(std::size_t count, std::uint64_t key) {
  std::vector<float> scores;
  for (std::size_t i = 0; i < count; ++i)
    scores.push_back(static_cast<float>(4 * random_normal(key, i)));
  return scores;
}

// In double precision, one candidate after the other.
double slow_log_sum(std::span<const float> scores, std::span<const std::int32_t> without) {
  double sum = 0;
  for (std::size_t e = 0; e < scores.size(); ++e)
    if (!std::ranges::binary_search(without, static_cast<std::int32_t>(e)))
      sum += std::exp(static_cast<double>(scores[e]));
  return std::log(sum);
}

TEST(ScoreRow, IsTheSoftmaxOverWhatIsNotKnown) {
  for (const std::size_t count : {2U, 7U, 501U}) {
    const auto scores = some_scores(count, count);
    const auto last = static_cast<std::int32_t>(count) - 1;
    for (const std::vector<std::int32_t>& known :
         {std::vector<std::int32_t>{}, {0}, {last}, {0, 0}}) {
      const ScoreRow row(scores, known);
      const double rest = slow_log_sum(scores, known);
      EXPECT_NEAR(row.log_sum(), slow_log_sum(scores, {}), 1e-5) << count;
      EXPECT_TRUE(row.finite());
      for (std::int32_t e = 0; e <= last; ++e) {
        const double score = scores[static_cast<std::size_t>(e)];
        const bool left_out = std::ranges::binary_search(known, e);
        EXPECT_EQ(row.knows(e), left_out);
        EXPECT_NEAR(row.log_odds(e), score - rest, 1e-5);
        const double against = left_out ? std::log(std::exp(rest) + std::exp(score)) : rest;
        EXPECT_NEAR(row.log_probability(e), score - against, 1e-5);
      }
    }
  }
}

TEST(ScoreRow, RanksAndListsTheBestThatAreNotKnown) {
  const std::vector<float> scores = {3, 5, 5, 1, 4};
  const std::vector<std::int32_t> known = {1};
  const ScoreRow row(scores, known);
  EXPECT_EQ(row.rank(2), 1);
  EXPECT_EQ(row.rank(4), 2);
  EXPECT_EQ(row.rank(3), 4);
  const auto best = row.best(2, 4);
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].entity, 2);
  EXPECT_EQ(best[1].entity, 0);
  EXPECT_TRUE(row.best(0).empty());
  EXPECT_EQ(ScoreRow(scores, {}).rank(1), 2) << "equal ones count";
}

TEST(ScoreRow, WhatIsNoNumberIsNotFinite) {
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto scores = some_scores(9, 1);
    scores[4] = wrong;
    EXPECT_FALSE(ScoreRow(scores, {}).finite());
  }
}

// Where all is known but one, and where one is far above all others.
TEST(ScoreRow, NothingLeftIsNextToNothing) {
  const std::vector<float> scores = {0, 2};
  const std::vector<std::int32_t> all = {0, 1};
  const ScoreRow row(scores, all);
  EXPECT_TRUE(row.finite());
  EXPECT_GT(row.log_odds(1), 50);
  EXPECT_NEAR(row.log_sum(), std::log(1 + std::exp(2.0)), 1e-6);
}

}  // namespace
}  // namespace orrery
