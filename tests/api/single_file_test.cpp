// A run on one file, which is cut by itself, or on standard input.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "api/small_runs.h"
#include "orrery/evaluate.h"
#include "orrery/predict.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

class SingleFileRun : public testing::SmallRuns {
 protected:
  TrainOptions on_file(std::uint64_t seed) {
    TrainOptions o = options();
    o.data = scratch_.write("all.txt", testing::world_lines(0, 300, false)).string();
    o.seed = seed;
    return o;
  }
};

TEST_F(SingleFileRun, IsCutAlikeForEverySeed) {
  testing::train_run(on_file(1), at("one"));
  testing::train_run(on_file(2), at("two"));
  const Model one = Model::open(at("one")), two = Model::open(at("two"));
  EXPECT_EQ(one.card().data_fingerprint, two.card().data_fingerprint);
  const Dataset data = two.training_data();
  EXPECT_EQ(data.facts(Split::train).size(), 240U);
  EXPECT_EQ(data.facts(Split::test).size(), 30U);
  EXPECT_EQ(evaluate(two, data).ranks.size(), 60U);
}

TEST_F(SingleFileRun, FactsCutWithAnotherSeedAreRefusedWhereTheSeedDecides) {
  const auto begun = [&](const std::string& by) {
    const TrainOptions o = on_file(2);
    const Dataset data = Dataset::open(o.data, {.split = "80/10/10", .split_by = by, .seed = 1});
    orrery::Run::begin(at("run-" + by), data, o);
  };
  for (const auto* by : {"random", "last"})
    EXPECT_TRUE(contains(refused([&] { begun(by); }), "split with seed 1, and the run's is 2"));
  EXPECT_NO_THROW(begun("time"));
}

TEST_F(SingleFileRun, ItsOwnFileIsCutAsItWasWhereverItLies) {
  const TrainOptions o = on_file(1);
  testing::train_run(o, at("run"));
  const Model model = Model::open(at("run"));
  EXPECT_EQ(model.read_data(o.data).facts(Split::test).size(), 30U);
  std::filesystem::rename(o.data, at("moved.txt"));
  EXPECT_EQ(model.read_data(at("moved.txt").string()).facts(Split::test).size(), 30U);
}

TEST_F(SingleFileRun, AllFactsOfAnotherFileAreAskedFor) {
  TrainOptions o = on_file(1);
  o.reading.split = "60/20/20";
  for (const auto* run : {"cut", "cut as usual"}) {
    testing::train_run(o, at(run));
    const Model model = Model::open(at(run));
    for (const std::size_t facts : {2U, 50U}) {
      const auto other = scratch_.write("other.txt", testing::world_lines(300, facts, false));
      const Dataset data = model.read_data(other.string());
      EXPECT_EQ(data.facts(Split::test).size(), facts);
      EXPECT_TRUE(data.facts(Split::train).empty());
      EXPECT_EQ(evaluate(model, data).ranks.size(), 2 * facts);
    }
    o.reading.split = "";
  }
}

TEST_F(SingleFileRun, ADirectoryWithTrainAloneIsCutToo) {
  std::filesystem::create_directory(at("alone"));
  scratch_.write("alone/train.txt", testing::world_lines(0, 300, false));
  TrainOptions o = options();
  o.data = at("alone").string();
  for (const auto& [split, tested] : {std::pair("", 30U), std::pair("70/15/15", 45U)}) {
    o.reading.split = split;
    const auto run = at(std::string("run") + std::to_string(tested));
    testing::train_run(o, run);
    EXPECT_EQ(Model::open(run).training_data().facts(Split::test).size(), tested);
  }
}

TEST_F(SingleFileRun, FactsWithoutAnyDateAreAskedWithoutOne) {
  std::string lines;
  for (int i = 0; i < 30; ++i) lines += fmt::format("e{}\tr{}\te{}\n", i % 7, i % 2, i * 3 % 7);
  TrainOptions o = options();
  o.data = scratch_.write("undated.txt", lines).string();
  o.reading.undated = "always";
  testing::train_run(o, at("run"));
  const Model model = Model::open(at("run"));
  const Answers answers = model.predict(Question{"e1", "r1", "", ""});
  EXPECT_EQ(answers.best.size(), 7U);
  EXPECT_EQ(model.predict(Question{"e1", "r1", "", "2014"}).best[0].name, answers.best[0].name);
  EXPECT_EQ(evaluate(model, model.training_data()).ranks.size(), 6U);
}

TEST_F(SingleFileRun, WhatCameFromStandardInputMustBeNamedToGoOn) {
  testing::StopAfter stop(2);
  testing::train_run(on_file(1), at("run"), &stop);
  TrainOptions config = run_options(at("run"));
  config.data = "-";
  std::ofstream(at("run") / "config.toml") << config_text(config);
  EXPECT_TRUE(contains(refused([&] { orrery::Run::resume(at("run")).train(); }), "standard input"));
  EXPECT_TRUE(contains(refused([&] { Model::open(at("run")).training_data(); }), "standard input"));
  const auto resumed = orrery::Run::resume(at("run"), {{"data", on_file(1).data}});
  EXPECT_EQ(resumed.options().data, on_file(1).data);
}

}  // namespace
}  // namespace orrery
