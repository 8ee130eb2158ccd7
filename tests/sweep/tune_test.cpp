#include "orrery/tune.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/small_runs.h"
#include "orrery/defaults.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

class Tune : public testing::SmallRuns {
 protected:
  Dataset data() const { return Dataset::open(at("data").string()); }
};

class CountTrials : public TuneObserver {
 public:
  explicit CountTrials(int most) : most_(most) {}
  void on_trial(const TuneTrial& trial) override {
    ++trials;
    if (trial.best) best = trial.valid->mrr;
  }
  bool stop_requested() override { return trials >= most_; }
  int trials = 0;
  double best = 0;

 private:
  int most_;
};

const OptionChanges small = {{"dim", "16"}, {"epochs", "3"}, {"threads", "1"}, {"device", "cpu"}};

TEST_F(Tune, TheBestOfTheTrialsIsTaken) {
  CountTrials observer(6);
  const Tuning tuning = tune(data(), small, 600, &observer);
  EXPECT_TRUE(tuning.interrupted);
  ASSERT_EQ(tuning.trials.size(), 6U);
  EXPECT_TRUE(tuning.trials[0].changes.empty()) << "the first is of the options that fit";
  double best = 0;
  for (const TuneTrial& trial : tuning.trials) best = std::max(best, trial.valid->mrr);
  EXPECT_EQ(observer.best, best);
  EXPECT_EQ(train(data(), tuning.options).training().summary.best_valid->mrr, best);
}

TEST_F(Tune, WhatIsGivenStaysInEveryTrial) {
  CountTrials observer(8);
  OptionChanges given = small;
  given.emplace_back("lambda-n3", "0.02");
  const Tuning tuning = tune(data(), given, 600, &observer);
  EXPECT_DOUBLE_EQ(tuning.options.lambda_n3, 0.02);
  EXPECT_EQ(tuning.options.dim, 16);
  for (const TuneTrial& trial : tuning.trials)
    for (const auto& [name, value] : trial.changes) EXPECT_NE(name, "lambda-n3") << value;
}

TEST_F(Tune, EndsWhenTheTimeIsUp) {
  const Tuning tuning = tune(data(), small, 0.05);
  EXPECT_FALSE(tuning.interrupted);
  EXPECT_GE(tuning.trials.size(), 1U);
}

TEST_F(Tune, NeedsFactsToValidateWith) {
  std::filesystem::remove(at("data") / "valid.txt");
  EXPECT_TRUE(contains(refused([&] { tune(data(), small, 1); }), "facts to validate with"));
}

TEST(SecondsOf, DurationsAsPeopleWriteThem) {
  EXPECT_DOUBLE_EQ(seconds_of("90s"), 90);
  EXPECT_DOUBLE_EQ(seconds_of("5m"), 300);
  EXPECT_DOUBLE_EQ(seconds_of("1.5h"), 5400);
  for (const auto* bad : {"", "5", "m", "-1m", "5 m", "0s", "nanm", "1e400h", "5min"})
    EXPECT_TRUE(contains(refused([&] { seconds_of(bad); }), "90s, 5m or 1h")) << bad;
}

}  // namespace
}  // namespace orrery
