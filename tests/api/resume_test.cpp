// An interrupted and resumed run is, to the byte, the run that was never interrupted.
#include <gtest/gtest.h>

#include <array>

#include "api/small_runs.h"
#include "base/directory_lock.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;
using Ending = TrainSummary::Ending;

class Resume : public testing::SmallRuns {
 protected:
  static constexpr int steps_per_epoch = 7;

  // Trains `name`, stopping after so many steps of each sitting, and then to the end.
  TrainSummary train_in_sittings(const TrainOptions& o, const std::string& name,
                                 const std::vector<int>& sittings) const {
    bool begun = false;
    for (const int steps : sittings) {
      StopAfter stop(steps);
      const auto summary = begun ? resume_run(at(name), {}, &stop) : train_run(o, at(name), &stop);
      EXPECT_EQ(summary.ending, Ending::interrupted);
      EXPECT_EQ(stop.done, steps);
      begun = true;
    }
    return resume_run(at(name));
  }
};

TEST_F(Resume, InTheMiddleOfAnEpochAtItsEndAndAgain) {
  for (const bool rich : {false, true}) {
    const TrainOptions o = rich ? rich_options() : options();
    const std::string stem = rich ? "rich" : "plain";
    const TrainSummary whole = train_run(o, at(stem));
    const std::vector<std::vector<int>> plans = {
        {3}, {steps_per_epoch}, {0}, {2 * steps_per_epoch - 1}, {3, 2}, {3, 0, 9, 1}, {1, 6, 7}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const auto name = stem + std::to_string(i);
      const TrainSummary parts = train_in_sittings(o, name, plans[i]);
      expect_same_run(stem, name);
      EXPECT_EQ(parts.ending, whole.ending);
      EXPECT_EQ(parts.loss, whole.loss);
      EXPECT_EQ(parts.best_epoch, whole.best_epoch);
      EXPECT_EQ(parts.data_fingerprint, whole.data_fingerprint);
    }
    ASSERT_EQ(metrics(stem).size(), 4U);
    for (std::size_t e = 0; e < 4; ++e) {
      EXPECT_EQ(metrics(stem)[e]["epoch"], e + 1);
      EXPECT_EQ(metrics(stem)[e]["auxiliary"] > 0, rich);
    }
  }
}

TEST_F(Resume, InBf16WithAnotherNumberOfThreads) {
  TrainOptions o = rich_options();
  o.precision = "bf16";
  train_run(o, at("whole"));
  o.threads = 3;
  train_in_sittings(o, "parts", {5, 6});
  expect_same_run("whole", "parts");
}

// Its steps are corrected by how many there were before.
TEST_F(Resume, WithAdam) {
  TrainOptions o = rich_options();
  o.optimizer = "adam";
  o.lr = 0.01;
  train_run(o, at("whole"));
  train_in_sittings(o, "parts", {3, steps_per_epoch, 1});
  expect_same_run("whole", "parts");
  train_run(rich_options(), at("adagrad"));
  EXPECT_NE(state_bytes("whole").size(), state_bytes("adagrad").size());
  EXPECT_TRUE(contains(refused([&] {
                         resume_run(at("adagrad"), {{"optimizer", "adam"}});
                       }),
                       "--optimizer cannot be changed by --resume"));
}

// At the end of a warm-up components begin that were zero: once, wherever the run was stopped.
TEST_F(Resume, AboutTheEndOfAWarmup) {
  TrainOptions o = options();
  o.model = "telm";
  o.algebra_warmup = 2;
  train_run(o, at("whole"));
  constexpr int end = 2 * steps_per_epoch;
  const std::vector<std::vector<int>> plans = {{end - 1}, {end}, {end, 0}, {end + 1}, {end, 1}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto name = "parts" + std::to_string(i);
    train_in_sittings(o, name, plans[i]);
    expect_same_run("whole", name);
  }
}

TEST_F(Resume, PatienceWaitsForTheEndOfAWarmup) {
  TrainOptions o = options();
  o.model = "telm";
  o.lr = 1;  // overshoots, so that validation gets worse
  o.algebra_warmup = 6;
  o.epochs = 30;
  o.eval_every = 1;
  o.patience = 1;
  const TrainSummary summary = train_run(o, at("whole"));
  EXPECT_EQ(summary.ending, Ending::early_stop);
  EXPECT_GT(summary.epochs_done, 6);
  o.model = "bsca";
  EXPECT_TRUE(contains(refused([&] { train_run(o, at("refused")); }), "--algebra-warmup"));
  EXPECT_FALSE(std::filesystem::exists(at("refused")));
}

