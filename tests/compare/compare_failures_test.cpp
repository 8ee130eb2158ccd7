// Comparisons in which a model fails, the data moves, or some runs are there already.
#include <gtest/gtest.h>

#include "compare/compare_watcher.h"
#include "orrery/compare.h"
#include "orrery/report.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::Watcher;
using Work = RunAhead::Work;

class CompareFailures : public testing::SmallRuns {
 protected:
  CompareOptions models(std::int64_t seeds = 1) const {
    TrainOptions base = options();
    base.device = "cpu";
    base.eval_every = 2;
    CompareOptions compared;
    for (const auto* words : {"bsca", "tcomplex"})
      compared.models.push_back(compared_model(words, base));
    compared.seeds = seeds;
    return compared;
  }
  static void make_diverge(TrainOptions& options) {
    options.init_scale = 10;
    options.lr = 100;
    options.exponent = 8;
  }
  nlohmann::json json() const {
    return nlohmann::json::parse(read_bytes(at("out") / "compare.json"));
  }
};

TEST_F(CompareFailures, AModelThatFailsIsPassedOverAndNotTriedAgain) {
  CompareOptions options = models();
  make_diverge(options.models[0].options);
  const Comparison comparison = compare(options, at("out"));
  EXPECT_TRUE(comparison.complete());
  EXPECT_EQ(comparison.runs_done, 1);
  EXPECT_EQ(comparison.runs_failed, 1);
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.rows[0].model.name, "tcomplex");
  ASSERT_EQ(comparison.rows[1].failed.size(), 1U);
  const std::string reason = comparison.rows[1].failed[0].reason;
  EXPECT_TRUE(contains(reason, "finite")) << reason;
  EXPECT_TRUE(contains(comparison_table(comparison), "bsca, seed 1, failed: " + reason));
  EXPECT_TRUE(contains(read_bytes(at("out/compare.md")), "| failed | — |"));
  const auto written = json();
  EXPECT_EQ(written["complete"], true);
  EXPECT_EQ(written["runs_failed"], 1);
  EXPECT_TRUE(written["models"][1]["mean"].is_null());
  EXPECT_EQ(written["models"][1]["failed"][0]["reason"], reason);

  Watcher second;
  EXPECT_EQ(compare(options, at("out"), &second).runs_failed, 1);
  EXPECT_EQ(second.runs.size(), 1U);
  ASSERT_EQ(second.failed.size(), 1U);
  EXPECT_EQ(second.failed[0].run.work, Work::done);
  EXPECT_EQ(json(), written);
  std::filesystem::remove(at("out/bsca-seed1/failed.txt"));
  Watcher third;
  EXPECT_EQ(compare(options, at("out"), &third).runs_failed, 1);
  ASSERT_EQ(third.runs.size(), 2U);
  EXPECT_EQ(third.runs[1].work, Work::resume);
  // Other options are another run all the same.
  options.models[0].options.lr = 0.1;
  EXPECT_TRUE(contains(refused([&] { compare(options, at("out")); }), "lr = 100"));
}

TEST_F(CompareFailures, AFailureIsToldBeforeTheNextRun) {
  CompareOptions options = models();
  make_diverge(options.models[0].options);
  Watcher watcher;
  const Comparison comparison = compare(options, at("out"), &watcher);
  ASSERT_EQ(watcher.failed.size(), 1U);
  const auto& [run, reason, after] = watcher.failed[0];
  EXPECT_EQ(after, 1U);
  EXPECT_EQ(watcher.runs.size(), 2U);
  EXPECT_EQ(run.model, "bsca");
  EXPECT_EQ(run.seed, 1U);
  EXPECT_EQ(run.number, 1);
  EXPECT_EQ(run.of, 2);
  EXPECT_EQ(run.work, Work::train);
  EXPECT_EQ(reason, comparison.rows[1].failed[0].reason);
}

