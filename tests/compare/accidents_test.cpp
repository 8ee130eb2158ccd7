// Runs to which something happens: others in their directory, no room, damage, Ctrl-C at odd times.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <barrier>
#include <mutex>
#include <thread>

#include "api/small_runs.h"
#include "base/directory_lock.h"
#include "data/filter_index.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "judge/judge.h"
#include "learn/run_lifecycle.h"
#include "learn/run_saver.h"
#include "learn/trainer.h"
#include "orrery/compare.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;
using Ending = TrainSummary::Ending;

class Accidents : public testing::SmallRuns {
 protected:
  // What so many threads, let go at once, were refused with.
  template <class Work>
  static std::vector<std::string> refusals_of(int threads, const Work& work) {
    std::barrier start(threads);
    std::mutex mutex;
    std::vector<std::string> refusals;
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
      running.emplace_back([&] {
        start.arrive_and_wait();
        try {
          work();
        } catch (const Error& error) {
          const std::lock_guard lock(mutex);
          EXPECT_EQ(error.kind(), Error::Kind::request);
          refusals.emplace_back(error.what());
        }
      });
    for (auto& thread : running) thread.join();
    return refusals;
  }
  CompareOptions one_model() const {
    TrainOptions base = options();
    base.eval_every = 2;
    CompareOptions compared;
    compared.models.push_back(compared_model("complex", base));
    return compared;
  }
};

TEST_F(Accidents, OfSeveralTrainingsInOneDirectoryOneIsLetIn) {
  train_run(rich_options(), at("alone"));
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove_all(at("run"));
    const auto refusals = refusals_of(4, [&] { train_run(rich_options(), at("run")); });
    EXPECT_EQ(refusals.size(), 3U);
    for (const std::string& message : refusals)
      EXPECT_TRUE(contains(message, "another process is at work here") ||
                  contains(message, "already holds a run"))
          << message;
    expect_same_run("alone", "run");
    EXPECT_EQ(names_in("run"), names_in("alone"));
  }
}

TEST_F(Accidents, OfSeveralComparisonsInOneDirectoryOneIsLetIn) {
  const CompareOptions options = one_model();
  const auto refusals = refusals_of(3, [&] { compare(options, at("out")); });
  for (const std::string& message : refusals)
    EXPECT_TRUE(contains(message, "another process is at work here")) << message;
  EXPECT_TRUE(compare(options, at("out")).complete());
  EXPECT_EQ(names_in("out"),
            (std::vector<std::string>{"compare.json", "compare.md", "complex-seed1"}));
}

TEST_F(Accidents, AComparisonDoesNotEvaluateARunThatAnotherHolds) {
  const CompareOptions options = one_model();
  compare(options, at("out"));
  const DirectoryLock somebody(at("out/complex-seed1"));
  EXPECT_TRUE(contains(refused([&] { compare(options, at("out")); }),
                       "complex-seed1: another process is at work here"));
}

TEST_F(Accidents, ARefusedTrainingLeavesNoDirectory) {
  TrainOptions o = options();
  o.data = at("nothing").string();
  EXPECT_FALSE(refused([&] { train_run(o, at("outer/run")); }).empty());
  EXPECT_FALSE(std::filesystem::exists(at("outer")));
  std::filesystem::create_directory(at("empty"));
  EXPECT_FALSE(refused([&] { train_run(o, at("empty")); }).empty());
  EXPECT_TRUE(std::filesystem::exists(at("empty")));
}

TEST_F(Accidents, WhatKilledSavesLeftIsRemoved) {
  StopAfter stop(3);
  train_run(options(), at("run"), &stop);
  scratch_.write("run/.state.safetensors.orrery-1-0.tmp", "half a state");
  resume_run(at("run"));
  train_run(options(), at("whole"));
  EXPECT_EQ(names_in("run"), names_in("whole"));
}

TEST_F(Accidents, LinesOfADirectoryWithoutItsConfigAreNotMixedIn) {
  std::filesystem::create_directory(at("run"));
  scratch_.write("run/metrics.jsonl", "{\"epoch\":7,\"seconds\":1}\n");
  train_run(options(), at("run"));
  EXPECT_EQ(metrics("run").size(), 4U);
}

TEST_F(Accidents, DamagedMetricsAreToldOfAndEachEpochIsThereOnce) {
  class Warned : public StopAfter {
   public:
    void on_warning(const std::string& warning) override { warnings.push_back(warning); }
    std::vector<std::string> warnings;
  };
  train_run(rich_options(), at("whole"));
  StopAfter stop(16);  // in the third epoch
  train_run(rich_options(), at("run"), &stop);
  const std::string lines = read_bytes(at("run") / "metrics.jsonl");
  scratch_.write("run/metrics.jsonl", lines + "{\"epoch\":2,\"seconds\":1,\"valid\":\"good\"}\n" +
                                          lines + "{\"epoch\":");
  Warned warned;
  resume_run(at("run"), {}, &warned);
  expect_same_run("whole", "run");
  ASSERT_EQ(warned.warnings.size(), 1U);
  EXPECT_TRUE(contains(warned.warnings[0], "1 damaged lines of metrics.jsonl were left out"));
}

