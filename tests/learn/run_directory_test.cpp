#include "learn/run_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "facts/scratch.h"
#include "learn/metrics_file.h"
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
    std::filesystem::create_directories(path());
    RunDirectory run(path());
    run.write_config(model_.header.options);
    return run;
  }

  testing::ScratchDirectory scratch_;
  SmallModel model_;
};

TEST_F(CheckpointRun, OnlyARunIsOpened) {
  made();
  EXPECT_NO_THROW(RunDirectory::open(path()));
  EXPECT_TRUE(contains(refused([&] { RunDirectory::open(scratch_.path()); }), "holds no run"));
  EXPECT_TRUE(contains(refused([&] { RunDirectory::open("/no/such"); }), "holds no run"));
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

TEST_F(CheckpointRun, TheTimeSpentIsTheSummarysOrThatOfTheEpochs) {
  const auto run = made();
  EXPECT_EQ(run.seconds_spent(), 0);
  for (std::int64_t epoch = 1; epoch <= 3; ++epoch) {
    EpochReport report;
    report.epoch = epoch;
    report.seconds = 0.5;
    run.append_metrics(metrics_line(report));
  }
  EXPECT_EQ(run.seconds_spent(), 1.5);
  TrainSummary summary;
  summary.seconds = 12;  // with validations, saves and a part of an epoch
  run.write_summary(summary, model_.header.options, 1);
  EXPECT_EQ(run.seconds_spent(), 12);
  summary.seconds = 1;  // older than the last epochs
  run.write_summary(summary, model_.header.options, 1);
  EXPECT_EQ(run.seconds_spent(), 1.5);
}

TEST_F(CheckpointRun, TheSummaryIsJson) {
  const auto run = made();
  TrainSummary summary;
  summary.ending = TrainSummary::Ending::early_stop;
  summary.epochs_done = 7;
  summary.best_epoch = 5;
  summary.best_valid = Scores{0.5, 0, 0, 0};
  run.write_summary(summary, model_.header.options, 1234);
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
                       .epoch_seconds = 0.75,
                       .peak_memory = 1U << 30U,
                       .data_fingerprint = "abc",
                       .engine = "cpu"};
  run.write_summary(summary, model_.header.options, 1234);
  const auto back = run.read_summary();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->ending, summary.ending);
  EXPECT_EQ(back->epochs_done, 7);
  EXPECT_EQ(back->best_epoch, 5);
  EXPECT_EQ(back->best_valid->hits3, 0.125);
  EXPECT_EQ(back->loss, 3.5);
  EXPECT_EQ(back->seconds, 12.25);
  EXPECT_EQ(back->epoch_seconds, 0.75);
  EXPECT_EQ(back->peak_memory, 1U << 30U);
  EXPECT_EQ(back->data_fingerprint, "abc");
  EXPECT_EQ(back->engine, "cpu");
  // A metric that an earlier version did not write is unknown; the summary is not damaged.
  auto json = nlohmann::json::parse(read_bytes(path() / "summary.json"));
  json["best_valid"].erase("hits3");
  write_file_atomically(path() / "summary.json", json.dump());
  ASSERT_TRUE(run.read_summary());
  EXPECT_EQ(run.read_summary()->best_valid->mrr, 0.5);
  EXPECT_TRUE(std::isnan(run.read_summary()->best_valid->hits3));
  summary.best_valid.reset();
  run.write_summary(summary, model_.header.options, 1234);
  EXPECT_FALSE(run.read_summary()->best_valid);
}

TEST_F(CheckpointRun, ADamagedSummaryIsNone) {
  const auto run = made();
  const auto file = path() / "summary.json";
  for (const auto* text : {"", "{", "[]", "{}", "null", R"({"ending": 3})", R"({"ending": "x"})"}) {
    std::ofstream(file) << text;
    EXPECT_FALSE(run.read_summary()) << text;
  }
  TrainSummary summary;
  summary.best_valid = Scores{};
  run.write_summary(summary, model_.header.options, 1);
  ASSERT_TRUE(run.read_summary());
  const std::string good = read_bytes(file);
  for (const auto* bad :
       {R"({"epochs_done": "many"})", R"({"epochs_done": 1e300})", R"({"epochs_done": -1})",
        R"({"epochs_done": 18446744073709551615})", R"({"loss": null})", R"({"seconds": []})",
        R"({"peak_memory": -1})", R"({"best_valid": 3})", R"({"best_valid": {"hits1": 1}})",
        R"({"best_epoch": 0.5})", R"({"data_fingerprint": 7})", R"({"epoch_seconds": "1"})"}) {
    auto json = nlohmann::json::parse(good);
    json.update(nlohmann::json::parse(bad));
    std::ofstream(file) << json.dump();
    EXPECT_FALSE(run.read_summary()) << bad;
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_FALSE(run.read_summary());
}

}  // namespace
}  // namespace orrery
