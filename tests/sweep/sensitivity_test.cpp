#include "sweep/sensitivity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace orrery {
namespace {

class SweepSensitivity : public ::testing::Test {
 protected:
  void add(const std::string& lr, const std::string& attention, double mrr) {
    Trial trial;
    trial.number = std::ssize(sweep_.trials) + 1;
    trial.values = {{"lr", lr}, {"attention", attention}};
    trial.mean.mrr = trial.first_mrr = mrr;
    trial.failed = mrr == 0;
    sweep_.trials.push_back(trial);
  }
  void search(SearchedOption lr) {
    sweep_.options.searched = {std::move(lr), {.name = "attention", .values = {"split", "none"}}};
  }

  Sweep sweep_;
};

TEST_F(SweepSensitivity, GroupsTrialsByValueAndPutsWhatMattersFirst) {
  search({.name = "lr", .values = {"0.3", "0.01", "0.1"}});
  add("0.3", "none", 0.5);
  add("0.3", "split", 0.52);
  add("0.01", "none", 0.3);
  add("0.01", "split", 0.34);
  add("0.1", "none", 0);  // failed
  const auto found = sensitivities(sweep_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "lr");
  EXPECT_TRUE(found[0].number);
  EXPECT_TRUE(found[0].logarithmic);  // two, 30 times apart
  ASSERT_EQ(found[0].groups.size(), 2U);
  const ValueGroup &low = found[0].groups[0], &high = found[0].groups[1];
  EXPECT_EQ(low.label, "0.01");
  EXPECT_DOUBLE_EQ(low.at, 0.01);
  EXPECT_EQ(low.trials, 2);
  EXPECT_DOUBLE_EQ(low.mean, 0.32);
  EXPECT_NEAR(low.deviation, 0.04 / std::sqrt(2), 1e-12);
  EXPECT_DOUBLE_EQ(low.best, 0.34);
  EXPECT_EQ(high.label, "0.3");
  EXPECT_EQ(&found[0].best(), &high);
  EXPECT_EQ(&found[0].worst(), &low);
  EXPECT_FALSE(found[1].number);
  EXPECT_EQ(found[1].groups[0].label, "split");  // as written
  EXPECT_DOUBLE_EQ(found[1].groups[1].mean, 0.4);
}

TEST_F(SweepSensitivity, CutsARangeIntoGroupsOfTheSameSize) {
  search({.name = "lr", .range = SearchedRange{0.001, 1, true}});
  for (int i = 0; i < 36; ++i)
    add(fmt::format("{:.4g}", std::pow(10, -3 + i / 12.0)), i % 2 == 0 ? "split" : "none",
        0.4 + i * 0.001);
  const auto found = sensitivities(sweep_);
  ASSERT_EQ(found[0].name, "lr");
  ASSERT_EQ(found[0].groups.size(), 6U);
  for (const ValueGroup& group : found[0].groups) EXPECT_EQ(group.trials, 6);
  EXPECT_NEAR(found[0].groups[0].at, std::pow(10, -3 + 2.5 / 12), 1e-5);  // the geometric mean
  EXPECT_EQ(found[0].groups[0].label, "0.001 … 0.00261");
  EXPECT_TRUE(found[0].logarithmic);
}

TEST_F(SweepSensitivity, FewTrialsOfARangeAreNotEachAGroup) {
  search({.name = "lr", .range = SearchedRange{0, 1, false}});
  for (const auto* lr : {"0.1", "0.9", "0.3", "0.5"}) add(lr, "none", 0.5);
  ASSERT_EQ(sensitivities(sweep_).size(), 1U);
  EXPECT_EQ(sensitivities(sweep_)[0].groups.size(), 2U);
  // Whole numbers that are few are.
  sweep_.trials.clear();
  search({.name = "batch", .range = SearchedRange{1, 3, false}});
  for (const auto* batch : {"2", "1", "1", "3"}) {
    add("0.1", "none", 0.5);
    sweep_.trials.back().values = {{"batch", batch}};
  }
  ASSERT_EQ(sensitivities(sweep_).size(), 1U);
  EXPECT_EQ(sensitivities(sweep_)[0].groups.size(), 3U);
  EXPECT_EQ(sensitivities(sweep_)[0].groups[0].trials, 2);
}

TEST_F(SweepSensitivity, ValuesThatGrowByFactorsGetALogarithmicAxis) {
  search({.name = "lr", .values = {"0.03", "0.003", "0.01"}});
  for (const auto* lr : {"0.003", "0.01", "0.03", "0.01"}) add(lr, "none", 0.5);
  EXPECT_TRUE(sensitivities(sweep_).at(0).logarithmic);
}

TEST_F(SweepSensitivity, SaysNothingOfASingleValue) {
  search({.name = "lr", .values = {"0.1", "0.2"}});
  EXPECT_TRUE(sensitivities(sweep_).empty());
  add("0.1", "split", 0.4);
  add("0.1", "none", 0.5);
  const auto found = sensitivities(sweep_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "attention");
}

}  // namespace
}  // namespace orrery
