// A run knows its device by name only, and may move to another.
#include <gtest/gtest.h>

#include "api/small_runs.h"
#include "engine/engine.h"
#include "orrery/evaluate.h"
#include "orrery/predict.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;

class Device : public testing::SmallRuns {
 protected:
  TrainOptions on(const std::string& device) const {
    TrainOptions o = rich_options();
    o.device = device;
    return o;
  }
  static Evaluation judged(const std::filesystem::path& run, const std::string& device) {
    testing::RunEvaluation o;
    o.machine.device = device;
    return testing::evaluate_run(run, o);
  }
  std::string config(const std::string& run) const {
    return testing::read_bytes(at(run) / "config.toml");
  }
};

TEST_F(Device, WordsOfNoMeaningAreRefusedEverywhere) {
  const std::string unknown = "--device 'bananas' is unknown; there are auto, cpu, cuda and cuda:N";
  EXPECT_EQ(refused([&] { train_run(on("bananas"), at("run")); }), unknown);
  EXPECT_FALSE(std::filesystem::exists(at("run")));
  train_run(on("cpu"), at("run"));
  const std::string before = config("run");
  EXPECT_EQ(refused([&] { resume_run(at("run"), {{"device", "bananas"}}); }), unknown);
  EXPECT_EQ(config("run"), before);
  EXPECT_EQ(refused([&] { judged(at("run"), "bananas"); }), unknown);
  EXPECT_EQ(refused([&] { Model::open(at("run"), {.device = "bananas"}); }), unknown);
}

TEST_F(Device, AGpuThatIsNotThereIsRefusedAndNothingIsWritten) {
  if (is_gpu("auto")) GTEST_SKIP() << "there is a GPU here";
  EXPECT_TRUE(contains(refused([&] { train_run(on("cuda"), at("run")); }), "--device cpu"));
  EXPECT_FALSE(std::filesystem::exists(at("run")));
  StopAfter stop(9);
  train_run(on("cpu"), at("run"), &stop);
  const std::string before = config("run"), state = state_bytes("run");
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run"), {{"device", "cuda:1"}}); }), "cuda:1"));
  EXPECT_EQ(config("run"), before);
  EXPECT_TRUE(state_bytes("run") == state);
  EXPECT_TRUE(contains(refused([&] { judged(at("run"), "cuda"); }), "--device cpu"));
  const Model model = Model::open(at("run"), {.device = "cuda"});
  EXPECT_TRUE(contains(refused([&] {
                         model.predict({"e03", "r1", "", "2014-01-04"});
                       }),
                       "--device cpu"));
}

TEST_F(Device, TheCpuIsAlwaysThere) {
  StopAfter observer;
  train_run(on("cpu"), at("run"), &observer);
  EXPECT_TRUE(observer.start.engine.starts_with("cpu, ")) << observer.start.engine;
  TrainOptions o = on("cpu");
  o.precision = "tf32";  // has no meaning here, and must not stop a run that came from a GPU
  EXPECT_EQ(train_run(o, at("tf32"), &observer).epochs_done, 4);
  EXPECT_TRUE(contains(observer.start.engine, "fp32")) << observer.start.engine;
}

// `auto` is resolved anew at each start: a config must not name what was found once.
TEST_F(Device, ARunMayMoveAndItsConfigKeepsTheWords) {
  const TrainSummary whole = train_run(on("cpu"), at("whole"));
  StopAfter stop(9);
  train_run(on("auto"), at("run"), &stop);
  EXPECT_TRUE(contains(config("run"), "device = \"auto\"\n"));
  EXPECT_TRUE(contains(config("run"), "precision = \"auto\"\n"));
  const TrainSummary moved = resume_run(at("run"), {{"device", "cpu"}});
  EXPECT_TRUE(contains(config("run"), "device = \"cpu\"\n"));
  EXPECT_TRUE(contains(config("run"), "precision = \"auto\"\n"));
  EXPECT_NEAR(moved.loss, whole.loss, 0.02 * whole.loss);
  if (!is_gpu("auto")) expect_same_run("whole", "run");
}

TEST_F(Device, ModelsAreJudgedAlikeOnEveryDevice) {
  if (!is_gpu("auto")) GTEST_SKIP() << "there is no GPU here";
  StopAfter stop(9);
  train_run(on("cpu"), at("run"), &stop);
  EXPECT_EQ(resume_run(at("run"), {{"device", "cuda"}}).epochs_done, 4);
  const Evaluation cpu = judged(at("run"), "cpu"), gpu = judged(at("run"), "cuda");
  EXPECT_EQ(cpu.pessimistic.mrr, gpu.pessimistic.mrr);
  EXPECT_EQ(cpu.optimistic.mrr, gpu.optimistic.mrr);
  const Question question{"e03", "r1", "", "2014-01-04"};
  const auto a = Model::open(at("run")).predict(question);
  const auto b = Model::open(at("run"), {.device = "cuda"}).predict(question);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].score, b[i].score, 1e-4);
}

}  // namespace
}  // namespace orrery
