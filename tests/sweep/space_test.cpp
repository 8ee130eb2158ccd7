#include "sweep/space.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "sweep/plan.h"

namespace orrery {
namespace {

const std::vector<SearchedOption> lists = {{.name = "dropout", .values = {"0", "0.1", "0.2"}},
                                           {.name = "attention", .values = {"split", "none"}}};
const std::vector<SearchedOption> ranges = {
    {.name = "lr", .range = SearchedRange{0.01, 1, true}},
    {.name = "dropout", .range = SearchedRange{0, 0.4, false}},
    {.name = "batch", .range = SearchedRange{3, 7, false}}};

TEST(SweepSpace, AGridIsEveryCombinationInOrder) {
  EXPECT_EQ(count_of_combinations(lists), 6);
  const auto trials = grid_trials(lists);
  ASSERT_EQ(trials.size(), 6U);
  EXPECT_EQ(words_of(trials[0]), "dropout 0, attention split");
  EXPECT_EQ(words_of(trials[1]), "dropout 0, attention none");
  EXPECT_EQ(words_of(trials[5]), "dropout 0.2, attention none");
  EXPECT_EQ(std::set<TrialValues>(trials.begin(), trials.end()).size(), 6U);
}

TEST(SweepSpace, DrawsFollowFromTheSeedAndMoreOnlyAppend) {
  const auto few = drawn_trials(ranges, 7, 5), many = drawn_trials(ranges, 7, 50);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_NE(drawn_trials(ranges, 8, 5), few);
}

TEST(SweepSpace, DrawsOfListsAreNeverTheSameTwice) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto trials = drawn_trials(lists, seed, 6);
    EXPECT_EQ(std::set<TrialValues>(trials.begin(), trials.end()).size(), 6U);
  }
}

TEST(SweepSpace, RangesAreDrawnEvenlyOnTheirScale) {
  EXPECT_FALSE(count_of_combinations(ranges));
  const auto trials = drawn_trials(ranges, 1, 2000);
  double below = 0, first_half = 0;
  std::map<std::string, int> batches;
  for (const TrialValues& trial : trials) {
    const double lr = std::stod(trial[0].second), dropout = std::stod(trial[1].second);
    EXPECT_TRUE(lr >= 0.01 && lr <= 1);
    EXPECT_TRUE(dropout >= 0 && dropout <= 0.4);
    EXPECT_LE(trial[0].second.size(), 7U) << trial[0].second;  // four digits
    below += lr < 0.1 ? 1 : 0;
    first_half += dropout < 0.2 ? 1 : 0;
    ++batches[trial[2].second];
  }
  EXPECT_NEAR(below / 2000, 0.5, 0.05);  // half of the decades
  EXPECT_NEAR(first_half / 2000, 0.5, 0.05);
  ASSERT_EQ(batches.size(), 5U);
  for (const auto& [batch, count] : batches) EXPECT_NEAR(count, 400, 80) << batch;
}

TEST(SweepSpace, RungsGrowToAllEpochs) {
  const auto shown = [](const std::vector<Rung>& rungs) {
    std::string text;
    for (const Rung& rung : rungs) text += fmt::format("{}x{} ", rung.trials, rung.epochs);
    return text;
  };
  EXPECT_EQ(shown(rungs_of(27, 81, 3, 3, 1)), "27x3 9x9 3x27 1x81 ");
  EXPECT_EQ(shown(rungs_of(27, 100, 3, 3, 5)), "27x5 9x15 3x45 1x100 ");
  EXPECT_EQ(shown(rungs_of(4, 8, 8, 2, 1)), "4x8 ");
  EXPECT_EQ(shown(rungs_of(4, 8, 100, 2, 1)), "4x8 ");
  EXPECT_EQ(shown(rungs_of(2, 16, 2, 2, 1)), "2x2 1x4 1x8 1x16 ");
  EXPECT_EQ(shown(rungs_of(5, 7, 2, 2, 50)), "5x7 ");
}

}  // namespace
}  // namespace orrery