// While it trains, a file of the run cannot be written for some epochs: a directory is in its
// place.
class Blocked : public TrainObserver {
 public:
  Blocked(std::filesystem::path file, std::int64_t from, std::int64_t until)
      : file_(std::move(file)), from_(from), until_(until) {}
  void on_epoch(const EpochReport& report) override {
    const auto aside = file_.parent_path() / "aside";
    if (report.epoch == from_) {
      if (std::filesystem::exists(file_)) std::filesystem::rename(file_, aside);
      std::filesystem::create_directory(file_);
    }
    if (report.epoch == until_) {
      std::filesystem::remove(file_);
      if (std::filesystem::exists(aside)) std::filesystem::rename(aside, file_);
    }
  }
  void on_warning(const std::string& warning) override { warnings.push_back(warning); }
  std::vector<std::string> warnings;

 private:
  std::filesystem::path file_;
  std::int64_t from_, until_;
};

TEST_F(Accidents, ALastSaveThatFailsIsAnErrorAndTheStateBeforeItIsIntact) {
  train_run(rich_options(), at("whole"));
  StopAfter stop(3);
  train_run(rich_options(), at("run"), &stop);
  const auto file = at("run") / "state.safetensors";
  Blocked observer(file, 2, 99);
  try {
    resume_run(at("run"), {}, &observer);
    ADD_FAILURE();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(contains(message, file.string())) << message;
    EXPECT_TRUE(contains(message, "the state that was saved last is as it was")) << message;
    EXPECT_TRUE(contains(message, "go on with --resume " + at("run").string())) << message;
  }
  std::filesystem::remove(file);
  std::filesystem::rename(at("run") / "aside", file);
  resume_run(at("run"));
  expect_same_run("whole", "run");
}

TEST_F(Accidents, ASaveOnTheWayThatFailsEndsNothing) {
  TrainOptions o = rich_options();
  o.epochs = 5;
  train_run(o, at("whole"));
  const TemporalGraph data = load_facts(o.data, {});
  for (const auto* file :
       {"state.safetensors", "model.safetensors", "summary.json", "metrics.jsonl"}) {
    const std::string name = std::string("run-") + file;
    std::filesystem::create_directory(at(name));
    Blocked observer(at(name) / file, 1, 3);
    const FilterIndex filter(data);
    RunSaver saver(RunDirectory(at(name)), observer, std::chrono::milliseconds(0));
    Trainer trainer(
        o, data, fingerprint(data),
        [&](Engine& engine) -> std::optional<Scores> {
          return judge(engine, data, filter, Split::valid).pessimistic;
        },
        {}, observer, &saver);
    trainer.start_anew();
    EXPECT_EQ(trainer.train().ending, Ending::finished);
    ASSERT_GT(observer.warnings.size(), 0U) << file;
    EXPECT_TRUE(contains(observer.warnings[0], file)) << observer.warnings[0];
    expect_same_run("whole", name);
    EXPECT_EQ(names_in(name), names_in("whole"));
  }
}

TEST_F(Accidents, ARunThatHasDivergedSaysWhatIsLeftOfIt) {
  TrainOptions o = options();
  o.init_scale = 10;
  o.lr = 100;
  o.exponent = 8;
  EXPECT_FALSE(contains(refused([&] { train_run(o, at("unsaved")); }), "what was saved"));
  StopAfter stop(0);
  train_run(o, at("run"), &stop);
  const std::string state = state_bytes("run");
  const std::string message = refused([&] { resume_run(at("run")); });
  EXPECT_TRUE(contains(message, "not a finite number")) << message;
  EXPECT_TRUE(contains(message, "what was saved of this one before can be used")) << message;
  EXPECT_TRUE(state_bytes("run") == state);
}

