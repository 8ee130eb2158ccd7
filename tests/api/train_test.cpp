#include "orrery/train.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/small_runs.h"
#include "learn/options.h"
#include "orrery/evaluate.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;
using Ending = TrainSummary::Ending;
using Train = testing::SmallRuns;

std::vector<float> tensor_of(const std::filesystem::path& path, const std::string& name) {
  const SafetensorsFile file(path);
  const TensorView& tensor = file.require(name);
  std::vector<float> values(tensor.values());
  copy_values<float>(tensor, 0, values);
  return values;
}

TEST_F(Train, ARunIsADirectoryOfFiveFiles) {
  StopAfter observer;
  const TrainSummary summary = train_run(rich_options(), at("run"), &observer);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(at("run")))
    names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"config.toml", "metrics.jsonl", "model.safetensors",
                                          "state.safetensors", "summary.json"}));
  const auto json = nlohmann::json::parse(read_bytes(at("run") / "summary.json"));
  EXPECT_EQ(json["ending"], "finished");
  EXPECT_EQ(json["epochs_done"], 4);
  EXPECT_EQ(json["loss"], summary.loss);
  EXPECT_EQ(json["data_fingerprint"], summary.data_fingerprint);
  EXPECT_EQ(json["engine"], observer.start.engine);
  EXPECT_EQ(json["best_valid"]["mrr"], summary.best_valid->mrr);
}

TEST_F(Train, TheObserverHearsOfEverything) {
  StopAfter observer;
  TrainOptions o = options();
  o.eval_every = 3;
  train_run(o, at("run"), &observer);
  EXPECT_EQ(observer.start.examples, 440);
  EXPECT_EQ(observer.start.entities, 20);
  EXPECT_EQ(observer.start.relations, 3);
  EXPECT_EQ(observer.start.times, 8);
  EXPECT_EQ(observer.start.parameters, (20 + 3 * 6 + 3 * 8) * 16);
  EXPECT_EQ(observer.start.resumed_epoch, 0);
  EXPECT_EQ(observer.done, 28);
  ASSERT_EQ(observer.epochs.size(), 4U);
  EXPECT_LT(observer.epochs[3].loss, observer.epochs[0].loss);
  // Steps are told of now and then, the last of an epoch always.
  std::int64_t ends = 0;
  for (const StepReport& step : observer.steps) {
    EXPECT_EQ(step.steps, 7);
    EXPECT_EQ(step.epochs, 4);
    if (step.step < 7) continue;
    EXPECT_EQ(step.epoch, ++ends);
    EXPECT_EQ(step.loss, observer.epochs[static_cast<std::size_t>(ends - 1)].loss);
  }
  EXPECT_EQ(ends, 4);
  EXPECT_NEAR(observer.epochs[1].loss,
              observer.epochs[1].cross_entropy + observer.epochs[1].n3 + observer.epochs[1].time,
              1e-12);
  // Every third epoch, and the last.
  for (int e = 0; e < 4; ++e) EXPECT_EQ(observer.epochs[e].valid.has_value(), e >= 2) << e;
}

TEST_F(Train, WithoutValidationTheLastModelIsSaved) {
  train_run(options(), at("run"));
  EXPECT_EQ(tensor_of(at("run") / "model.safetensors", "entity"),
            tensor_of(at("run") / "state.safetensors", "value/entity"));
  EXPECT_EQ(SafetensorsFile(at("run") / "model.safetensors").require_metadata("epoch"), "4");
  EXPECT_FALSE(
      nlohmann::json::parse(read_bytes(at("run") / "summary.json")).contains("best_epoch"));
}

TEST_F(Train, PatienceEndsARunAndTheBestModelIsKept) {
  TrainOptions o = options();
  o.lr = 1;
  o.epochs = 40;
  o.eval_every = 1;
  o.patience = 3;
  const TrainSummary summary = train_run(o, at("run"));
  ASSERT_EQ(summary.ending, Ending::early_stop);
  EXPECT_EQ(summary.epochs_done, summary.best_epoch + 3);
  const auto lines = metrics("run");
  ASSERT_EQ(static_cast<std::int64_t>(lines.size()), summary.epochs_done);
  double best = 0;
  for (const auto& line : lines) {
    EXPECT_EQ(line["best"], line["valid"]["mrr"] > best);
    best = std::max(best, line["valid"]["mrr"].get<double>());
  }
  EXPECT_EQ(summary.best_valid->mrr, best);

  testing::RunEvaluation validation;
  validation.split = "valid";
  const auto model = at("run") / "model.safetensors", state = at("run") / "state.safetensors";
  EXPECT_EQ(SafetensorsFile(model).require_metadata("epoch"), std::to_string(summary.best_epoch));
  EXPECT_NE(tensor_of(model, "entity"), tensor_of(state, "value/entity"));
  EXPECT_EQ(testing::evaluate_run(at("run"), validation).pessimistic.mrr, best);
  // The best model is what a run of just so many epochs ends with.
  o.epochs = summary.best_epoch;
  o.eval_every = o.patience = 0;
  train_run(o, at("short"));
  EXPECT_EQ(tensor_of(at("short") / "model.safetensors", "entity"), tensor_of(model, "entity"));
}