// Where training becomes another one, patience begins anew.
TEST_F(Resume, PatienceWaitsForTheTeacher) {
  TrainOptions o = options();
  o.device = "cpu";  // on a GPU validation may get worse at other epochs
  o.lr = 1;          // overshoots, so that validation gets worse
  o.epochs = 30;
  o.eval_every = 1;
  o.patience = 1;
  o.ema = 0.2;
  ASSERT_LT(train_run(o, at("untaught")).epochs_done, 8);
  o.self_distillation = 0.5;
  o.self_distillation_from = 8;
  const TrainSummary summary = train_run(o, at("whole"));
  EXPECT_EQ(summary.ending, Ending::early_stop);
  EXPECT_GT(summary.epochs_done, 8);
  train_in_sittings(o, "parts", {8 * steps_per_epoch, 0, 1});
  expect_same_run("whole", "parts");
}

TEST_F(Resume, InModelsOfEveryKind) {
  for (const std::string model : {"boxte", "de-simple", "hyte", "tuckertnt", "tlt-kge"}) {
    TrainOptions o = options();
    o.model = model;
    o.epochs = 2;
    o.negatives = 5;
    train_run(o, at(model));
    train_in_sittings(o, model + "_parts", {3, 6});
    expect_same_run(model, model + "_parts");
  }
}

TEST_F(Resume, EarlyStoppingIsFoundAgain) {
  TrainOptions o = rich_options();
  o.lr = 1;  // overshoots, so that validation gets worse
  o.epochs = 30;
  o.patience = 2;
  const TrainSummary whole = train_run(o, at("whole"));
  ASSERT_EQ(whole.ending, Ending::early_stop);
  const int steps = static_cast<int>(whole.epochs_done) * steps_per_epoch;
  const TrainSummary parts = train_in_sittings(o, "parts", {steps - 10, 4});
  EXPECT_EQ(parts.ending, Ending::early_stop);
  EXPECT_EQ(parts.epochs_done, whole.epochs_done);
  expect_same_run("whole", "parts");
}

TEST_F(Resume, AFinishedRunIsLeftAsItIs) {
  train_run(rich_options(), at("run"));
  const std::string model = model_bytes("run"), state = state_bytes("run");
  const auto lines = metrics("run");
  StopAfter nothing;
  const TrainSummary again = resume_run(at("run"), {}, &nothing);
  EXPECT_EQ(again.ending, Ending::finished);
  EXPECT_EQ(again.epochs_done, 4);
  EXPECT_EQ(nothing.done, 0);
  EXPECT_TRUE(again.was_finished);
  EXPECT_TRUE(model_bytes("run") == model);
  EXPECT_TRUE(state_bytes("run") == state);
  EXPECT_EQ(metrics("run"), lines);
}

TEST_F(Resume, MoreEpochsGoOnAsIfTheyHadAlwaysBeenWanted) {
  for (const bool rich : {false, true}) {
    TrainOptions o = rich ? rich_options() : options();
    const std::string stem = rich ? "rich" : "plain";
    o.epochs = 6;
    o.self_distillation_from = 3;
    train_run(o, at(stem));
    o.epochs = 2;
    train_run(o, at(stem + "-longer"));
    EXPECT_EQ(resume_run(at(stem + "-longer"), {{"epochs", "6"}}).epochs_done, 6);
    expect_same_run(stem, stem + "-longer");
    EXPECT_TRUE(contains(testing::read_bytes(at(stem + "-longer") / "config.toml"), "epochs = 6"));
  }
}

TEST_F(Resume, OtherDataIsRefusedAndTheRunUnharmed) {
  StopAfter stop(9);
  train_run(options(), at("run"), &stop);
  const std::string state = state_bytes("run");
  scratch_.write("data/train.txt", testing::world_lines(0, 219, false));
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "the data is not what"));
  EXPECT_TRUE(state_bytes("run") == state);
  scratch_.write("data/train.txt", testing::world_lines(0, 220, false));
  EXPECT_EQ(resume_run(at("run")).ending, Ending::finished);
}

TEST_F(Resume, WhatIsLostIsRefused) {
  EXPECT_TRUE(contains(refused([&] { resume_run(at("nothing")); }), "holds no run"));
  StopAfter stop(3);
  train_run(rich_options(), at("run"), &stop);
  std::filesystem::remove_all(at("data"));
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "data"));
}

// What is finished needs nothing any more but to say so.
TEST_F(Resume, AFinishedRunNeedsItsDataOnlyToGoOn) {
  train_run(options(), at("run"));
  std::filesystem::remove_all(at("data"));
  EXPECT_TRUE(resume_run(at("run")).was_finished);
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run"), {{"epochs", "6"}}); }), "data"));
}

TEST_F(Resume, WithoutTheBestRowsItIsRefused) {
  StopAfter stop(9);
  train_run(rich_options(), at("run"), &stop);
  std::filesystem::remove(at("run") / "model.safetensors");
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "model.safetensors is gone"));
}

