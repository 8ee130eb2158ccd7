#include "learn/run_lifecycle.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"
#include "learn/options.h"
#include "learn/small_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::SmallModel;
using Ending = TrainSummary::Ending;

class Lifecycle : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return scratch_.path() / "run"; }
  RunDirectory run() const { return RunDirectory(path()); }
  void SetUp() override {
    std::filesystem::create_directory(path());
    options_ = model_.header.options;
    options_.epochs = 4;
  }

  // As a training of four epochs leaves it.
  void save(std::int64_t epochs_done, Ending ending) const {
    RunProgress progress;
    progress.epoch = epochs_done + 1;
    run().write_config(options_);
    model_.write_to(run().model_file());
    run().save_state(*model_.engine, progress, "print", shaping_options_to_toml(options_));
    TrainSummary summary;
    summary.ending = ending;
    summary.epochs_done = epochs_done;
    summary.data_fingerprint = "print";
    run().write_summary(summary, model_.header.options, 1);
  }
  RunStatus status(const TrainOptions& wanted, bool of_this_length = false,
                   const std::string& fingerprint = {}) const {
    return status_of(run(), {.options = wanted,
                             .of_this_length = of_this_length,
                             .otherwise = "do otherwise",
                             .data_fingerprint = fingerprint});
  }
  RunStage stage(const TrainOptions& wanted) const { return status(wanted).stage; }
  std::string refusal(const TrainOptions& wanted) const {
    const Error error = caught([&] { status(wanted); });
    EXPECT_TRUE(error.place().file.starts_with(path().string())) << error.what();
    return error.what();
  }
  void edit_config(const std::string& from, const std::string& to) const {
    std::string text = read_bytes(path() / "config.toml");
    text.replace(text.find(from), from.size(), to);
    scratch_.write("run/config.toml", text);
  }

  testing::ScratchDirectory scratch_;
  SmallModel model_;
  TrainOptions options_;
};

TEST_F(Lifecycle, AnEmptyDirectoryIsFreshAndSoIsOneThatIsNotThere) {
  EXPECT_EQ(stage(options_), RunStage::fresh);
  std::filesystem::remove(path());
  EXPECT_EQ(stage(options_), RunStage::fresh);
}

TEST_F(Lifecycle, WhatIsNoRunIsRefused) {
  scratch_.write("run/sweep.toml", "search = \"grid\"");
  EXPECT_TRUE(contains(refusal(options_), "holds a sweep"));
  std::filesystem::remove_all(path());
  scratch_.write("run", "text");
  EXPECT_TRUE(contains(refusal(options_), "is a file"));
}

TEST_F(Lifecycle, RowsWithoutTheirConfigAreNotOverwritten) {
  save(2, Ending::interrupted);
  std::filesystem::remove(path() / "config.toml");
  EXPECT_TRUE(contains(refusal(options_), "state.safetensors of a run without its config.toml"));
  EXPECT_TRUE(contains(refused([&] { config_of(run()); }), "bring it back"));
}

TEST_F(Lifecycle, ARunThatHoldsOneIsNotFree) {
  EXPECT_NO_THROW(require_free_directory(path()));
  run().write_config(options_);
  const Error error = caught([&] { require_free_directory(path()); });
  EXPECT_EQ(error.option(), "out");
  EXPECT_EQ(error.place(), Place{path().string()});
  EXPECT_EQ(error.message(), "already holds a run");
  EXPECT_TRUE(contains(error.advice(), "--resume")) << error.what();
}

TEST_F(Lifecycle, ARunGoesFromBegunToFinished) {
  run().write_config(options_);
  EXPECT_EQ(stage(options_), RunStage::resumable);
  EXPECT_FALSE(status(options_).summary);
  save(2, Ending::interrupted);
  EXPECT_EQ(stage(options_), RunStage::resumable);
  save(4, Ending::finished);
  EXPECT_EQ(stage(options_), RunStage::finished);
  EXPECT_EQ(status(options_).summary->epochs_done, 4);
}