// More queries than are ranked at a time, so that there is a moment to stop at.
TEST_F(Accidents, AnInterruptedValidationIsDoneAgain) {
  scratch_.write("data/valid.txt", testing::world_lines(220, 4200, false));
  TrainOptions o = rich_options();
  o.epochs = 3;
  o.eval_every = 2;
  train_run(o, at("whole"));
  class StopInValidation : public TrainObserver {
   public:
    explicit StopInValidation(int at) : at_(at) {}
    void on_step(const StepReport& step) override {
      if (step.step == step.steps) validating_ = step.epoch == at_;
    }
    bool stop_requested() override { return validating_; }

   private:
    int at_;
    bool validating_ = false;
  };
  StopInValidation second(2), third(3);
  EXPECT_EQ(train_run(o, at("run"), &second).ending, Ending::interrupted);
  EXPECT_EQ(metrics("run").size(), 1U);
  std::filesystem::remove(at("run") / "summary.json");  // killed before it was written
  EXPECT_EQ(resume_run(at("run"), {}, &third).epochs_done, 2);
  const TrainSummary summary = resume_run(at("run"));
  EXPECT_EQ(summary.ending, Ending::finished);
  EXPECT_EQ(metrics("run").size(), 3U);
  expect_same_run("whole", "run");
}

TEST_F(Accidents, ADamagedBestModelIsNotTakenForTheResult) {
  TrainOptions o = rich_options();
  o.epochs = 4;
  o.eval_every = 1;
  StopAfter stop(20);
  train_run(o, at("run"), &stop);
  const auto file = at("run") / "model.safetensors";
  const std::string whole = read_bytes(file);
  std::string damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  std::ofstream(file, std::ios::binary) << damaged;
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "is damaged"));
  std::ofstream(file, std::ios::binary) << whole;
  EXPECT_EQ(resume_run(at("run")).ending, Ending::finished);
  std::filesystem::remove(file);
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "model.safetensors is gone"));
}

TEST_F(Accidents, AnotherRunsModelIsNotTakenForTheResult) {
  TrainOptions o = rich_options();
  o.epochs = 4;
  o.eval_every = 1;
  StopAfter stop(20);
  train_run(o, at("run"), &stop);
  o.seed += 1;
  train_run(o, at("other"));
  std::filesystem::copy_file(at("other") / "model.safetensors", at("run") / "model.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "is not this run's best model"));
}

// Moved away in mid-training, with another run in its place: that one is not written over.
TEST_F(Accidents, ARunThatWasMovedIsNotSavedOverAnother) {
  class Mover : public TrainObserver {
   public:
    Mover(std::filesystem::path from, std::filesystem::path to)
        : from_(std::move(from)), to_(std::move(to)) {}
    void on_step(const StepReport&) override {
      if (moved_) return;
      std::filesystem::rename(from_, to_);
      std::filesystem::create_directory(from_);
      moved_ = true;
    }

   private:
    std::filesystem::path from_, to_;
    bool moved_ = false;
  };
  Mover mover(at("run"), at("moved"));
  std::string message;
  try {
    train_run(rich_options(), at("run"), &mover);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_TRUE(contains(message, "was moved, removed or replaced")) << message;
  EXPECT_FALSE(std::filesystem::exists(at("run") / "model.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(at("moved") / "config.toml"));
}

TEST_F(Accidents, APipeInPlaceOfAFileIsNotWaitedFor) {
  StopAfter stop(10);
  train_run(rich_options(), at("run"), &stop);
  for (const char* file : {"metrics.jsonl", "failed.txt"}) {
    const auto path = at("run") / file;
    const std::string kept = std::filesystem::exists(path) ? read_bytes(path) : "";
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "is not a regular file")) << file;
    std::filesystem::remove(path);
    if (!kept.empty()) std::ofstream(path, std::ios::binary) << kept;
  }
  EXPECT_EQ(resume_run(at("run")).ending, Ending::finished);
}

TEST_F(Accidents, AnInterruptedEpochCountsAllItsSeconds) {
  StopAfter stop(10);
  const TrainSummary part = train_run(rich_options(), at("run"), &stop);
  EXPECT_GT(part.epoch_seconds, 0);
  const auto file = at("run") / "summary.json";
  auto json = nlohmann::json::parse(read_bytes(file));
  EXPECT_EQ(json["epoch_seconds"], part.epoch_seconds);
  json["epoch_seconds"] = 1e6;
  std::ofstream(file) << json.dump();
  StopAfter rest;
  EXPECT_EQ(resume_run(at("run"), {}, &rest).epoch_seconds, 0);
  ASSERT_EQ(rest.epochs.size(), 3U);
  EXPECT_GT(rest.epochs[0].seconds, 1e6);
  EXPECT_LT(rest.epochs[1].seconds, 1e6);
}

TEST_F(Accidents, AResumedFailureIsForgotten) {
  StopAfter stop(3);
  train_run(options(), at("run"), &stop);
  note_failure(RunDirectory(at("run")), options(), "no memory");
  resume_run(at("run"));
  EXPECT_FALSE(std::filesystem::exists(at("run") / "failed.txt"));
}

}  // namespace
}  // namespace orrery
