#include "learn/fitting_options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/optimizer.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

const DataCounts icews14{.train = 72'826, .valid = 8'941, .entities = 7'128, .times = 365};
const DataCounts yago11k{
    .train = 16'406, .valid = 2'050, .entities = 10'622, .times = 189, .examples_per_fact = 4};
const DataCounts few_facts{
    .train = 53, .valid = 6, .entities = 20, .times = 19, .examples_per_fact = 4};

bool is_chosen(const FittingOptions& fitting, const std::string& name) {
  return std::ranges::find(fitting.chosen, name, &ChosenOption::name) != fitting.chosen.end();
}

TEST(FittingOptions, FollowFromTheCounts) {
  const TrainOptions many = fitting_options(icews14, {}).options;
  EXPECT_EQ(many.dim, 256);
  EXPECT_EQ(many.batch, 4'855);
  EXPECT_EQ(many.eval_every, 5);
  EXPECT_EQ(many.patience, 6);
  EXPECT_DOUBLE_EQ(many.lr, 0.2);
  EXPECT_DOUBLE_EQ(many.lambda_n3, 0.004);
  EXPECT_DOUBLE_EQ(many.dropout, 0.2);
  const TrainOptions sparse = fitting_options(yago11k, {}).options;
  EXPECT_EQ(sparse.dim, 128);
  EXPECT_DOUBLE_EQ(sparse.lambda_n3, 0.081);
  EXPECT_DOUBLE_EQ(sparse.dropout, 0.3);
  const TrainOptions few = fitting_options(few_facts, {}).options;
  EXPECT_EQ(few.dim, 64);
  EXPECT_EQ(few.batch, 32);
  EXPECT_DOUBLE_EQ(few.lambda_n3, 0.1);
}

TEST(FittingOptions, EveryChoiceHasAReasonAndIsAllowed) {
  for (const DataCounts& counts :
       {icews14, yago11k, few_facts, DataCounts{.train = 1, .entities = 2, .times = 1},
        DataCounts{.train = 3'000'000'000, .valid = 10, .entities = 3, .times = 9},
        DataCounts{.train = 3, .entities = 100'000'000, .times = 1}}) {
    const FittingOptions fitting = fitting_options(counts, {});
    check_options(fitting.options);
    for (const ChosenOption& option : fitting.chosen) {
      EXPECT_FALSE(option.reason.empty()) << option.name;
      EXPECT_EQ(option.value, option_text(fitting.options, option.name));
    }
  }
}

TEST(FittingOptions, WhatIsGivenStays) {
  const FittingOptions fitting =
      fitting_options(icews14, {{"dim", "64"}, {"lambda_n3", "0.5"}, {"epochs", "7"}});
  EXPECT_EQ(fitting.options.dim, 64);
  EXPECT_DOUBLE_EQ(fitting.options.lambda_n3, 0.5);
  EXPECT_EQ(fitting.options.epochs, 7);
  EXPECT_EQ(fitting.options.patience, 0) << "who names the epochs gets them all";
  EXPECT_EQ(fitting.options.eval_every, 5);
  for (const auto* name : {"dim", "lambda-n3", "epochs"}) EXPECT_FALSE(is_chosen(fitting, name));
  EXPECT_TRUE(is_chosen(fitting, "batch"));
}

TEST(FittingOptions, TheLearningRateIsTheOptimizers) {
  const FittingOptions fitting = fitting_options(icews14, {{"optimizer", "adam"}});
  EXPECT_DOUBLE_EQ(fitting.options.lr, find_optimizer("adam").learning_rate);
  EXPECT_DOUBLE_EQ(fitting_options(icews14, {{"optimizer", "adam"}, {"lr", "0.02"}}).options.lr,
                   0.02);
}

TEST(FittingOptions, WithoutValidationEpochsAreFixed) {
  DataCounts none = icews14;
  none.valid = 0;
  for (const FittingOptions& fitting :
       {fitting_options(none, {}), fitting_options(icews14, {{"eval-every", "0"}})}) {
    EXPECT_EQ(fitting.options.epochs, 100);
    EXPECT_EQ(fitting.options.eval_every, 0);
    EXPECT_EQ(fitting.options.patience, 0);
  }
}

TEST(FittingOptions, ABadOptionIsRefused) {
  EXPECT_TRUE(testing::contains(testing::refused([] {
                                  fitting_options(icews14, {{"dimension", "64"}});
                                }),
                                "dimension"));
}

}  // namespace
}  // namespace orrery
