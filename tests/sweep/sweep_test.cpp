#include "orrery/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SweepRuns;
using testing::train_run;
using testing::Watcher;

TEST_F(SweepRuns, ATrialIsWhatTrainingByHandGives) {
  Watcher watcher;
  const Sweep result = sweep(grid(), at("out"), &watcher);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.trials.size(), 6U);
  EXPECT_EQ(watcher.ahead.size(), 6U);
  EXPECT_EQ(watcher.results.size(), 6U);
  EXPECT_EQ(result.valid_questions, 50);
  for (std::size_t i = 0; i + 1 < result.trials.size(); ++i)
    EXPECT_GE(result.trials[i].mean.mrr, result.trials[i + 1].mean.mrr);
  for (const Trial& trial : result.trials) {
    const TrainOptions by_hand = options_of(result.options, trial);
    EXPECT_EQ(fmt::format("{}", by_hand.lr), trial.values[0].second);
    const std::string run = fmt::format("by-hand-{}", trial.number);
    const TrainSummary summary = train_run(by_hand, at(run));
    EXPECT_EQ(trial.mean.mrr, summary.best_valid->mrr);
    EXPECT_EQ(trial.mean.hits10, summary.best_valid->hits10);
    EXPECT_EQ(trial.runs.at(0).best_epoch, summary.best_epoch);
    EXPECT_EQ(trial.deviation.mrr, 0);
    EXPECT_EQ(trial.parameters, (20 + 6 + 8) * 16);
  }
  // The run of the best alone is left, and its config.
  const std::int64_t best = result.trials.front().number;
  EXPECT_EQ(runs_in("out"), (std::vector{fmt::format("{}-1", best)}));
  expect_same_run(fmt::format("out/runs/{}-1", best), fmt::format("by-hand-{}", best));
  const auto config = read_bytes(at("out") / "best.toml");
  EXPECT_TRUE(config.starts_with(
      fmt::format("# Trial {} of a sweep, its best: validation MRR {:.2f} percent over 1 seed.\n"
                  "# `orrery train --config FILE --out RUN` trains with it.\n",
                  best, 100 * result.trials.front().mean.mrr)))
      << config;
  EXPECT_FALSE(contains(config, "Written by orrery train")) << config;
  EXPECT_TRUE(contains(config, "\nmodel = \"tcomplex\"\n"));
  EXPECT_TRUE(contains(config, "\nlr = " + result.trials.front().values[0].second + "\n"));
}

TEST_F(SweepRuns, WhatIsWrittenSaysWhatWasFound) {
  SweepOptions options = grid();
  options.searched.push_back({.name = "model", .values = {"tcomplex", "tntcomplex"}});
  options.seeds = 2;
  const Sweep result = sweep(options, at("out"));
  ASSERT_EQ(result.trials.size(), 12U);
  const Trial& best = result.trials.front();
  ASSERT_EQ(best.runs.size(), 2U);
  EXPECT_EQ(best.runs[1].seed, 2U);
  EXPECT_DOUBLE_EQ(best.mean.mrr, (best.runs[0].valid.mrr + best.runs[1].valid.mrr) / 2);
  EXPECT_NEAR(best.deviation.mrr,
              std::abs(best.runs[0].valid.mrr - best.runs[1].valid.mrr) / std::sqrt(2), 1e-12);
  EXPECT_EQ(log("out").size(), 12U);
  for (const auto& line : log("out")) {
    EXPECT_EQ(line["status"], "done");
    EXPECT_EQ(line["rung"], 1);
    EXPECT_EQ(line["epochs"], 4);
    EXPECT_TRUE(line["options"]["lr"].is_number());
    EXPECT_TRUE(line["options"]["model"].is_string());
    EXPECT_EQ(line["runs"].size(), 2U);
  }
  const std::string page = read_bytes(at("out") / "sweep.md");
  for (const auto* part :
       {"Every combination", "12 trials of 2 seeds each", "No question of the test split was asked",
        " ± ", "What each option does", "best on average at", "tntcomplex"})
    EXPECT_TRUE(contains(page, part)) << page;
  EXPECT_TRUE(contains(read_bytes(at("out") / "sweep.html"), "<svg"));
  const auto report = nlohmann::json::parse(read_bytes(at("out") / "sweep.json"));
  EXPECT_FALSE(report.empty());
}

TEST_F(SweepRuns, AFinishedSweepIsNotDoneAgain) {
  sweep(grid(), at("out"));
  const std::string before = read_bytes(at("out") / "trials.jsonl");
  Watcher watcher;
  SweepOptions options = grid();
  options.fixed.threads = 2;  // never changes a result
  EXPECT_TRUE(sweep(options, at("out"), &watcher).complete);
  EXPECT_EQ(watcher.epochs, 0);
  EXPECT_EQ(read_bytes(at("out") / "trials.jsonl"), before);
}