TEST_F(CompareFailures, WhatDoesNotFitIntoMemoryFailsBeforeItsConfigIsWritten) {
  CompareOptions options = models();
  options.models[0].options.memory = "1K";
  EXPECT_EQ(compare(options, at("out")).runs_failed, 1);
  EXPECT_EQ(run_options(at("out/bsca-seed1")).memory, "1K");
  scratch_.write("out/bsca-seed1/failed.txt", "");
  EXPECT_EQ(compare(options, at("out")).rows[1].failed[0].reason, "failed.txt does not say why");
  options.models[0].options.memory.clear();
  std::filesystem::remove(at("out/bsca-seed1/failed.txt"));
  EXPECT_EQ(compare(options, at("out")).runs_done, 2);
}

TEST_F(CompareFailures, AReportHoldsEverythingThatIsDone) {
  compare(models(2), at("out"));
  std::filesystem::remove_all(at("out/bsca-seed1"));
  Watcher interrupted(3);
  const Comparison comparison = compare(models(3), at("out"), &interrupted);
  EXPECT_EQ(comparison.runs_done, 3);
  EXPECT_FALSE(comparison.complete());
  EXPECT_EQ(interrupted.runs[3].work, Work::train);
  EXPECT_EQ(interrupted.runs[3].number, 4);
  std::size_t runs = 0;
  const auto written = json();
  for (const auto& model : written["models"]) runs += model["runs"].size();
  EXPECT_EQ(runs, 3U);
  const std::string page = read_bytes(at("out/compare.md"));
  for (const auto* part :
       {"mean ± deviation of up to 3 seeds; 3 of 6 runs are done", " (1 seed) |", " (2 seeds) |"})
    EXPECT_TRUE(contains(page, part)) << page;
}

TEST_F(CompareFailures, FactsThatHaveMovedAreTheSameFacts) {
  const CompareOptions options = models();
  const Comparison before = compare(options, at("out"));
  Watcher stopping(3);
  CompareOptions elsewhere = models(2);
  compare(elsewhere, at("out"), &stopping);  // leaves an interrupted run
  std::filesystem::rename(at("data"), at("moved"));
  for (ComparedModel& model : elsewhere.models) model.options.data = at("moved").string();
  std::filesystem::remove(at("out/tcomplex-seed1/test.json"));
  Watcher watcher;
  const Comparison after = compare(elsewhere, at("out"), &watcher);
  ASSERT_TRUE(after.complete());
  EXPECT_EQ(watcher.runs[0].work, Work::done);
  EXPECT_EQ(watcher.runs[1].work, Work::evaluate);
  EXPECT_EQ(watcher.runs[2].work, Work::resume);
  for (const CompareRow& row : after.rows)
    for (const CompareRow& old : before.rows) {
      if (row.model.name != old.model.name) continue;
      EXPECT_EQ(row.runs[0].test.mrr, old.runs[0].test.mrr);
    }
  scratch_.write("moved/test.txt", testing::world_lines(300, 25, false));
  EXPECT_TRUE(
      contains(refused([&] { compare(elsewhere, at("out")); }), "holds a run on other facts"));
}

TEST_F(CompareFailures, ARunSaysWhereItWasEvaluated) {
  const Comparison comparison = compare(models(), at("out"));
  const RunOrigin& origin = comparison.rows[0].runs[0].origin;
  EXPECT_EQ(origin.version, "0.1.0");
  EXPECT_FALSE(origin.processor.empty());
  EXPECT_EQ(json()["models"][0]["runs"][0]["processor"], origin.processor);
  // Earlier versions did not.
  for (const auto* run : {"bsca-seed1", "tcomplex-seed1"}) {
    const auto file = at("out") / run / "test.json";
    auto test = nlohmann::json::parse(read_bytes(file));
    test.erase("judged_with");
    std::ofstream(file) << test.dump();
  }
  const Comparison older = compare(models(), at("out"));
  EXPECT_EQ(older.runs_done, 2);
  EXPECT_EQ(older.rows[0].runs[0].origin.processor, "");
  EXPECT_FALSE(json()["models"][0]["runs"][0].contains("processor"));
}

}  // namespace
}  // namespace orrery