TEST_F(Train, TheAverageIsTheModel) {
  TrainOptions o = options();
  std::vector<std::vector<float>> ends;
  for (o.epochs = 1; o.epochs <= 3; ++o.epochs) {
    const auto name = std::to_string(o.epochs);
    train_run(o, at(name));
    ends.push_back(tensor_of(at(name) / "state.safetensors", "value/entity"));
  }
  o.epochs = 3;
  o.ema = 0.75;
  train_run(o, at("average"));
  const auto state = at("average") / "state.safetensors";
  EXPECT_EQ(tensor_of(state, "value/entity"), ends[2]);
  const auto model = tensor_of(at("average") / "model.safetensors", "entity");
  EXPECT_EQ(model, tensor_of(state, "average/entity"));
  for (std::size_t i = 0; i < model.size(); ++i) {
    const double first = 0.75 * ends[0][i] + 0.25 * ends[1][i];
    ASSERT_NEAR(model[i], 0.75 * first + 0.25 * ends[2][i], 1e-6);
  }
}

TEST_F(Train, NoEpochsGiveTheStartingModel) {
  TrainOptions o = options();
  o.epochs = 0;
  const TrainSummary summary = train_run(o, at("run"));
  EXPECT_EQ(summary.ending, Ending::finished);
  EXPECT_EQ(summary.epochs_done, 0);
  EXPECT_GT(testing::evaluate_run(at("run")).optimistic.mrr, 0);
}

TEST_F(Train, WhatCannotBeTrainedIsRefusedAndLeavesNothing) {
  const auto refusal = [&](auto change) {
    TrainOptions o = options();
    o.device = "cpu";
    change(o);
    std::string message = refused([&] { train_run(o, at("run")); });
    EXPECT_FALSE(std::filesystem::exists(at("run"))) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal([](auto& o) { o.dim = 12; }), "multiple of 8"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.model = "bcsa"; }), "there are bsca"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.without = {"entity"}; }), "cannot do without"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.lr = -1; }), "--lr"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.memory = "1K"; }), "--memory"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.data += "x"; }), "no such file"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.reading.split = "8/1/1"; }), "--split"));
  std::filesystem::remove(at("data") / "valid.txt");
  EXPECT_TRUE(contains(refusal([](auto& o) { o.eval_every = 1; }), "valid split"));
}

TEST_F(Train, TheRunsDirectoryMustBeFreeAndWritable) {
  train_run(options(), at("run"));
  const std::string model = model_bytes("run");
  EXPECT_TRUE(contains(refused([&] { train_run(options(), at("run")); }), "already holds a run"));
  EXPECT_TRUE(model_bytes("run") == model);
  const auto file = at("data") / "train.txt";
  EXPECT_TRUE(contains(refused([&] { train_run(options(), file); }), "is a file"));
  EXPECT_TRUE(contains(refused([&] { train_run(options(), file / "run"); }), "cannot be made"));
}

TEST_F(Train, ALossThatIsNoNumberEndsTheRunAndKeepsNoModel) {
  TrainOptions o = options();
  o.lr = 100;
  o.init_scale = 10;
  o.exponent = 8;
  EXPECT_TRUE(contains(refused([&] { train_run(o, at("run")); }), "smaller --lr"));
  EXPECT_FALSE(std::filesystem::exists(at("run") / "model.safetensors"));
}

TEST_F(Train, TheConfigRepeatsTheRun) {
  train_run(rich_options(), at("run"));
  train_run(read_config(at("run") / "config.toml"), at("again"));
  expect_same_run("run", "again");
  EXPECT_EQ(read_bytes(at("run") / "config.toml"), read_bytes(at("again") / "config.toml"));
}

TEST_F(Train, BadLinesAreCounted) {
  scratch_.write("data/train.txt", testing::world_lines(0, 220, false) + "one\ttwo\n");
  TrainOptions o = options();
  EXPECT_TRUE(contains(refused([&] { train_run(o, at("run")); }), "train.txt:221: "));
  o.reading.skip_bad = true;
  StopAfter observer(0);
  train_run(o, at("run"), &observer);
  EXPECT_EQ(observer.start.bad_lines, 1);
}

}  // namespace
}  // namespace orrery
