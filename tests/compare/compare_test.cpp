#include "orrery/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "api/former_names.h"
#include "compare/compare_watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::evaluate_run;
using testing::read_bytes;
using testing::refused;
using testing::train_run;
using testing::Watcher;
using Work = RunAhead::Work;

class Compare : public testing::SmallRuns {
 protected:
  TrainOptions base() const {
    TrainOptions o = options();
    o.device = "cpu";
    o.eval_every = 2;
    return o;
  }
  CompareOptions models(const std::vector<std::string>& words, std::int64_t seeds = 1) const {
    CompareOptions compared;
    for (const auto& word : words) compared.models.push_back(compared_model(word, base()));
    compared.seeds = seeds;
    return compared;
  }
  nlohmann::json json(const std::string& out) const {
    return nlohmann::json::parse(read_bytes(at(out) / "compare.json"));
  }
};

TEST_F(Compare, ModelsWithHistoryAreJudgedWithAndWithoutIt) {
  CompareOptions asked = models({"complex"});
  asked.models[0].options.history = "relation";
  const Comparison comparison = compare(asked, at("out"));
  const CompareRow& row = comparison.rows.at(0);
  const Model model = Model::open(row.runs.at(0).run);
  const auto without = evaluate(model, model.training_data(), {.history = false});
  ASSERT_TRUE(row.without_history.has_value());
  EXPECT_EQ(row.without_history->mean.mrr, without.pessimistic.mrr);
  const auto parts = test_breakdown(row.runs[0], By::history, false);
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts[0].scores.mrr, without.by(By::history).at(0).scores.mrr);
  const auto file = json("out");
  EXPECT_EQ(file["models"][0]["without_history"]["mean"]["mrr"], without.pessimistic.mrr);
  EXPECT_TRUE(contains(read_bytes(at("out") / "compare.md"), "MRR without history"));
  const Comparison again = compare(asked, at("out"));
  EXPECT_EQ(again.rows.at(0).without_history->mean.mrr, without.pessimistic.mrr)
      << "read from test.json";
}

TEST_F(Compare, ARowIsWhatTrainingAndEvaluatingByHandGive) {
  const Comparison comparison = compare(models({"complex", "bsca:attention=none"}), at("out"));
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.runs, 2);
  EXPECT_EQ(comparison.runs_done, 2);
  for (const CompareRow& row : comparison.rows) {
    ASSERT_EQ(row.runs.size(), 1U);
    const std::string run = std::filesystem::relative(row.runs[0].run, at("")).string();
    const std::string again = "by-hand-" + row.runs[0].run.filename().string();
    train_run(row.model.options, at(again));
    expect_same_run(run, again);
    const Evaluation by_hand = evaluate_run(at(again));
    EXPECT_EQ(row.mean.mrr, by_hand.pessimistic.mrr);
    EXPECT_EQ(row.mean.hits10, by_hand.pessimistic.hits10);
    EXPECT_EQ(row.deviation.mrr, 0);
    EXPECT_GT(row.seconds_per_epoch, 0);
    EXPECT_GT(row.peak_memory, 1U << 20U);
    EXPECT_GT(row.runs[0].training.best_epoch, 0);
  }
  EXPECT_GE(comparison.rows[0].mean.mrr, comparison.rows[1].mean.mrr);
  EXPECT_TRUE(std::filesystem::exists(at("out") / "bsca-attention-none-seed1" / "config.toml"));
}

TEST_F(Compare, ABudgetGivesEachModelItsLargestDimension) {
  CompareOptions options = models({"bsca", "complex"});
  options.budget = 1500;
  Comparison comparison = compare(options, at("out"));
  std::ranges::sort(comparison.rows, {}, [](const CompareRow& row) { return row.model.name; });
  EXPECT_EQ(comparison.rows[0].model.options.dim, 24);  // 62 rows
  EXPECT_EQ(comparison.rows[0].parameters, 62 * 24);
  EXPECT_EQ(comparison.rows[1].model.options.dim, 56);  // 26 rows
  EXPECT_EQ(comparison.rows[1].parameters, 26 * 56);
  EXPECT_EQ(run_options(at("out") / "complex-seed1").dim, 56);
  EXPECT_EQ(json("out")["budget"], 1500);
  options.budget = 62 * 8 - 1;
  EXPECT_TRUE(
      contains(refused([&] { compare(options, at("tight")); }), "the model 'bsca' has 496"));
  EXPECT_FALSE(std::filesystem::exists(at("tight")));
}

