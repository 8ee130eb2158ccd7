#include "judge/scores.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery {
namespace {

TEST(Scores, RanksByTheThreeTieRules) {
  const RankCounts counts{4, 3};
  EXPECT_EQ(rank_of(counts, Ties::optimistic), 5.0);
  EXPECT_EQ(rank_of(counts, Ties::realistic), 6.5);
  EXPECT_EQ(rank_of(counts, Ties::pessimistic), 8.0);
  for (const Ties rule : {Ties::optimistic, Ties::realistic, Ties::pessimistic}) {
    EXPECT_EQ(rank_of({0, 0}, rule), 1.0);
  }
}

TEST(Scores, FiguresByHand) {
  // Pessimistic ranks 1, 2, 4, 10; realistic 1, 1.5, 3, 10; optimistic 1, 1, 2, 10.
  const std::vector<RankCounts> counts = {{0, 0}, {0, 1}, {1, 2}, {9, 0}};
  const Scores pessimistic = scores_of(counts, Ties::pessimistic);
  EXPECT_EQ(pessimistic.queries, 4U);
  EXPECT_DOUBLE_EQ(pessimistic.mrr, (1 + 1 / 2.0 + 1 / 4.0 + 1 / 10.0) / 4);
  EXPECT_EQ(pessimistic.hits1, 0.25);
  EXPECT_EQ(pessimistic.hits3, 0.5);
  EXPECT_EQ(pessimistic.hits10, 1.0);
  const Scores realistic = scores_of(counts, Ties::realistic);
  EXPECT_DOUBLE_EQ(realistic.mrr, (1 + 1 / 1.5 + 1 / 3.0 + 1 / 10.0) / 4);
  EXPECT_EQ(realistic.hits1, 0.25);
  EXPECT_EQ(realistic.hits3, 0.75);
  const Scores optimistic = scores_of(counts, Ties::optimistic);
  EXPECT_DOUBLE_EQ(optimistic.mrr, (1 + 1 + 1 / 2.0 + 1 / 10.0) / 4);
  EXPECT_EQ(optimistic.hits1, 0.5);
}

TEST(Scores, AHalfRankBeyondTheCutIsNoHit) {
  const std::vector<RankCounts> counts = {{0, 1}, {2, 1}, {9, 1}};  // realistic 1.5, 3.5, 10.5
  const Scores realistic = scores_of(counts, Ties::realistic);
  EXPECT_EQ(realistic.hits1, 0.0);
  EXPECT_DOUBLE_EQ(realistic.hits3, 1 / 3.0);
  EXPECT_DOUBLE_EQ(realistic.hits10, 2 / 3.0);
}

TEST(Scores, NothingCountedIsZeroAndNotNaN) {
  EXPECT_EQ(scores_of({}, Ties::pessimistic), Scores{});
}

}  // namespace
}  // namespace orrery