TEST_F(SweepRuns, AnInterruptedSweepGoesOnExactly) {
  SweepOptions options = grid();
  options.seeds = 2;
  sweep(options, at("whole"));
  int calls = 0;
  for (bool complete = false; !complete; ++calls) {
    ASSERT_LT(calls, 100);
    Watcher watcher(37);
    complete = sweep(options, at("parts"), &watcher).complete;
    EXPECT_TRUE(std::filesystem::exists(at("parts") / "sweep.md"));
  }
  EXPECT_GT(calls, 5);
  EXPECT_EQ(log("parts"), log("whole"));
  ASSERT_EQ(runs_in("parts"), runs_in("whole"));
  for (const std::string& run : runs_in("whole"))
    expect_same_run("whole/runs/" + run, "parts/runs/" + run);
  EXPECT_EQ(read_bytes(at("parts") / "best.toml"), read_bytes(at("whole") / "best.toml"));
}

TEST_F(SweepRuns, ALineThatWasCutShortIsDoneAgain) {
  sweep(grid(), at("out"));
  const auto whole = log("out");
  const auto file = at("out") / "trials.jsonl";
  const std::string text = read_bytes(file);
  scratch_.write("out/trials.jsonl", text.substr(0, text.size() - 20));
  Watcher watcher;
  EXPECT_TRUE(sweep(grid(), at("out"), &watcher).complete);
  EXPECT_EQ(watcher.ahead.size(), 1U);
  EXPECT_EQ(watcher.ahead[0].trial, 6);
  EXPECT_EQ(log("out"), whole);
  scratch_.write("out/trials.jsonl", "{\"trial\": 1}\n" + text);
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("out")); }), "trials.jsonl:1: "));
  std::string other = text;
  other.replace(other.find("0.02"), 4, "0.04");
  scratch_.write("out/trials.jsonl", other);
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("out")); }), "trial 1 has"));
}

TEST_F(SweepRuns, MoreRandomTrialsOnlyAppend) {
  const Sweep few = sweep(drawn(Search::random, 3), at("out"));
  ASSERT_EQ(few.trials.size(), 3U);
  Watcher watcher;
  const Sweep more = sweep(drawn(Search::random, 5), at("out"), &watcher);
  EXPECT_EQ(more.trials.size(), 5U);
  ASSERT_EQ(watcher.ahead.size(), 2U);
  EXPECT_EQ(watcher.ahead[0].trial, 4);
  sweep(drawn(Search::random, 5), at("at-once"));
  EXPECT_EQ(log("out"), log("at-once"));
  EXPECT_TRUE(contains(refused([&] { sweep(drawn(Search::random, 4), at("out")); }),
                       "trials was 5 and is now 4"));
}

TEST_F(SweepRuns, ATrialThatFailsIsRecordedAndTheOthersGoOn) {
  SweepOptions options = grid();
  options.searched[0].values = {"0.1", "100"};  // diverges
  options.fixed.init_scale = 10;
  options.searched[1] = {.name = "memory", .values = {"", "1K"}};
  const Sweep result = sweep(options, at("out"));
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.trials.size(), 4U);
  EXPECT_FALSE(result.trials[0].failed);
  EXPECT_TRUE(result.trials.back().failed);
  EXPECT_TRUE(contains(result.trials.back().reason, "--memory")) << result.trials.back().reason;
  const std::string page = read_bytes(at("out") / "sweep.md");
  EXPECT_TRUE(contains(page, "Trials that failed")) << page;
  Watcher watcher;
  sweep(options, at("out"), &watcher);
  EXPECT_TRUE(watcher.ahead.empty());
}

TEST_F(SweepRuns, MoreRunsAreKeptWhereAsked) {
  SweepOptions options = grid();
  options.keep_runs = 3;
  const Sweep result = sweep(options, at("out"));
  std::vector<std::string> best;
  for (std::size_t i = 0; i < 3; ++i) best.push_back(fmt::format("{}-1", result.trials[i].number));
  std::ranges::sort(best);
  EXPECT_EQ(runs_in("out"), best);
  // What is not the sweep's stays.
  std::filesystem::create_directories(at("out") / "runs" / "mine");
  std::filesystem::create_directories(at("out") / "runs" / "1-x");
  options.keep_runs = 1;
  sweep(options, at("out"));
  EXPECT_EQ(runs_in("out"), (std::vector<std::string>{
                                "1-x", fmt::format("{}-1", result.trials[0].number), "mine"}));
}

TEST_F(SweepRuns, TimeClassesMayBeSearchedSinceTheFactsStayTheSame) {
  write_world("data", true);
  SweepOptions options = grid();
  options.searched = {{.name = "min-facts", .values = {"1", "60", "200"}}};
  const Sweep result = sweep(options, at("out"));
  EXPECT_EQ(result.trials.size(), 3U);
  EXPECT_FALSE(result.trials.back().failed);
}

TEST_F(SweepRuns, NeitherNeedsATestSplitNorLooksAtIt) {
  sweep(grid(), at("with"));
  std::filesystem::remove(at("data/test.txt"));
  EXPECT_TRUE(sweep(grid(), at("without")).complete);
}

}  // namespace
}  // namespace orrery