TEST_F(Compare, SeedsGiveAMeanAndADeviation) {
  CompareOptions options = models({"complex", "tcomplex"}, 3);
  for (ComparedModel& model : options.models) model.options.seed = 7;
  Watcher watcher;
  const Comparison comparison = compare(options, at("out"), &watcher);
  std::vector<std::uint64_t> order;
  for (const RunAhead& run : watcher.runs) order.push_back(run.seed);
  EXPECT_EQ(order, (std::vector<std::uint64_t>{7, 7, 8, 8, 9, 9}));
  EXPECT_EQ(watcher.runs[3].model, "tcomplex");
  EXPECT_EQ(watcher.runs[3].number, 4);
  EXPECT_EQ(watcher.runs[3].of, 6);
  for (const CompareRow& row : comparison.rows) {
    std::vector<double> mrr;
    for (const ComparedRun& run : row.runs) mrr.push_back(run.test.mrr);
    ASSERT_EQ(mrr.size(), 3U);
    const double mean = (mrr[0] + mrr[1] + mrr[2]) / 3;
    const double squares =
        std::inner_product(mrr.begin(), mrr.end(), mrr.begin(), 0.0) - 3 * mean * mean;
    EXPECT_NEAR(row.mean.mrr, mean, 1e-12);
    EXPECT_NEAR(row.deviation.mrr, std::sqrt(squares / 2), 1e-6);
    EXPECT_GT(row.deviation.mrr, 0);
  }
}

TEST_F(Compare, WhatIsWrittenIsWhole) {
  compare(models({"complex", "tcomplex"}, 2), at("out"));
  const auto written = json("out");
  EXPECT_EQ(written["version"], "0.1.0");
  EXPECT_EQ(written["data"], at("data").string());
  EXPECT_TRUE(written["budget"].is_null());
  EXPECT_EQ(written["complete"], true);
  ASSERT_EQ(written["models"].size(), 2U);
  for (const auto& model : written["models"]) {
    EXPECT_EQ(model["dim"], 16);
    EXPECT_EQ(model["options"]["batch"], 67);
    EXPECT_EQ(model["options"]["model"], model["name"]);
    ASSERT_EQ(model["runs"].size(), 2U);
    for (const auto& run : model["runs"]) {
      const auto path = at("out") / run["run"].get<std::string>();
      const auto summary = nlohmann::json::parse(read_bytes(path / "summary.json"));
      for (const auto* same : {"data_fingerprint", "engine", "best_epoch", "peak_memory", "loss"})
        EXPECT_EQ(run[same], summary[same]) << same;
      EXPECT_EQ(run["mrr"], evaluate_run(path).pessimistic.mrr);
    }
    EXPECT_GT(model["deviation"]["mrr"], 0);
  }
  const std::string table = read_bytes(at("out") / "compare.md");
  for (const auto* part :
       {"mean ± deviation of 2 seeds", "| model | dim |", "| complex | 16 |", " ± ", "MiB |"})
    EXPECT_TRUE(contains(table, part)) << table;
}

TEST_F(Compare, WhatIsTrainedIsNotTrainedAgain) {
  const CompareOptions options = models({"complex", "tcomplex"});
  compare(options, at("out"));
  const auto first = json("out");
  const auto state = std::filesystem::last_write_time(at("out/complex-seed1/state.safetensors"));
  Watcher watcher;
  compare(options, at("out"), &watcher);
  EXPECT_EQ(watcher.epochs, 0);
  for (const RunAhead& run : watcher.runs) EXPECT_EQ(run.work, Work::done);
  EXPECT_EQ(json("out"), first);
  EXPECT_EQ(std::filesystem::last_write_time(at("out/complex-seed1/state.safetensors")), state);
  // One more model, and one more seed, are.
  compare(models({"complex", "tcomplex", "tntcomplex"}, 2), at("out"), &watcher);
  EXPECT_EQ(watcher.epochs, 4 * 4);
}