TEST_F(Lifecycle, AFinishedRunMayGoOnFurtherButNotBack) {
  save(4, Ending::finished);
  TrainOptions other = options_;
  other.epochs = 6;
  EXPECT_EQ(stage(other), RunStage::resumable);
  const Error further = caught([&] { status(other, true); });
  EXPECT_EQ(further.option(), "epochs");
  EXPECT_EQ(further.message(), "holds a run with epochs = 4, and now it is to be 6");
  EXPECT_EQ(further.advice(), "do otherwise");
  other.epochs = 3;
  EXPECT_TRUE(contains(refusal(other), "has done 4 epochs already, and --epochs 3 is less"));
  save(2, Ending::early_stop);
  other.epochs = 6;
  EXPECT_EQ(stage(other), RunStage::finished);
}

TEST_F(Lifecycle, AnotherRunIsRefusedByWhatDiffers) {
  save(2, Ending::interrupted);
  TrainOptions other = options_;
  other.device = "cpu";
  other.data = "/elsewhere";
  other.memory = "1G";
  other.threads = 3;
  EXPECT_EQ(status(other, true).stage, RunStage::resumable);
  other.lr = 0.25;
  EXPECT_TRUE(
      contains(refusal(other), "holds a run with lr = 0.1, and now it is to be 0.25; do other"));
  EXPECT_EQ(status(options_, false, "print").stage, RunStage::resumable);
  const Error on_others = caught([&] { status(options_, false, "another"); });
  EXPECT_EQ(on_others.option(), "data");
  EXPECT_EQ(on_others.message(), "holds a run on other facts (fingerprint print, now another)");
}

// config.toml is for people to read; what was trained is what the state says.
TEST_F(Lifecycle, AnEditedConfigIsRefusedByWhatDiffers) {
  save(2, Ending::interrupted);
  edit_config("lr = 0.1", "lr = 0.2");
  edit_config("seed = 1", "seed = 7");
  const std::string message = refusal(run().read_config());
  EXPECT_TRUE(contains(message,
                       "config.toml says lr = 0.2, seed = 7, and the run was trained with lr = "
                       "0.1, seed = 1; set it back, or do otherwise"))
      << message;
  // Also where the run that is wanted is the one that was trained.
  EXPECT_TRUE(contains(refusal(options_), "config.toml says lr = 0.2"));
  edit_config("lr = 0.2", "lr = 0.1");
  edit_config("seed = 7", "seed = 1");
  edit_config("epochs = 4", "epochs = 9");
  edit_config("threads = 1", "threads = 2");
  EXPECT_EQ(stage(run().read_config()), RunStage::resumable);
}

// Else its scores could be shown under options that it never had.
TEST_F(Lifecycle, AnEditedConfigOfAFinishedRunIsRefusedToo) {
  save(4, Ending::finished);
  edit_config("lr = 0.1", "lr = 0.2");
  const TrainOptions edited = run().read_config();
  EXPECT_TRUE(contains(refusal(edited), "config.toml says lr = 0.2"));
  run().discard_rows();
  EXPECT_TRUE(contains(refusal(edited), "config.toml says lr = 0.2"));
  edit_config("lr = 0.2", "lr = 0.1");
  EXPECT_EQ(stage(options_), RunStage::finished);
}

TEST_F(Lifecycle, ALostStateIsNotTakenForABeginning) {
  save(2, Ending::interrupted);
  std::filesystem::remove(run().state_file());
  EXPECT_TRUE(contains(refusal(options_), "state.safetensors is gone"));
  scratch_.write("run/summary.json", "damaged");
  EXPECT_TRUE(contains(refusal(options_), "state.safetensors is gone"));
}

TEST_F(Lifecycle, AFailureKnowsTheMemoryItFailedWith) {
  TrainOptions tried = options_;
  for (const char* memory : {"1M", "1200K"}) {
    tried.memory = memory;
    note_failure(run(), tried, std::string("does not fit ") + memory);
    const RunStatus found = status(tried);
    EXPECT_EQ(found.stage, RunStage::failed);
    EXPECT_EQ(found.failure, std::string("does not fit ") + memory);
  }
  tried.memory = "1M";
  EXPECT_EQ(stage(tried), RunStage::resumable);
}

