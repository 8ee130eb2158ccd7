// orrery sweep, as people type it.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;
using testing::read_bytes;

class SweepVerb : public testing::CommandLine {
 protected:
  Words words(const std::string& file, const Words& more = {}) const {
    Words all = {"sweep",
                 "--config",
                 scratch_.write("sweep.toml", file).string(),
                 "--data",
                 at("data").string(),
                 "--out",
                 out(),
                 "--batch",
                 "67",
                 "--dim",
                 "16",
                 "--device",
                 "cpu",
                 "--threads",
                 "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out() const { return at("out").string(); }
};

constexpr const char* small = "model = \"complex\"\nepochs = 2\neval-every = 1\nlr = [0.05, 0.2]\n";

TEST_F(SweepVerb, PrintsTheBestTrialsAndWhatToDoNext) {
  const auto spoken = done(words(small));
  for (const auto* part :
       {"Every combination of the values, 2 trials.", "test split was asked",
        "trial    MRR  Hits@1  Hits@3  Hits@10", "next: orrery evaluate ", "orrery train --config ",
        "best.toml --out RUN",
        "50 validation questions: differences of up to 7.1 points may be chance"})
    EXPECT_TRUE(contains(spoken.out, part)) << spoken.out;
  for (const auto* part : {"trial 1 of 2: lr 0.05\n", "trial 2 of 2, about ", "left: lr 0.2\n",
                           "20 entities", "  validation MRR ", "the best so far"})
    EXPECT_TRUE(contains(spoken.err, part)) << spoken.err;
  // What it says next works.
  const auto found = json(words(small));
  EXPECT_EQ(found["complete"], true);
  EXPECT_EQ(found["trials"].size(), 2U);
  EXPECT_EQ(found["valid_questions"], 50);
  const std::string best = std::to_string(found["best"]["trial"].get<int>());
  json({"evaluate", (at("out") / "runs" / (best + "-1")).string()});
  const auto again = json(
      {"train", "--config", (at("out") / "best.toml").string(), "--out", at("again").string()});
  EXPECT_EQ(again["best"]["valid_mrr"], found["best"]["mean"]["mrr"]);
}

TEST_F(SweepVerb, ARunThatIsGoneIsNotNamed) {
  done(words(small));
  std::filesystem::remove_all(at("out") / "runs");
  const auto spoken = done(words(small));
  EXPECT_FALSE(contains(spoken.out, "orrery evaluate")) << spoken.out;
  EXPECT_TRUE(contains(spoken.out, "next: orrery train --config ")) << spoken.out;
}

TEST_F(SweepVerb, TheCommandLineWinsOverTheFile) {
  const auto found = json(words(small, {"--search", "random", "--trials", "1", "--seeds", "2",
                                        "--seed", "5", "--epochs", "1", "--model", "tcomplex"}));
  EXPECT_EQ(found["search"], "random");
  ASSERT_EQ(found["trials"].size(), 1U);
  EXPECT_EQ(found["trials"][0]["runs"][1]["seed"], 6);
  EXPECT_EQ(found["trials"][0]["epochs"], 1);
  EXPECT_TRUE(contains(read_bytes(at("out") / "best.toml"), "model = \"tcomplex\""));
}

TEST_F(SweepVerb, HalvingIsToldByItsRungs) {
  const auto spoken = done(words("model = \"complex\"\neval-every = 1\nlr = \"0.01 .. 0.5 log\"\n",
                                 {"--search", "halving", "--trials", "4", "--keep", "2", "--epochs",
                                  "4", "--first-epochs", "1"}));
  EXPECT_TRUE(contains(spoken.out, "4 with 1 epoch, 2 with 2 epochs, 1 with 4 epochs"))
      << spoken.out;
  EXPECT_TRUE(contains(spoken.err, "rung 3 of 3 (4 epochs)")) << spoken.err;
}

TEST_F(SweepVerb, AnInterruptIsTakenUpByTheSameCommand) {
  // So many epochs that it cannot be done before it is interrupted.
  const Words endless = words(small, {"--epochs", "100000000"});
  const auto log = at("out") / "runs" / "1-1" / "metrics.jsonl";
  const auto begun = [&] {
    return std::filesystem::exists(log) && contains(read_bytes(log), "\"epoch\":3");
  };
  const Program child(scratch_.path(), endless);
  for (int tries = 0; tries < 30000 && !begun(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  child.interrupt();
  const auto spoken = child.wait();
  EXPECT_EQ(spoken.code, 130) << spoken.err;
  EXPECT_EQ(spoken.out, "interrupted with 0 of 2 results; run the same command to continue\n");
  const Program again(scratch_.path(), endless);
  ASSERT_TRUE(again.has_said("entities"));
  again.interrupt();
  EXPECT_TRUE(contains(again.wait().err, "resumed in epoch"));
  EXPECT_TRUE(
      contains(refused(words(small, {"--epochs", "3"})), "epochs was 100000000 and is now 3"));
}

TEST_F(SweepVerb, WhatIsWrongIsRefused) {
  const auto refusal = [&](const std::string& file, const Words& more = {}) {
    std::string message = refused(words(file, more));
    EXPECT_FALSE(std::filesystem::exists(out())) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal("lr = [0.1, x]\n"), "sweep.toml:1: --lr is 'x'"));
  EXPECT_TRUE(contains(refusal("epochs = 3\n"), "nothing is searched"));
  EXPECT_TRUE(contains(refusal(small, {"--lr", "0.3"}), "sweep.toml:4: --lr is searched"));
  EXPECT_TRUE(contains(refusal(small, {"--search", "gird"}), "no search 'gird'"));
  EXPECT_TRUE(contains(refusal(small, {"--trials", "3"}), "leave trials out"));
  EXPECT_TRUE(contains(refusal("search = \"random\"\nlr = [0.1, 0.2]\n"), "--trials N"));
  EXPECT_TRUE(contains(refusal(small, {"--eval-every", "0"}), "eval-every"));
  EXPECT_TRUE(contains(refusal(small, {"--seeds", "0"}), "seeds is 0, but must be from 1 to 1000"));
  EXPECT_TRUE(contains(refused({"sweep", "--data", "x", "--out", out()}), "--config FILE"));
  EXPECT_TRUE(contains(refused({"sweep", "--config", "none.toml", "--out", out()}), "none.toml"));
  // The file is to blame for its own lines alone.
  const std::string halving =
      "search = \"halving\"\ntrials = 4\nfirst-epochs = 9\nepochs = 3\nlr = [1, 2, 3, 4]\n";
  EXPECT_TRUE(contains(refusal(halving), "sweep.toml:3: --first-epochs is 9, but must be below "));
  EXPECT_FALSE(contains(refusal(halving, {"--first-epochs", "5"}), "sweep.toml"));
  EXPECT_TRUE(contains(refusal("model = \"bsca\"\nwindow = [10, 20]\n"),
                       "sweep.toml:2: --window is searched, but changes nothing with bsca"));
  EXPECT_TRUE(contains(refusal("model = \"tcomplex\"\nattention = [\"split\", \"none\"]\n"),
                       "sweep.toml:2: trial 1 (attention split): the model 'tcomplex' has no"));
  // Where every trial fails, so does the sweep.
  EXPECT_TRUE(contains(refused(words(small, {"--memory", "1K"})), "all 2 trials failed"));
  std::filesystem::remove_all(out());
  EXPECT_TRUE(
      contains(refused(words(small, {"--memory", "1K", "--search", "random", "--trials", "1"})),
               "the only trial failed: "));
}

TEST_F(SweepVerb, DoesNotMixWithWhatOtherVerbsMake) {
  done({"compare", "--models", "complex", "--data", at("data").string(), "--out", out(), "--dim",
        "16", "--epochs", "1", "--device", "cpu", "--threads", "1"});
  EXPECT_TRUE(contains(refused(words(small)),
                       "and no sweep (there is no sweep.toml); name another "
                       "--out"));
}

TEST_F(SweepVerb, TheExamplesAreSweeps) {
  const std::filesystem::path folder = std::string(ORRERY_SOURCE_DIR) + "/configs/sweeps";
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    // Nothing is wrong with it but the data, which is looked at last.
    const std::string message = refused(
        {"sweep", "--config", file.path().string(), "--data", at("none").string(), "--out", out()});
    EXPECT_TRUE(contains(message, at("none").string())) << file.path() << ": " << message;
    ++files;
  }
  EXPECT_GE(files, 2U);
}

}  // namespace
}  // namespace orrery