TEST_F(Compare, AnInterruptedComparisonGoesOn) {
  const CompareOptions options = models({"complex", "tcomplex"});
  compare(options, at("whole"));
  Watcher first(5);
  const Comparison nothing = compare(options, at("parts"), &first);
  EXPECT_TRUE(nothing.rows.empty());
  EXPECT_EQ(nothing.runs_done, 0);
  EXPECT_FALSE(std::filesystem::exists(at("parts/compare.json")));
  Watcher second(40);
  const Comparison one = compare(options, at("parts"), &second);
  EXPECT_EQ(second.runs[0].work, Work::resume);
  EXPECT_EQ(second.runs[1].work, Work::train);
  EXPECT_EQ(one.runs_done, 1);
  EXPECT_EQ(json("parts")["complete"], false);
  EXPECT_EQ(json("parts")["models"].size(), 1U);
  EXPECT_TRUE(contains(read_bytes(at("parts/compare.md")), "1 of 2 runs are done"));
  std::filesystem::remove(at("parts/tcomplex-seed1/summary.json"));  // as a crash would
  Watcher third;
  EXPECT_EQ(compare(options, at("parts"), &third).runs_done, 2);
  EXPECT_EQ(third.runs[0].work, Work::done);
  EXPECT_EQ(third.runs[1].work, Work::resume);
  for (const std::string run : {"complex-seed1", "tcomplex-seed1"})
    expect_same_run("whole/" + run, "parts/" + run);
}

TEST_F(Compare, WhatAnEarlierVersionBeganGoesOn) {
  const CompareOptions options = models({"complex", "tcomplex"});
  compare(options, at("whole"));
  Watcher first(40);
  EXPECT_EQ(compare(options, at("parts"), &first).runs_done, 1);
  for (const std::string run : {"parts/complex-seed1", "parts/tcomplex-seed1"}) {
    const auto config = at(run) / "config.toml";
    const std::string text = testing::with_former_names(read_bytes(config));
    EXPECT_TRUE(contains(text, "\nteacher = 0\n")) << text;
    std::ofstream(config) << text;
  }
  Watcher second;
  EXPECT_TRUE(compare(options, at("parts"), &second).complete());
  EXPECT_EQ(second.runs[0].work, Work::done);
  EXPECT_EQ(second.runs[1].work, Work::resume);
  expect_same_run("whole/tcomplex-seed1", "parts/tcomplex-seed1");
}

TEST_F(Compare, EvaluatingIsInterruptedToo) {
  const CompareOptions options = models({"complex"});
  compare(options, at("out"));
  std::filesystem::remove(at("out/complex-seed1/test.json"));
  Watcher watcher(0);
  EXPECT_EQ(compare(options, at("out"), &watcher).runs_done, 0);
  EXPECT_EQ(watcher.runs[0].work, Work::evaluate);
}

TEST_F(Compare, ScoresOfAnotherTrainingAreNotBelieved) {
  const CompareOptions options = models({"complex"});
  const double mrr = compare(options, at("out")).rows[0].mean.mrr;
  const auto file = at("out/complex-seed1/test.json");
  auto test = nlohmann::json::parse(read_bytes(file));
  test["test"]["mrr"] = 0.5;
  scratch_.write("out/complex-seed1/test.json", test.dump());
  EXPECT_EQ(compare(options, at("out")).rows[0].mean.mrr, 0.5);
  auto damaged = test;
  damaged["test"]["mrr"] = "0.5";
  test["training"]["loss"] = 7;
  for (const std::string& text : {test.dump(), damaged.dump(), std::string("{"), std::string(),
                                  std::string("\0\xff", 2), std::string("[[")}) {
    scratch_.write("out/complex-seed1/test.json", text);
    Watcher watcher;
    EXPECT_EQ(compare(options, at("out"), &watcher).rows[0].mean.mrr, mrr);
    EXPECT_EQ(watcher.runs[0].work, Work::evaluate);
  }
}