TEST_F(Resume, ARunThatSavedNothingStartsAnew) {
  train_run(rich_options(), at("whole"));
  std::filesystem::create_directories(at("run"));
  std::filesystem::copy_file(at("whole") / "config.toml", at("run") / "config.toml");
  resume_run(at("run"));
  expect_same_run("whole", "run");
}

TEST_F(Resume, FewerEpochsThanAreDoneAreRefusedAndNothingIsRewritten) {
  train_run(options(), at("run"));
  const std::string config = testing::read_bytes(at("run") / "config.toml");
  EXPECT_TRUE(contains(refused([&] {
                         resume_run(at("run"), {{"epochs", "1"}});
                       }),
                       "has done 4 epochs"));
  EXPECT_EQ(testing::read_bytes(at("run") / "config.toml"), config);
}

TEST_F(Resume, DataMayMoveAndThreadsMayChange) {
  TrainOptions o = options();
  o.device = "cpu";
  train_run(o, at("whole"));
  StopAfter stop(9);
  train_run(o, at("run"), &stop);
  std::filesystem::rename(at("data"), at("moved"));
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "data"));
  resume_run(at("run"), {{"data", at("moved").string()}, {"threads", "3"}, {"memory", "64M"}});
  expect_same_run("whole", "run");
}

TEST_F(Resume, OneProcessAtATimeWorksInARun) {
  StopAfter stop(3);
  train_run(options(), at("run"), &stop);
  const DirectoryLock somebody(at("run"));
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "another process"));
}

// A crash may leave epochs in metrics.jsonl that the state does not know of.
TEST_F(Resume, EpochsBeyondTheSavedStateAreDoneAgainAndStandOnce) {
  train_run(rich_options(), at("whole"));
  StopAfter stop(10);
  train_run(rich_options(), at("run"), &stop);
  std::ofstream(at("run") / "metrics.jsonl", std::ios::app) << R"({"epoch":2,"loss":9,"seconds":1})"
                                                            << "\n"
                                                            << R"({"epoch":3,"lo)";
  resume_run(at("run"));
  expect_same_run("whole", "run");
}

// Validations, saves and a part of an epoch are in no line of the metrics.
TEST_F(Resume, AllTimeSpentIsCounted) {
  StopAfter stop(10);
  const TrainSummary part = train_run(rich_options(), at("run"), &stop);
  EXPECT_GT(part.seconds, stop.epochs.at(0).seconds);
  const auto file = at("run") / "summary.json";
  auto json = nlohmann::json::parse(testing::read_bytes(file));
  EXPECT_EQ(json["seconds"], part.seconds);
  json["seconds"] = 1e6;
  std::ofstream(file) << json.dump();
  EXPECT_GT(resume_run(at("run")).seconds, 1e6);
  // Of a run whose summary is lost the epochs are known.
  std::filesystem::remove(file);
  const TrainSummary again = resume_run(at("run"));
  EXPECT_LT(again.seconds, 1e6);
  EXPECT_GT(again.seconds, stop.epochs.at(0).seconds);
}

TEST_F(Resume, AnEditedConfigIsRefusedOrTakenAsTheCommandLineWouldBe) {
  train_run(options(), at("whole"));
  StopAfter stop(3);
  train_run(options(), at("run"), &stop);
  const std::string good = testing::read_bytes(at("run") / "config.toml");
  const auto edit = [&](const std::string& from, const std::string& to) {
    std::string config = good;
    config.replace(config.find(from), from.size(), to);
    scratch_.write("run/config.toml", config);
  };
  for (const auto& [name, was, is] : std::vector<std::array<std::string, 3>>{
           {"lr", "0.1", "0.2"}, {"seed", "1", "2"}, {"batch", "67", "66"}, {"dim", "16", "24"}}) {
    edit(fmt::format("\n{} = {}\n", name, was), fmt::format("\n{} = {}\n", name, is));
    EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }),
                         fmt::format("config.toml says {0} = {1}, and the run was trained with "
                                     "{0} = {2}; set it back, or start a new run with --config",
                                     name, is, was)));
  }
  edit("threads = 1", "threads = 2");
  resume_run(at("run"));
  expect_same_run("whole", "run");
}

TEST_F(Resume, OnlyWhatDecidesNoResultMayChange) {
  StopAfter stop(3);
  train_run(options(), at("run"), &stop);
  EXPECT_TRUE(
      contains(refused([&] {
                 resume_run(at("run"), {{"lr", "0.2"}});
               }),
               "--lr cannot be changed by --resume (it is 0.1); --data, --epochs, --device, "
               "--threads, --memory and --exchange can"));
  EXPECT_EQ(resume_run(at("run"), {{"lr", "0.1"}}).epochs_done, 4);
}

}  // namespace
}  // namespace orrery
