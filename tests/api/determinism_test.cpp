// Same seed, same bytes: for any number of threads and any memory budget.
#include <gtest/gtest.h>

#include <set>

#include "api/small_runs.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::train_run;
using testing::world_lines;
using Determinism = testing::SmallRuns;

TEST_F(Determinism, TheSameSeedGivesTheSameBytes) {
  for (const auto* precision : {"fp32", "bf16"}) {
    TrainOptions o = rich_options();
    o.precision = precision;
    const std::string name(precision);
    train_run(o, at(name + "a"));
    train_run(o, at(name + "b"));
    expect_same_run(name + "a", name + "b");
    o.seed = 2;
    train_run(o, at(name + "c"));
    EXPECT_FALSE(model_bytes(name + "a") == model_bytes(name + "c"));
    EXPECT_FALSE(state_bytes(name + "a") == state_bytes(name + "c"));
  }
  EXPECT_FALSE(model_bytes("fp32a") == model_bytes("bf16a"));
}

TEST_F(Determinism, ThreadsAndMemoryNeverChangeTheResult) {
  // So many rows and such long batches that work is cut into several pieces.
  TrainOptions o = rich_options();
  o.device = "cpu";
  o.dim = 64;
  o.epochs = 2;
  o.batch = 300;
  for (const auto* precision : {"fp32", "bf16"}) {
    o.precision = precision;
    const std::string first = std::string(precision) + "-first";
    train_run(o, at(first));
    for (const int threads : {2, 3, 7}) {
      o.threads = threads;
      const auto run = fmt::format("{}-{}", precision, threads);
      train_run(o, at(run));
      expect_same_run(first, run);
    }
    o.threads = 2;
    for (const auto* memory : {"8M", "64M", "2G"}) {
      o.memory = memory;
      const auto run = fmt::format("{}-{}", precision, memory);
      train_run(o, at(run));
      expect_same_run(first, run);
    }
    o.memory.clear();
    o.threads = 1;
  }
}

TEST_F(Determinism, TheOrderOfTrainingLinesDoesNotMatter) {
  const TrainOptions o = rich_options();
  train_run(o, at("first"));
  const std::string lines = world_lines(0, 220, false);
  std::string reversed;
  for (std::size_t end = lines.size(); end > 0;) {
    const std::size_t begin = end < 2 ? 0 : lines.rfind('\n', end - 2) + 1;
    reversed += lines.substr(begin, end - begin);
    end = begin;
  }
  ASSERT_EQ(reversed.size(), lines.size());
  ASSERT_NE(reversed, lines);
  scratch_.write("data/train.txt", reversed);
  train_run(o, at("second"));
  expect_same_run("first", "second");
}

TEST_F(Determinism, EveryOptionThatShapesAModelChangesIt) {
  std::set<std::string> models;
  int runs = 0;
  const auto add = [&](auto change) {
    TrainOptions o = options();
    o.epochs = 2;
    change(o);
    const auto name = std::to_string(++runs);
    train_run(o, at(name));
    const SafetensorsFile file(at(name) / "model.safetensors");
    const auto bytes = file.require("entity").data;
    EXPECT_TRUE(models.emplace(reinterpret_cast<const char*>(bytes.data()), bytes.size()).second)
        << runs;
  };
  add([](auto&) {});
  add([](auto& o) { o.epochs = 3; });
  add([](auto& o) { o.batch = 50; });
  add([](auto& o) { o.lr = 0.05; });
  add([](auto& o) { o.lambda_n3 = 0.1; });
  add([](auto& o) { o.lambda_time = 0.5; });
  add([](auto& o) { o.norm = "biquaternion"; });
  add([](auto& o) { o.exponent = 4; });
  add([](auto& o) { o.dropout = 0.3; });
  add([](auto& o) { o.ema = 0.5; });
  for (const std::int64_t from : {1, 2})
    add([&](auto& o) {
      o.ema = 0.5;
      o.self_distillation = 0.4;
      o.self_distillation_from = from;
      o.epochs = 4;
    });
  add([](auto& o) { o.init_scale = 0.1; });
  add([](auto& o) { o.choices["attention"] = "none"; });
  add([](auto& o) { o.choices["product"] = "componentwise"; });
  add([](auto& o) { o.without = {"time_mul"}; });
  add([](auto& o) { o.reading.granularity = "week"; });
  add([](auto& o) { o.negatives = 4; });
  add([](auto& o) { o.time_exponent = 4; });
  for (const std::int64_t window : {120, 3})
    add([&](auto& o) {
      o.model = "tlt-kge";
      o.window = window;
    });
  for (const std::int64_t warmup : {0, 1})
    add([&](auto& o) {
      o.model = "telm";
      o.algebra_warmup = warmup;
    });
}

}  // namespace
}  // namespace orrery
