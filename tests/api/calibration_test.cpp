// Calibrated probabilities of trained models: fitted at the end, stored, and measured.
#include "orrery/calibration.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "in_memory.h"
#include "small_runs.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::StopAfter;

class CalibratedRuns : public testing::SmallRuns {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(at("data"));
    scratch_.write("data/train.txt", testing::world_lines(0, 220, false));
    scratch_.write("data/valid.txt", testing::world_lines(220, 80, false));
    scratch_.write("data/test.txt", testing::world_lines(300, 80, false));
  }
};

TEST_F(CalibratedRuns, AreStoredAndTheSameInMemory) {
  testing::train_run(options(), at("run"));
  const Model opened = Model::open(at("run"));
  ASSERT_TRUE(opened.card().calibration.has_value());
  EXPECT_EQ(opened.card().calibration->facts, 80);
  const Model model = train(Dataset::open(at("data").string()), options());
  EXPECT_EQ(model.card().calibration, opened.card().calibration);
  model.save(at("saved"));
  EXPECT_EQ(testing::read_bytes(at("saved")), model_bytes("run"));
}

TEST_F(CalibratedRuns, DoNotDependOnThreads) {
  TrainOptions more = options();
  more.threads = 3;
  testing::train_run(options(), at("one"));
  testing::train_run(more, at("more"));
  EXPECT_EQ(model_bytes("one"), model_bytes("more"));
}

TEST_F(CalibratedRuns, AreTheSameWhenARunWasInterrupted) {
  for (const bool history : {false, true}) {
    TrainOptions rich = rich_options();
    if (history) rich.history = "near";
    rich.history_from = "valid";
    const std::string kind = history ? "history" : "plain";
    testing::train_run(rich, at(kind));
    ASSERT_TRUE(Model::open(at(kind)).card().calibration.has_value());
    // The last stop comes after the best epoch: its model is fitted by another process.
    for (const int steps : {3, 10, 27}) {
      const std::string name = fmt::format("{} {}", kind, steps);
      StopAfter stop(steps);
      testing::train_run(rich, at(name), &stop);
      EXPECT_FALSE(Model::open(at(name)).card().calibration.has_value());
      testing::resume_run(at(name));
      expect_same_run(kind, name);
    }
    TrainOptions shorter = rich;
    shorter.epochs = 2;
    testing::train_run(shorter, at(kind + " grown"));
    testing::resume_run(at(kind + " grown"), {{"epochs", "4"}});
    expect_same_run(kind, kind + " grown");
  }
}

TEST_F(CalibratedRuns, NeedFactsToValidateWith) {
  const Dataset data = Dataset::open(at("data").string());
  const Dataset alone = Dataset::from_columns(testing::columns_of(data, Split::train), {},
                                              testing::columns_of(data, Split::test));
  const Model model = train(alone, options());
  EXPECT_FALSE(model.card().calibration.has_value());
  const CalibrationReport report = measure_calibration(model, alone);
  EXPECT_FALSE(report.first.after.has_value());
  EXPECT_EQ(report.first.count, 160);
  EXPECT_TRUE(contains(refused([&] { measure_calibration(model, alone, Split::valid); }),
                       "the valid split is empty"));
}

TEST_F(CalibratedRuns, AreNearerToWhatIsTrue) {
  TrainOptions more = options();
  more.epochs = 20;
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, more);
  const CalibrationReport report = measure_calibration(model, data);
  ASSERT_TRUE(report.ten.after.has_value());
  EXPECT_LT(report.ten.after->equal_mass, report.ten.before.equal_mass);
  EXPECT_LT(report.ten.after->equal_mass, 0.05);
  EXPECT_LT(report.fact.after->equal_mass, report.fact.before.equal_mass);
  std::uint64_t counted = 0;
  for (const ReliabilityBin& bin : report.ten.after->bins) counted += bin.count;
  EXPECT_EQ(counted, report.ten.count);
}

// Facts that hold within intervals are asked at one time, by both sides and with others in place.
TEST_F(CalibratedRuns, OfIntervalsEitherWay) {
  scratch_.write("data/train.txt", testing::world_lines(0, 220, true));
  scratch_.write("data/valid.txt", testing::world_lines(220, 80, true));
  scratch_.write("data/test.txt", testing::world_lines(300, 80, true));
  for (const std::string reading : {"within", "ends"}) {
    TrainOptions read = options();
    read.reading.intervals = reading;
    testing::train_run(read, at(reading));
    const Model model = Model::open(at(reading));
    ASSERT_TRUE(model.card().calibration.has_value()) << reading;
    const CalibrationReport report = measure_calibration(model, model.training_data());
    EXPECT_LT(report.ten.after->equal_mass, 0.1) << reading;
    EXPECT_EQ(report.fact.count, 160) << reading;
  }
}

}  // namespace
}  // namespace orrery