TEST_F(Lifecycle, BeforeAnythingIsSavedTheConfigIsAllThereIs) {
  run().write_config(options_);
  edit_config("lr = 0.1", "lr = 0.2");
  EXPECT_EQ(stage(run().read_config()), RunStage::resumable);
}

TEST_F(Lifecycle, AStateThatDoesNotSayIsAskedThroughItsModel) {
  save(2, Ending::interrupted);
  const SafetensorsFile file(run().state_file());
  Metadata metadata = file.metadata();
  metadata.erase("options");
  metadata["format"] = "orrery-state 1";
  auto tensors = file.tensors();
  std::erase_if(tensors, [](const TensorView& tensor) { return tensor.name == "checksums"; });
  write_safetensors(run().state_file(), tensors, metadata);
  EXPECT_EQ(stage(options_), RunStage::resumable);
  edit_config("lr = 0.1", "lr = 0.2");
  EXPECT_TRUE(contains(refusal(run().read_config()), "config.toml says lr = 0.2"));
  std::filesystem::remove(run().model_file());
  EXPECT_TRUE(contains(refusal(run().read_config()), "config.toml says lr = 0.2"));  // the summary
  std::filesystem::remove(path() / "summary.json");
  EXPECT_EQ(stage(run().read_config()), RunStage::resumable);
}

TEST_F(Lifecycle, ADamagedStateSaysSoAndNotThatTheConfigWasEdited) {
  save(2, Ending::interrupted);
  std::string bytes = read_bytes(run().state_file());
  const auto at = bytes.find("lr = 0.1");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 7] = '3';
  scratch_.write("run/state.safetensors", bytes);
  EXPECT_TRUE(contains(refusal(options_), "damaged"));
}

TEST_F(Lifecycle, AnUnreadableConfigIsNamedAndTheStateIsNotToBlame) {
  save(2, Ending::interrupted);
  edit_config("lr = 0.1", "lr = fast");
  const Error error = caught([&] { status(options_); });
  EXPECT_EQ(error.option(), "lr");
  EXPECT_EQ(error.place().file, (path() / "config.toml").string());
  EXPECT_GT(error.place().line, 0U);
  EXPECT_TRUE(contains(error.message(), "lr = fast")) << error.what();
  EXPECT_TRUE(contains(error.advice(), "what was saved of the run is as it was: mend"));
  std::filesystem::remove(run().state_file());
  EXPECT_FALSE(contains(refusal(options_), "what was saved"));
}

TEST_F(Lifecycle, WithoutItsStateNothingGoesOn) {
  save(4, Ending::finished);
  run().discard_rows();
  EXPECT_EQ(stage(options_), RunStage::finished);
  TrainOptions further = options_;
  further.epochs = 6;
  EXPECT_TRUE(contains(refusal(further), "state.safetensors is gone"));
}

TEST_F(Lifecycle, AFailureIsOfOneDeviceAndMemory) {
  note_failure(run(), options_, "too wide");
  EXPECT_EQ(stage(options_), RunStage::failed);
  EXPECT_EQ(status(options_).failure, "too wide");
  TrainOptions other = options_;
  other.memory = "64G";
  EXPECT_EQ(stage(other), RunStage::resumable);
  forget_failure(run());
  EXPECT_EQ(stage(options_), RunStage::resumable);
  EXPECT_NO_THROW(forget_failure(run()));
}

TEST_F(Lifecycle, ADamagedFailureIsAFailureAllTheSame) {
  run().write_config(options_);
  scratch_.write("run/failed.txt", "");
  EXPECT_EQ(status(options_).failure, "failed.txt does not say why");
  scratch_.write("run/failed.txt", std::string("\0\xff\n\n\n", 5));
  EXPECT_EQ(stage(options_), RunStage::failed);
  std::filesystem::remove(path() / "failed.txt");
  std::filesystem::create_directory(path() / "failed.txt");
  EXPECT_TRUE(contains(refusal(options_), "failed.txt: is not a regular file"));
}

TEST_F(Lifecycle, WhatMayChangeIsSaidByTheTable) {
  EXPECT_EQ(Error(Error::Kind::request, options_of_resume()).message(),
            "--data, --epochs, --device, --threads, --memory and --exchange");
}

}  // namespace
}  // namespace orrery
