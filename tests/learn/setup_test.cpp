#include "learn/setup.h"

#include <gtest/gtest.h>

#include "data/random_graph.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TEST(Setup, StepsAndEngineHearOfEveryOption) {
  TrainOptions options;
  options.optimizer = "adam";
  options.lr = 0.3;
  options.lambda_n3 = 0.4;
  options.lambda_time = 0.5;
  options.norm = "biquaternion";
  options.exponent = 4;
  options.dropout = 0.25;
  options.dropout_of = "lane";
  options.aux_relation = 0.6;
  options.aux_time = 0.7;
  options.ema = 0.8;
  options.self_distillation = 0.25;
  options.device = "cuda:3";
  options.precision = "bf16";
  options.threads = 3;
  options.memory = "2M";
  const StepRules rules = step_rules_of(options);
  EXPECT_EQ(rules.learning_rate, 0.3);
  EXPECT_EQ(rules.epsilon, 1e-8);
  EXPECT_EQ(rules.loss.lambda_n3, 0.4);
  EXPECT_EQ(rules.loss.lambda_time, 0.5);
  EXPECT_EQ(rules.loss.norm.norm, Norm::element);
  EXPECT_EQ(rules.loss.norm.exponent, 4);
  EXPECT_EQ(rules.loss.dropout, 0.25F);
  EXPECT_TRUE(rules.loss.drop_lanes);
  EXPECT_EQ(rules.loss.auxiliary, (std::array{0.6, 0.7}));
  EXPECT_EQ(rules.loss.teacher_share, 0.25F);
  options.dim = 16;
  options.eval_every = 1;
  const TemporalGraph data = testing::random_graph(1, false);
  const EngineOptions engine = engine_options_of(options, data);
  EXPECT_EQ(engine.device, "cuda:3");
  EXPECT_EQ(engine.precision, Precision::bf16);
  EXPECT_EQ(engine.optimizer, "adam");
  EXPECT_EQ(engine.threads, 3);
  EXPECT_TRUE(engine.auxiliary);
  EXPECT_TRUE(engine.averages);
  EXPECT_TRUE(engine.teacher);
  EXPECT_EQ(engine.memory, 2U << 20U);
  // Facts, examples, a table being saved; and the best rows and their average when they are kept.
  EXPECT_GT(engine.reserved, memory_of(data));
  options.ema = options.self_distillation = 0;
  EXPECT_LT(engine_options_of(options, data).reserved, engine.reserved);
}

TEST(Setup, WhatIsNotSaidIsLeftToTheEngine) {
  TrainOptions options;
  options.dim = 16;
  const TemporalGraph data = testing::random_graph(1, false);
  const EngineOptions engine = engine_options_of(options, data);
  EXPECT_EQ(engine.device, "auto");
  EXPECT_EQ(engine.precision, Precision::automatic);
  EXPECT_EQ(engine.memory, 0U);
  EXPECT_FALSE(engine.auxiliary);
  EXPECT_FALSE(engine.averages);
  EXPECT_FALSE(engine.teacher);
  const auto precision = [&](const char* name) {
    options.precision = name;
    return engine_options_of(options, data).precision;
  };
  EXPECT_EQ(precision("fp32"), Precision::fp32);
  EXPECT_EQ(precision("tf32"), Precision::tf32);
  EXPECT_EQ(precision("bf16"), Precision::bf16);
}

TEST(Setup, ShapesCountBothSidesOfIntervals) {
  TrainOptions options;
  options.dim = 24;
  const ModelShape points = shape_of(options, testing::random_graph(1, false));
  const ModelShape intervals = shape_of(options, testing::random_graph(1, true));
  EXPECT_EQ(points.relation_rows, 6);
  EXPECT_EQ(intervals.relation_rows, 12);
  EXPECT_EQ(points.dim, 24);
}

TEST(Setup, AuxiliaryLossesAreRefusedWhereThereAreNoAnswers) {
  const ModelShape shape{5, 4, 3, 16};
  TrainOptions options;
  options.aux_time = 0.5;
  EXPECT_NO_THROW(plan_of(options, shape));
  options.without = {"time_mul"};
  EXPECT_TRUE(contains(refused([&] { plan_of(options, shape); }), "time_mul"));
  options.without.clear();
  options.model = "hyte";
  const std::string refusal = refused([&] { plan_of(options, shape); });
  EXPECT_TRUE(contains(refusal, "--aux-time") && contains(refusal, "'hyte'")) << refusal;
  options.aux_time = 0;
  EXPECT_NO_THROW(plan_of(options, shape));
  options.aux_relation = 0.5;
  EXPECT_TRUE(contains(refused([&] { plan_of(options, shape); }), "--aux-relation"));
}

TEST(Setup, PlansRefuseWhatAModelHasNot) {
  const ModelShape shape{5, 4, 3, 16};
  TrainOptions options;
  options.choices["attention"] = "modulus";
  options.choices["product"] = "";
  EXPECT_EQ(plan_of(options, shape).variant->choice("attention"), "modulus");
  EXPECT_EQ(plan_of(options, shape).variant->choice("product"), "hamilton");
  options.model = "complex";
  EXPECT_TRUE(contains(refused([&] { plan_of(options, shape); }), "attention"));
  options.model = "complexx";
  EXPECT_TRUE(contains(refused([&] { plan_of(options, shape); }), "tntcomplex"));
}

}  // namespace
}  // namespace orrery
