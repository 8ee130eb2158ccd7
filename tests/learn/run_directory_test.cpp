#include "learn/run_directory.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "learn/small_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SmallModel;

class CheckpointRun : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return scratch_.path() / "runs" / "one"; }

  RunDirectory made() const {
    const auto run = RunDirectory::create(path());
    run.write_config(model_.card.options);
    return run;
  }

  testing::ScratchDirectory scratch_;
  SmallModel model_;
};

TEST_F(CheckpointRun, ADirectoryThatHoldsARunIsRefused) {
  made();
  const std::string message = refused([&] { RunDirectory::create(path()); });
  EXPECT_TRUE(contains(message, "already holds a run") && contains(message, "--resume")) << message;
  EXPECT_NO_THROW(RunDirectory::open(path()));
  EXPECT_TRUE(contains(refused([&] { RunDirectory::open(scratch_.path()); }), "holds no run"));
  EXPECT_TRUE(contains(refused([&] { RunDirectory::open("/no/such"); }), "holds no run"));
}

TEST_F(CheckpointRun, ASweepsDirectoryIsRefused) {
  scratch_.write("sweep.toml", "search = \"grid\"");
  EXPECT_TRUE(contains(refused([&] { RunDirectory::create(scratch_.path()); }), "holds a sweep"));
}

TEST_F(CheckpointRun, NothingIsMadeBeforeSomethingIsWritten) {
  const auto run = RunDirectory::create(path());
  EXPECT_FALSE(std::filesystem::exists(path()));
  run.write_config({});
  EXPECT_TRUE(std::filesystem::exists(path() / "config.toml"));
}

TEST_F(CheckpointRun, AFileIsNoDirectory) {
  const auto file = scratch_.write("file", "text");
  EXPECT_TRUE(contains(refused([&] { RunDirectory::create(file); }), "is a file"));
  const auto below = RunDirectory::create(file / "run");
  EXPECT_TRUE(contains(refused([&] { below.write_config({}); }), "cannot be made"));
  EXPECT_EQ(read_bytes(file), "text");
}

TEST_F(CheckpointRun, ADamagedConfigIsRefusedWithItsLine) {
  const auto run = made();
  EXPECT_EQ(run.read_config().dim, 16);
  std::ofstream(path() / "config.toml") << "dim = 8\nlr = fast\n";
  EXPECT_TRUE(contains(refused([&] { run.read_config(); }), "config.toml:2: lr = fast"));
}

TEST_F(CheckpointRun, ItsStateIsTheFileInIt) {
  const auto run = made();
  EXPECT_FALSE(run.has_state());
  RunProgress progress;
  progress.epoch = 3;
  run.save_state(*model_.engine, progress, "a", "");
  EXPECT_TRUE(run.has_state());
  EXPECT_EQ(run.load_state(*model_.engine, "a").epoch, 3);
}

TEST_F(CheckpointRun, MetricsForgetWhatWillBeDoneAgain) {
  const auto run = made();
  EXPECT_TRUE(run.epoch_seconds().empty());
  EXPECT_NO_THROW(run.drop_metrics_from(1));
  for (std::int64_t epoch = 1; epoch <= 4; ++epoch) {
    EpochReport report;
    report.epoch = epoch;
    report.seconds = 0.5;
    if (epoch == 2) report.valid = Scores{0.1, 0.2, 0.3, 0.4};
    run.append_metrics(report);
  }
  // What a crash, or a person, may have left.
  std::ofstream(path() / "metrics.jsonl", std::ios::app)
      << "{\"epoch\": \"x\", \"seconds\": 1}\n[]\n{\"epoch\": 1, \"sec";
  EXPECT_EQ(run.epoch_seconds().size(), 4U);
  run.drop_metrics_from(3);
  EXPECT_EQ(run.epoch_seconds(), (std::vector<double>{0.5, 0.5}));
  const std::string kept = read_bytes(path() / "metrics.jsonl");
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 2);
  EXPECT_TRUE(contains(kept, R"("valid":{"mrr":0.1,"hits1":0.2,"hits3":0.3,"hits10":0.4})"));
}

TEST_F(CheckpointRun, TheTimeSpentIsTheSummarysOrThatOfTheEpochs) {
  const auto run = made();
  EXPECT_EQ(run.seconds_spent(), 0);
  for (std::int64_t epoch = 1; epoch <= 3; ++epoch) {
    EpochReport report;
    report.epoch = epoch;
    report.seconds = 0.5;
    run.append_metrics(report);
  }
  EXPECT_EQ(run.seconds_spent(), 1.5);
  TrainSummary summary;
  summary.seconds = 12;  // with validations, saves and a part of an epoch
  run.write_summary(summary, model_.card, 1);
  EXPECT_EQ(run.seconds_spent(), 12);
  summary.seconds = 1;  // older than the last epochs
  run.write_summary(summary, model_.card, 1);
  EXPECT_EQ(run.seconds_spent(), 1.5);
}

TEST_F(CheckpointRun, TheSummaryIsJson) {
  const auto run = made();
  TrainSummary summary;
  summary.ending = TrainSummary::Ending::early_stop;
  summary.epochs_done = 7;
  summary.best_epoch = 5;
  summary.best_valid = Scores{0.5, 0, 0, 0};
  run.write_summary(summary, model_.card, 1234);
  const auto json = nlohmann::json::parse(read_bytes(path() / "summary.json"));
  EXPECT_EQ(json["ending"], "early_stop");
  EXPECT_EQ(json["epochs_done"], 7);
  EXPECT_EQ(json["best_epoch"], 5);
  EXPECT_EQ(json["best_valid"]["mrr"], 0.5);
  EXPECT_EQ(json["parameters"], 1234);
  EXPECT_EQ(json["model"], "bsca");
}

TEST_F(CheckpointRun, ASummaryIsReadAsItWasWritten) {
  const auto run = made();
  EXPECT_FALSE(run.read_summary());
  TrainSummary summary{.ending = TrainSummary::Ending::interrupted,
                       .epochs_done = 7,
                       .best_epoch = 5,
                       .best_valid = Scores{0.5, 0.25, 0.125, 1},
                       .loss = 3.5,
                       .seconds = 12.25,
                       .peak_memory = 1U << 30U,
                       .data_fingerprint = "abc",
                       .engine = "cpu"};
  run.write_summary(summary, model_.card, 1234);
  const auto back = run.read_summary();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->ending, summary.ending);
  EXPECT_EQ(back->epochs_done, 7);
  EXPECT_EQ(back->best_epoch, 5);
  EXPECT_EQ(back->best_valid->hits3, 0.125);
  EXPECT_EQ(back->loss, 3.5);
  EXPECT_EQ(back->seconds, 12.25);
  EXPECT_EQ(back->peak_memory, 1U << 30U);
  EXPECT_EQ(back->data_fingerprint, "abc");
  EXPECT_EQ(back->engine, "cpu");
  summary.best_valid.reset();
  run.write_summary(summary, model_.card, 1234);
  EXPECT_FALSE(run.read_summary()->best_valid);
}

TEST_F(CheckpointRun, ADamagedSummaryIsNone) {
  const auto run = made();
  for (const auto* text : {"", "{", "[]", "{}", "null", R"({"ending": 3})", R"({"ending": "x"})",
                           R"({"ending": "finished", "epochs_done": "many"})"}) {
    std::ofstream(path() / "summary.json") << text;
    EXPECT_FALSE(run.read_summary()) << text;
  }
}

}  // namespace
}  // namespace orrery
