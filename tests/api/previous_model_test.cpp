// A model and its state are two files, and a kill may come between their saves.
#include <gtest/gtest.h>

#include <fstream>

#include "api/small_runs.h"
#include "learn/run_directory.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;
using Ending = TrainSummary::Ending;

class PreviousModel : public testing::SmallRuns {};

// Killed after a better model was saved, and before the state that speaks of it was.
TEST_F(PreviousModel, AKillBetweenModelAndStateLosesNothing) {
  TrainOptions o = rich_options();
  o.epochs = 6;
  o.eval_every = 1;
  train_run(o, at("whole"));
  StopAfter early(12), late(12);
  train_run(o, at("run"), &early);
  const auto model = at("run") / "model.safetensors", state = at("run") / "state.safetensors";
  const std::string early_model = read_bytes(model), early_state = read_bytes(state);
  resume_run(at("run"), {}, &late);
  ASSERT_NE(read_bytes(model), early_model);
  std::ofstream(state, std::ios::binary) << early_state;
  EXPECT_TRUE(contains(refused([&] { resume_run(at("run")); }), "is not this run's best model"));
  std::ofstream(at("run") / "previous.safetensors", std::ios::binary) << early_model;
  EXPECT_EQ(resume_run(at("run")).ending, Ending::finished);
  expect_same_run("whole", "run");
  EXPECT_EQ(names_in("run"), names_in("whole"));
}

// State after state could not be saved: the model of the last one that was is still there.
TEST_F(PreviousModel, ModelsOfUnsavedStatesDoNotReplaceThatOfTheLastState) {
  TrainOptions o = rich_options();
  o.epochs = 4;
  o.eval_every = 1;
  StopAfter stop(12);
  train_run(o, at("run"), &stop);
  const RunDirectory run(at("run"));
  const std::string saved = read_bytes(run.model_file());
  for (const auto* later : {"a better one", "an even better one"}) {
    run.keep_previous_model();
    std::filesystem::remove(run.model_file());  // as a save does: a new file of that name
    std::ofstream(run.model_file(), std::ios::binary) << later;
  }
  EXPECT_EQ(read_bytes(at("run") / "previous.safetensors"), saved);
}

}  // namespace
}  // namespace orrery
