#include "learn/run_directory.h"

#include <gtest/gtest.h>

#include <limits>
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
  std::filesystem::path state() const { return path() / "state.safetensors"; }

  RunDirectory made() const {
    const auto run = RunDirectory::create(path());
    run.write_config(model_.card.options);
    return run;
  }

  void put_progress(const std::string& progress) const {
    const SafetensorsFile file(state());
    Metadata metadata = file.metadata();
    metadata["progress"] = progress;
    write_safetensors(state(), file.tensors(), metadata);
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

TEST_F(CheckpointRun, ProgressAndRowsComeBackToTheBit) {
  const auto run = made();
  RunProgress progress;
  progress.epoch = 41;
  progress.step = 3;
  progress.sums = {1.0 / 3, 1e-300, 0x1.fffffffffffffp+1023, 1.0 / 7, 3};
  progress.best_epoch = 40;
  progress.best = Scores{0.1, 0.2 + 0.1, 5e-324, 1};
  progress.since_best = 1;
  progress.last_loss = 2.0 / 3;
  model_.engine->update_average(0.5);
  run.save_state(*model_.engine, progress, "print");
  const std::string saved = read_bytes(state());

  SmallModel other;
  start_randomly(*other.engine, 99, 1);
  const RunProgress back = run.load_state(*other.engine, "print");
  EXPECT_EQ(back.epoch, 41);
  EXPECT_EQ(back.step, 3);
  EXPECT_EQ(back.sums.cross_entropy, 1.0 / 3);
  EXPECT_EQ(back.sums.n3, 1e-300);
  EXPECT_EQ(back.sums.time, 0x1.fffffffffffffp+1023);
  EXPECT_EQ(back.sums.sides, 1.0 / 7);
  EXPECT_EQ(back.sums.steps, 3);
  EXPECT_EQ(back.best_epoch, 40);
  ASSERT_TRUE(back.best);
  EXPECT_EQ(back.best->hits1, 0.2 + 0.1);
  EXPECT_EQ(back.best->hits3, 5e-324);
  EXPECT_EQ(back.since_best, 1);
  EXPECT_EQ(back.last_loss, 2.0 / 3);
  EXPECT_TRUE(other.engine->has_average());
  run.save_state(*other.engine, back, "print");
  EXPECT_EQ(read_bytes(state()), saved);
}

TEST_F(CheckpointRun, AStateOfOtherDataOrAnotherModelIsRefused) {
  const auto run = made();
  const auto load = [&](Engine& engine, const char* print) {
    return refused([&] { run.load_state(engine, print); });
  };
  EXPECT_FALSE(run.has_state());
  run.save_state(*model_.engine, {}, "a");
  EXPECT_TRUE(run.has_state());
  EXPECT_TRUE(contains(load(*model_.engine, "b"), "the data is not what the run was started with"));
  SmallModel other("tcomplex");
  EXPECT_TRUE(contains(load(*other.engine, "a"), "state.safetensors"));
  model_.write_to(state());
  EXPECT_TRUE(contains(load(*model_.engine, "a"), "format"));
}

TEST_F(CheckpointRun, DamagedProgressIsRefused) {
  const auto run = made();
  run.save_state(*model_.engine, {}, "a");
  const std::string good = SafetensorsFile(state()).require_metadata("progress");
  EXPECT_NO_THROW(run.load_state(*model_.engine, "a"));
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(good);
    json[key] = value;
    return json.dump();
  };
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), good.substr(0, good.size() / 2),
        with("epoch", 0), with("epoch", "one"), with("step", -1), with("step", 5),
        with("sums", nlohmann::json::array({1, 2})), with("last_loss", nullptr), with("best", 3)}) {
    put_progress(bad);
    EXPECT_TRUE(
        contains(refused([&] { run.load_state(*model_.engine, "a"); }), "its progress is damaged"))
        << bad;
  }
}

TEST_F(CheckpointRun, AStateFromBeforeThereWereSideQuestionsIsRead) {
  const auto run = made();
  run.save_state(*model_.engine, {}, "a");
  auto json = nlohmann::json::parse(SafetensorsFile(state()).require_metadata("progress"));
  json["step"] = 7;
  json["sums"] = {1, 2, 3, 7};
  put_progress(json.dump());
  const RunProgress back = run.load_state(*model_.engine, "a");
  EXPECT_EQ(back.sums.time, 3);
  EXPECT_EQ(back.sums.sides, 0);
  EXPECT_EQ(back.sums.steps, 7);
}

TEST_F(CheckpointRun, ACutStateIsRefusedAtEveryLength) {
  const auto run = made();
  run.save_state(*model_.engine, {}, "a");
  const std::string whole = read_bytes(state());
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97) {
    std::filesystem::remove(state());
    std::ofstream(state(), std::ios::binary) << whole.substr(0, length);
    EXPECT_FALSE(refused([&] { run.load_state(*model_.engine, "a"); }).empty());
  }
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
