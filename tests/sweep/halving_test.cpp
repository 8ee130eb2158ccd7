#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SweepRuns;
using testing::train_run;
using testing::Watcher;

TEST_F(SweepRuns, HalvingGivesTheBestMoreEpochs) {
  SweepOptions options = drawn(Search::halving, 9);
  options.fixed.epochs = 18;
  options.first_epochs = 1;  // validation is every 2 epochs
  Watcher watcher;
  const Sweep result = sweep(options, at("out"), &watcher);
  ASSERT_EQ(result.rungs.size(), 3U);
  EXPECT_EQ(result.rungs[0].epochs, 2);
  EXPECT_EQ(result.rungs[1].epochs, 6);
  EXPECT_EQ(result.rungs[2].epochs, 18);
  EXPECT_EQ(watcher.epochs, 9 * 2 + 3 * 4 + 1 * 12);
  EXPECT_EQ(log("out").size(), 13U);
  EXPECT_EQ(result.results, 13);
  // Who went on had the best scores.
  std::vector<Trial> first(watcher.results.begin(), watcher.results.begin() + 9);
  std::ranges::sort(first, std::ranges::greater{}, [](const Trial& t) { return t.mean.mrr; });
  std::set<std::int64_t> best, second;
  for (std::size_t i = 0; i < 3; ++i) {
    best.insert(first[i].number);
    second.insert(watcher.results[9 + i].number);
  }
  EXPECT_EQ(second, best);
  // A run in rungs is a run in one go.
  const Trial& winner = watcher.results.back();
  EXPECT_EQ(winner.rung, 3);
  EXPECT_EQ(winner.epochs, 18);
  const TrainSummary by_hand = train_run(options_of(result.options, winner), at("by-hand"));
  EXPECT_EQ(winner.mean.mrr, by_hand.best_valid->mrr);
  EXPECT_EQ(runs_in("out"), (std::vector{fmt::format("{}-1", result.trials[0].number)}));
  EXPECT_TRUE(contains(read_bytes(at("out") / "best.toml"), "\nepochs = 18\n"));
  EXPECT_TRUE(contains(read_bytes(at("out") / "sweep.md"), "9 with 2 epochs, 3 with 6"));
}

TEST_F(SweepRuns, HalvingGoesOnExactly) {
  SweepOptions options = drawn(Search::halving, 6);
  options.fixed.epochs = 8;
  options.keep = 2;
  sweep(options, at("whole"));
  for (bool complete = false; !complete;) {
    Watcher watcher(41);
    complete = sweep(options, at("parts"), &watcher).complete;
  }
  EXPECT_EQ(log("parts"), log("whole"));
  for (const std::string& run : runs_in("whole"))
    expect_same_run("whole/runs/" + run, "parts/runs/" + run);
  options.trials = 8;  // would have other rungs
  EXPECT_TRUE(contains(refused([&] { sweep(options, at("whole")); }), "trials was 6"));
}

TEST_F(SweepRuns, HalvingWithoutFirstEpochsLetsOneTrialComeToTheEnd) {
  SweepOptions options = drawn(Search::halving, 8);
  options.fixed.epochs = 16;
  options.keep = 2;
  const Sweep result = sweep(options, at("out"));
  ASSERT_EQ(result.rungs.size(), 4U);
  EXPECT_EQ(result.rungs[0].epochs, 2);
  EXPECT_EQ(result.rungs[3].epochs, 16);
  EXPECT_EQ(result.rungs[3].trials, 1);
  EXPECT_EQ(result.options.first_epochs, 2);
}

TEST_F(SweepRuns, HalvingThatEndsNoTrialEarlyIsRefused) {
  const auto refusal = [&](std::int64_t epochs, std::optional<std::int64_t> first_epochs,
                           std::int64_t trials) {
    SweepOptions options = drawn(Search::halving, trials);
    options.fixed.epochs = epochs;
    options.first_epochs = first_epochs;
    options.origins = {{"first-epochs", Place("s.toml", 1)}, {"trials", Place("s.toml", 2)}};
    std::string message = refused([&] { sweep(options, at("out")); });
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << message;
    return message;
  };
  for (const std::int64_t first : {3, 9})
    EXPECT_TRUE(
        refusal(3, first, 8)
            .starts_with(fmt::format(
                "s.toml:1: --first-epochs is {}, but must be below --epochs, which is 3", first)));
  EXPECT_TRUE(refusal(8, {}, 2).starts_with("s.toml:2: halving 2 trials with --keep 3"));
  EXPECT_TRUE(contains(refusal(2, 1, 8), "eval-every is 2, so that the first rung, of 1 epoch,"));
}

TEST_F(SweepRuns, HalvingTellsHowMuchIsLeft) {
  SweepOptions options = drawn(Search::halving, 4);
  options.fixed.epochs = 8;
  options.keep = 2;
  options.first_epochs = 4;
  options.seeds = 2;
  Watcher watcher;
  sweep(options, at("out"), &watcher);
  std::vector<std::int64_t> left;
  for (const TrialAhead& ahead : watcher.ahead) left.push_back(ahead.epochs_left);
  EXPECT_EQ(left, (std::vector<std::int64_t>{48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4}));
  EXPECT_FALSE(watcher.ahead.front().best_mrr);
  EXPECT_EQ(watcher.ahead.back().rung, 2);
  EXPECT_EQ(watcher.ahead.back().run, 2);
}

TEST_F(SweepRuns, HalvingGoesOnWithoutTrialsThatFail) {
  SweepOptions options = drawn(Search::halving, 4);
  options.searched[0] = {.name = "memory", .values = {"", "1K"}};
  options.fixed.epochs = 4;
  options.keep = 2;
  const Sweep result = sweep(options, at("out"));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.results, result.results_done);
  EXPECT_FALSE(result.trials.front().failed);
  EXPECT_EQ(result.trials.front().epochs, 4);
}

}  // namespace
}  // namespace orrery