TEST_F(Compare, ADiscardedModelLeavesItsScores) {
  CompareOptions options = models({"complex"}, 2);
  const Comparison kept = compare(options, at("kept"));
  options.keep_models = false;
  const Comparison discarded = compare(options, at("out"));
  EXPECT_EQ(discarded.rows[0].mean.mrr, kept.rows[0].mean.mrr);
  for (const auto* run : {"out/complex-seed1", "out/complex-seed2"}) {
    for (const auto* gone : {"model.safetensors", "state.safetensors"})
      EXPECT_FALSE(std::filesystem::exists(at(run) / gone)) << gone;
    for (const auto* there : {"config.toml", "metrics.jsonl", "summary.json", "test.json"})
      EXPECT_TRUE(std::filesystem::exists(at(run) / there)) << there;
  }
  const auto first = json("out");
  Watcher watcher;
  compare(options, at("out"), &watcher);
  EXPECT_EQ(watcher.epochs, 0);
  EXPECT_EQ(json("out"), first);
  // Kept ones may go later, too.
  compare(options, at("kept"));
  EXPECT_FALSE(std::filesystem::exists(at("kept/complex-seed2/model.safetensors")));
  ComparedRun run = discarded.rows[0].runs[0];
  const auto relations = test_breakdown(run, By::relation);
  ASSERT_EQ(relations.size(), 3U);
  EXPECT_EQ(relations[0].scores.queries + relations[1].scores.queries + relations[2].scores.queries,
            run.test.queries);
  run.run = at("data");
  const Error damaged = caught([&] { test_breakdown(run, By::entity); });
  EXPECT_EQ(damaged.place(), Place((at("data") / "test.json").string()));
  EXPECT_EQ(damaged.advice(), "remove it, and the run is evaluated again");
  std::filesystem::remove(at("out/complex-seed1/test.json"));
  EXPECT_TRUE(contains(refused([&] { compare(options, at("out")); }), "was discarded"));
  scratch_.write("data/test.txt", testing::world_lines(300, 25, false));
  EXPECT_TRUE(
      contains(refused([&] { compare(options, at("kept")); }), "holds a run on other facts"));
}

TEST_F(Compare, ARunOfOtherOptionsIsNotMistakenForThisOne) {
  CompareOptions options = models({"tcomplex", "complex"});
  TrainOptions other = options.models[1].options;
  other.lr = 0.05;
  train_run(other, at("out/complex-seed1"));
  const std::string message = refused([&] { compare(options, at("out")); });
  EXPECT_TRUE(
      contains(message, "complex-seed1: holds a run with lr = 0.05, and now it is to be 0.1"))
      << message;
  EXPECT_FALSE(std::filesystem::exists(at("out/tcomplex-seed1")));
  // Where and how fast it runs may change.
  options.models[1].options = other;
  options.models[1].options.threads = 2;
  EXPECT_EQ(compare(options, at("out")).runs_done, 2);
  options.models[1].options.epochs = 9;
  EXPECT_TRUE(contains(refused([&] { compare(options, at("out")); }), "epochs = 4"));
}

TEST_F(Compare, WhatCannotBeComparedIsRefusedBeforeAnythingIsTrained) {
  const auto refusal = [&](auto change) {
    CompareOptions options = models({"complex", "bsca"});
    change(options);
    std::string message = refused([&] { compare(options, at("out")); });
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal([](auto& o) { o.models.clear(); }), "--models"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.models[1] = o.models[0]; }), "named twice"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.seeds = 0; }), "--seeds"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.models[1].options.dim = 12; }), "multiple of 8"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.models[1].options.model = "x"; }), "no model 'x'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.models[1].options.eval_every = 0; }), "best epoch"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) { o.models[1].options.without = {"time"}; }), "without"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         for (auto& model : o.models) model.options.data.clear();
                       }),
                       "--data"));
  EXPECT_TRUE(contains(refused([&] { compare(models({"complex"}), ""); }), "--out"));
  const auto file = at("data") / "train.txt";
  EXPECT_TRUE(contains(refused([&] { compare(models({"complex"}), file); }), "is a file"));
  EXPECT_TRUE(
      contains(refused([&] { compare(models({"complex"}), file / "x"); }), "cannot be made"));
  train_run(base(), at("run"));
  EXPECT_TRUE(contains(refused([&] { compare(models({"complex"}), at("run")); }), "another --out"));
  std::filesystem::remove(at("data") / "test.txt");
  EXPECT_TRUE(contains(refusal([](auto&) {}), "test is empty"));
}

}  // namespace
}  // namespace orrery
