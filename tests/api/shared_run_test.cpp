// Several processes train one model: threads stand for them, which talk as processes do.
#include <gtest/gtest.h>

#include <mutex>

#include "api/small_runs.h"
#include "base/thread_group.h"
#include "orrery/error.h"
#include "orrery/train.h"

namespace orrery::testing {
namespace {

class SharedRuns : public SmallRuns {
 protected:
  void train_by(int processes, const std::string& run, const TrainOptions& options) const {
    run_as_threads(processes, [&](Communicator&) { train_run(options, scratch_.path() / run); });
  }
  void resume_by(int processes, const std::string& run) const {
    run_as_threads(processes, [&](Communicator&) { resume_run(scratch_.path() / run); });
  }
  // What every process throws.
  std::vector<std::string> failures_of(int processes,
                                       const std::function<void(Communicator&)>& body) const {
    std::vector<std::string> failures(static_cast<std::size_t>(processes));
    run_as_threads(processes, [&](Communicator& others) {
      try {
        body(others);
      } catch (const Error& error) {
        failures[static_cast<std::size_t>(others.rank())] = error.what();
      }
    });
    return failures;
  }
  TrainOptions validated_options() const {
    TrainOptions wanted = rich_options();
    wanted.history = "gap";
    return wanted;
  }
  // Rounding differs with the parts of a sum, and Adagrad's first steps make more of it.
  void expect_same_curve(const std::string& run, const std::string& wanted) const {
    const auto found = metrics(run), other = metrics(wanted);
    ASSERT_EQ(found.size(), other.size()) << run;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double loss = other[i].at("loss");
      EXPECT_NEAR(found[i].at("loss").get<double>(), loss, 2e-4 * loss) << run << " " << i;
      EXPECT_NEAR(found[i].at("valid").at("mrr").get<double>(),
                  other[i].at("valid").at("mrr").get<double>(), 0.02)
          << run << " " << i;
    }
  }
};

TEST_F(SharedRuns, AnyNumberOfProcessesLearnsTheSame) {
  const TrainOptions wanted = validated_options();
  train_run(wanted, at("alone"));
  for (const int processes : {1, 2, 3, 4}) {
    const std::string run = std::to_string(processes);
    train_by(processes, run, wanted);
    expect_same_curve(run, "alone");
    EXPECT_EQ(names_in(run), names_in("alone"));
    EXPECT_EQ(read_bytes(at(run) / "config.toml"), read_bytes(at("alone") / "config.toml"));
    EXPECT_NEAR(evaluate_run(at(run)).pessimistic.mrr, evaluate_run(at("alone")).pessimistic.mrr,
                0.02);
  }
  expect_same_run("1", "alone");
}

TEST_F(SharedRuns, TheSameNumberGivesTheSameBytes) {
  train_by(3, "a", validated_options());
  train_by(3, "b", validated_options());
  expect_same_run("a", "b");
}

TEST_F(SharedRuns, AnyOfThemMayStopItAndAnyNumberGoesOn) {
  const TrainOptions wanted = validated_options();
  train_by(3, "peace", wanted);
  for (const int processes : {3, 1, 2, 4}) {
    const std::string run = "stopped" + std::to_string(processes);
    run_as_threads(3, [&](Communicator& others) {
      StopAfter never, soon(12);
      StopAfter& observer = others.rank() == 1 ? soon : never;
      const TrainSummary summary = train_run(wanted, at(run), &observer);
      EXPECT_EQ(summary.ending, TrainSummary::Ending::interrupted);
      EXPECT_EQ(observer.epochs.empty(), !others.leads());  // the leader alone is told
    });
    resume_by(processes, run);
    if (processes == 3)
      expect_same_run(run, "peace");
    else
      expect_same_curve(run, "peace");
  }
}

// Without validation the last embeddings are the model.
TEST_F(SharedRuns, InMemoryEveryProcessHasTheModel) {
  for (const bool validates : {false, true}) {
    TrainOptions wanted = validates ? validated_options() : options();
    const Dataset data = Dataset::open(wanted.data, data_options(wanted));
    std::mutex mutex;
    std::vector<double> scores;
    run_as_threads(3, [&](Communicator&) {
      const Model model = train(data, wanted);
      const double mrr = evaluate(model, data).pessimistic.mrr;
      const std::lock_guard lock(mutex);
      scores.push_back(mrr);
    });
    const double alone = evaluate(train(data, wanted), data).pessimistic.mrr;
    for (const double mrr : scores) {
      EXPECT_EQ(mrr, scores[0]);
      EXPECT_NEAR(mrr, alone, 0.02);
    }
  }
}

TEST_F(SharedRuns, WithAdamAndLifetimes) {
  TrainOptions wanted = validated_options();
  wanted.history = "lifetime";
  wanted.optimizer = "adam";
  wanted.lr = 0.01;
  train_run(wanted, at("alone"));
  train_by(3, "shared", wanted);
  expect_same_curve("shared", "alone");
  run_as_threads(3, [&](Communicator&) {
    StopAfter soon(12);
    train_run(wanted, at("stopped"), &soon);
  });
  resume_by(3, "stopped");
  expect_same_run("stopped", "shared");
}

TEST_F(SharedRuns, StartsFromAModelThatTheLeaderReads) {
  train_run(options(), at("before"));
  TrainOptions wanted = options();
  wanted.from = at("before").string();
  wanted.eval_every = 1;
  train_run(wanted, at("alone"));
  train_by(3, "shared", wanted);
  expect_same_curve("shared", "alone");
}

TEST_F(SharedRuns, OtherOptionsAreRefusedByRank) {
  for (const std::string& failure : failures_of(3, [&](Communicator& others) {
         TrainOptions wanted = options();
         wanted.lr = others.rank() == 2 ? 0.3 : 0.1;
         train_run(wanted, at("run"));
       }))
    EXPECT_EQ(failure,
              "rank 2 of 3 was started with --lr = 0.3, and the leader with 0.1; start all with "
              "the same options");
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(SharedRuns, OtherFactsAreRefusedByRank) {
  write_world("other", false);
  scratch_.write("other/train.txt", world_lines(3, 220, false));
  for (const std::string& failure : failures_of(2, [&](Communicator& others) {
         TrainOptions wanted = options();
         if (!others.leads()) wanted.data = at("other").string();
         train_run(wanted, at("run"));
       }))
    EXPECT_TRUE(failure.starts_with("rank 1 of 2 has another data set (")) << failure;
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(SharedRuns, WhatTheLeaderRefusesIsRefusedByAll) {
  train_by(2, "run", options());
  for (const std::string& failure :
       failures_of(2, [&](Communicator&) { train_run(options(), at("run")); }))
    EXPECT_NE(failure.find("already holds a run"), std::string::npos) << failure;
  for (const std::string& failure : failures_of(2, [&](Communicator&) {
         resume_run(at("run"), {{"dim", "32"}});
       }))
    EXPECT_NE(failure.find("--dim cannot be changed"), std::string::npos) << failure;
  for (const std::string& failure : failures_of(2, [&](Communicator& others) {
         resume_run(at("run"), {{"epochs", others.leads() ? "5" : "6"}});
       }))
    EXPECT_EQ(failure,
              "rank 1 of 2 has another change of options (epochs = 6; the leader epochs = 5); "
              "start all with the same");
}

// As a disk that is full when the run is saved.
TEST_F(SharedRuns, ALastSaveThatFailsEndsAll) {
  class RemovesTheRun : public TrainObserver {
   public:
    explicit RemovesTheRun(std::filesystem::path run) : run_(std::move(run)) {}
    void on_epoch(const EpochReport&) override { std::filesystem::remove_all(run_); }

   private:
    std::filesystem::path run_;
  };
  for (const std::string& failure : failures_of(3, [&](Communicator&) {
         RemovesTheRun observer(at("run"));
         train_run(options(), at("run"), &observer);
       }))
    EXPECT_NE(failure.find("was moved, removed or replaced"), std::string::npos) << failure;
}

TEST_F(SharedRuns, ADivergedModelEndsAll) {
  TrainOptions wanted = options();
  wanted.lr = 100;
  wanted.init_scale = 10;
  wanted.exponent = 8;
  for (const std::string& failure :
       failures_of(2, [&](Communicator&) { train_run(wanted, at("run")); }))
    EXPECT_NE(failure.find("the loss is not a finite number"), std::string::npos) << failure;
}

TEST_F(SharedRuns, ASweepsRunsAreNotShared) {
  for (const std::string& failure : failures_of(2, [&](Communicator&) {
         const Dataset data = Dataset::open(options().data, data_options(options()));
         Run::begin_or_resume(at("run"), {.options = options()}, data);
       }))
    EXPECT_NE(failure.find("no comparison or sweep"), std::string::npos) << failure;
}

}  // namespace
}  // namespace orrery::testing
