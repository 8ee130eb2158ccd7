#include "learn/state_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "learn/doctored.h"
#include "learn/small_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::rewrite_metadata;
using testing::SmallModel;

class CheckpointState : public ::testing::Test {
 protected:
  std::filesystem::path state() const { return scratch_.path() / "state.safetensors"; }
  void save(const Engine& engine, const RunProgress& progress, const char* print) const {
    write_state(state(), engine, progress, print, "");
  }
  RunProgress load(Engine& engine, const char* print) const {
    return read_state(state(), engine, print);
  }

  testing::ScratchDirectory scratch_;
  SmallModel model_;
};

TEST_F(CheckpointState, ProgressAndRowsComeBackToTheBit) {
  RunProgress progress;
  progress.epoch = 41;
  progress.step = 3;
  progress.sums = {1.0 / 3, 1e-300, 0x1.fffffffffffffp+1023, 1.0 / 7, 3};
  progress.best_epoch = 40;
  progress.best = Scores{0.1, 0.2 + 0.1, 5e-324, 1};
  progress.since_best = 1;
  progress.last_loss = 2.0 / 3;
  model_.engine->update_average(0.5);
  save(*model_.engine, progress, "print");
  const std::string saved = read_bytes(state());

  SmallModel other;
  start_randomly(*other.engine, 99, 1);
  const RunProgress back = load(*other.engine, "print");
  EXPECT_EQ(back.epoch, 41);
  EXPECT_EQ(back.step, 3);
  EXPECT_EQ(back.sums.cross_entropy, 1.0 / 3);
  EXPECT_EQ(back.sums.n3, 1e-300);
  EXPECT_EQ(back.sums.time, 0x1.fffffffffffffp+1023);
  EXPECT_EQ(back.sums.auxiliary, 1.0 / 7);
  EXPECT_EQ(back.sums.steps, 3);
  EXPECT_EQ(back.best_epoch, 40);
  ASSERT_TRUE(back.best);
  EXPECT_EQ(back.best->hits1, 0.2 + 0.1);
  EXPECT_EQ(back.best->hits3, 5e-324);
  EXPECT_EQ(back.since_best, 1);
  EXPECT_EQ(back.last_loss, 2.0 / 3);
  EXPECT_TRUE(other.engine->has_average());
  save(*other.engine, back, "print");
  EXPECT_EQ(read_bytes(state()), saved);
}

// Whatever the optimizer keeps is in the file, by its names.
TEST_F(CheckpointState, OfEveryOptimizerComesBackToTheBit) {
  for (const Optimizer& optimizer : all_optimizers()) {
    const auto engine_with = [&](std::uint64_t seed) {
      auto engine = make_engine(plan_of(model_.header.options, model_.header.shape()),
                                {.threads = 1, .optimizer = std::string(optimizer.name)});
      start_randomly(*engine, seed, 0.1);
      engine->set_examples({{{0, 0, 0}, 1}, {{1, 1, 1}, 2}});
      return engine;
    };
    const auto first = engine_with(3), second = engine_with(4);
    first->step(1, 0, 2, {});
    save(*first, {}, "a");
    const std::string saved = read_bytes(state());
    for (const std::string_view name : optimizer.states)
      EXPECT_NE(SafetensorsFile(state()).find(std::string(name) + "/entity"), nullptr) << name;
    load(*second, "a");
    save(*second, {}, "a");
    EXPECT_EQ(read_bytes(state()), saved) << optimizer.name;
    if (optimizer.index > 0) {
      EXPECT_TRUE(contains(refused([&] { load(*model_.engine, "a"); }), "adagrad/entity"));
    }
  }
}

TEST_F(CheckpointState, AStateOfOtherDataOrAnotherModelIsRefused) {
  const auto refusal = [&](Engine& engine, const char* print) {
    return refused([&] { load(engine, print); });
  };
  save(*model_.engine, {}, "a");
  EXPECT_TRUE(
      contains(refusal(*model_.engine, "b"), "the data is not what the run was started with"));
  SmallModel other("tcomplex");
  EXPECT_TRUE(contains(refusal(*other.engine, "a"), "state.safetensors"));
  model_.write_to(state());
  EXPECT_TRUE(contains(refusal(*model_.engine, "a"), "format"));
}

TEST_F(CheckpointState, DamagedProgressIsRefused) {
  save(*model_.engine, {}, "a");
  const std::string good = SafetensorsFile(state()).require_metadata("progress");
  EXPECT_NO_THROW(load(*model_.engine, "a"));
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(good);
    json[key] = value;
    return json.dump();
  };
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), good.substr(0, good.size() / 2),
        with("epoch", 0), with("epoch", "one"), with("step", -1), with("step", 5),
        with("sums", nlohmann::json::array({1, 2})), with("last_loss", nullptr), with("best", 3)}) {
    rewrite_metadata(state(), "progress", bad);
    EXPECT_TRUE(contains(refused([&] { load(*model_.engine, "a"); }), "its progress is damaged"))
        << bad;
  }
}

TEST_F(CheckpointState, AStateFromBeforeThereWereAuxiliaryLossesIsRead) {
  save(*model_.engine, {}, "a");
  auto json = nlohmann::json::parse(SafetensorsFile(state()).require_metadata("progress"));
  json["step"] = 7;
  json["sums"] = {1, 2, 3, 7};
  rewrite_metadata(state(), "progress", json.dump());
  const RunProgress back = load(*model_.engine, "a");
  EXPECT_EQ(back.sums.time, 3);
  EXPECT_EQ(back.sums.auxiliary, 0);
  EXPECT_EQ(back.sums.steps, 7);
}

TEST_F(CheckpointState, ACutStateIsRefusedAtEveryLength) {
  save(*model_.engine, {}, "a");
  const std::string whole = read_bytes(state());
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97) {
    std::filesystem::remove(state());
    std::ofstream(state(), std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(refused([&] { load(*model_.engine, "a"); }).empty());
  }
}

}  // namespace
}  // namespace orrery
