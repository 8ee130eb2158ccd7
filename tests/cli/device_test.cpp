// --device, as people type it.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "engine/engine.h"

namespace orrery {
namespace {

using testing::contains;

class DeviceOption : public testing::CommandLine {
 protected:
  std::string run() const { return at("run").string(); }
  Words predict_words(const Words& more) const {
    Words words = {"predict", run(), "--subject", "e05", "--relation", "r1", "--time", "2014"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(DeviceOption, WordsOfNoMeaningAreRefusedWithWhatThereIs) {
  const std::string unknown =
      "orrery: --device 'bananas' is unknown; there are auto, cpu, cuda and cuda:N\n";
  EXPECT_EQ(refused(train_words("run", {"--device", "bananas"})), unknown);
  const auto config = scratch_.write("my.toml", "device = \"bananas\"\n").string();
  EXPECT_EQ(refused(train_words("run", {"--config", config})), unknown);
  EXPECT_FALSE(std::filesystem::exists(at("run")));
  done(train_words("run", {"--epochs", "1", "--config", config, "--device", "cpu"}));
  EXPECT_EQ(refused({"train", "--resume", run(), "--device", "bananas"}), unknown);
  EXPECT_EQ(refused({"evaluate", run(), "--device", "bananas"}), unknown);
  EXPECT_EQ(refused(predict_words({"--device", "bananas"})), unknown);
}

TEST_F(DeviceOption, AGpuThatIsNotThereIsRefusedAndNothingIsWritten) {
  if (is_gpu("auto")) GTEST_SKIP() << "there is a GPU here";
  EXPECT_TRUE(contains(refused(train_words("run", {"--device", "cuda"})), "--device cuda: "));
  EXPECT_TRUE(contains(refused(train_words("run", {"--device", "cuda:1"})), "--device cuda:1: "));
  EXPECT_FALSE(std::filesystem::exists(at("run")));
  done(train_words("run", {"--epochs", "1"}));
  EXPECT_TRUE(contains(refused({"evaluate", run(), "--device", "cuda"}), "--device cpu"));
  EXPECT_TRUE(contains(refused(predict_words({"--device", "cuda"})), "--device cpu"));
}

TEST_F(DeviceOption, TheCpuIsAlwaysThere) {
  const auto spoken = done(train_words("run", {"--epochs", "2", "--device", "cpu"}));
  EXPECT_TRUE(contains(spoken.err, "parameters; cpu, 1 thread,")) << spoken.err;
  EXPECT_EQ(json({"evaluate", run(), "--device", "cpu"})["queries"], 50);
  EXPECT_EQ(json(predict_words({"--device", "cpu"})), json(predict_words({})));
  EXPECT_EQ(json(predict_words({"--device", "auto"}))["answers"].size(), 10U);
}

TEST_F(DeviceOption, ARunGoesOnOnAnotherDevice) {
  done(train_words("run", {"--epochs", "2"}));
  const auto spoken = done({"train", "--resume", run(), "--epochs", "3", "--device", "cpu"});
  EXPECT_TRUE(contains(spoken.err, "parameters; cpu, 1 thread,")) << spoken.err;
  EXPECT_TRUE(contains(testing::read_bytes(at("run") / "config.toml"), "device = \"cpu\"\n"));
  EXPECT_TRUE(contains(refused({"train", "--resume", run(), "--precision", "fp32"}),
                       "--data, --epochs, --device, --threads, --memory and --exchange can"));
}

}  // namespace
}  // namespace orrery
