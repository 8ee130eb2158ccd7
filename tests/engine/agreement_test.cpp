// Every target against the slow truth, for every variant.
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/battery.h"
#include "engine/slow_model.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

class Agreement : public ByVariantAndTarget {
 protected:
  void expect_agreement(const StepCase& test, const std::string& what) {
    SlowStep(variant, test).expect_of(options_of(target), 1e-4, what);
  }

  // Of single questions and of pairs.
  void expect_scores(const ModelPlan& small) {
    const auto tables = random_tables(small, 8, 0.5);
    const auto model = make_slow_model(small, tables);
    const auto engine = make_engine(small, options_of(target));
    write_tables(*engine, tables);
    const auto examples = random_examples(small.shape, 21, 4);
    std::vector<QueryPair> queries;
    for (std::size_t i = 0; i + 1 < examples.size(); ++i)
      queries.push_back({examples[i].query, examples[i + 1].query, i % 3 == 0});
    const auto entities = static_cast<std::size_t>(small.shape.entities);
    std::vector<float> found(queries.size() * entities);
    engine->score({}, {});
    engine->score(queries, found);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      auto wanted = model->scores(queries[i].first);
      if (queries[i].paired) {
        const auto second = model->scores(queries[i].second);
        for (std::size_t e = 0; e < entities; ++e) wanted[e] += second[e];
      }
      const double largest = largest_magnitude(wanted);
      for (std::size_t e = 0; e < entities; ++e)
        ASSERT_NEAR(found[i * entities + e], wanted[e], 1e-5 * largest + 1e-6)
            << small.shape.dim << " dimensions";
    }
  }
};

TEST_P(Agreement, OfScores) {
  for (const std::int32_t lanes : {1, 5, 16, 35}) expect_scores(plan(lanes));
}

TEST_P(Agreement, OfStepsOfAnySize) {
  for (const std::int32_t lanes : {1, 5, 16, 19})
    for (const std::size_t count : {1U, 2U, 17U, 50U})
      expect_agreement({.lanes = lanes, .first = 0, .count = count},
                       std::to_string(lanes) + " lanes, batch " + std::to_string(count));
}

TEST_P(Agreement, OfAnyNumberOfEntities) {
  for (const std::int32_t entities : {1, 2, 3, 7, 17, 33}) {
    const std::string what = std::to_string(entities) + " entities";
    const ModelShape shape = {entities, 4, 3, 0};
    // In one lane the slopes of distances to two candidates may cancel: nothing to compare with.
    if (variant.by_product) expect_agreement({.lanes = 1, .shape = shape}, what + ", one lane");
    const SlowStep truth(variant, {.lanes = 17, .shape = shape, .scale = 0.4});
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(options_of(target, precision), tolerance, what + ", " + std::string(name));
  }
}

TEST_P(Agreement, OfBatchesLargerThanAUnit) {
  expect_agreement(
      {.lanes = 3, .shape = {23, 6, 4, 0}, .examples = 1200, .first = 31, .count = 1100},
      "batch 1100");
}

TEST_P(Agreement, OfNormsExponentsAndDropout) {
  for (const Norm norm : {Norm::complex, Norm::element})
    for (const float exponent : {3.0F, 4.0F, 2.5F})
      for (const float dropout : {0.0F, 0.3F}) {
        StepCase test;
        test.rules.norm = {norm, exponent};
        test.rules.dropout = dropout;
        expect_agreement(test, "exponent " + std::to_string(exponent));
      }
}

TEST_P(Agreement, OfWholeLanesDropped) {
  StepCase test;
  test.rules.dropout = 0.3F;
  test.rules.drop_lanes = true;
  expect_agreement(test, "lanes dropped");
}

TEST_P(Agreement, OfDrawnCandidates) {
  for (const std::int32_t negatives : {1, 7, 100}) {
    StepCase test{.shape = {60, 6, 5, 0}, .count = 9};
    test.rules.negatives = negatives;
    expect_agreement(test, std::to_string(negatives) + " drawn");
  }
}

TEST_P(Agreement, OfCandidatesFeatures) {
  for (const std::int32_t negatives : {0, 7})
    for (const float teacher : {0.0F, 0.4F}) {
      StepCase test{.shape = {60, 6, 5, 0}, .features = 3};
      test.rules.negatives = negatives;
      test.rules.teacher_share = teacher;
      test.rules.lambda_features = 0.01;
      expect_agreement(
          test, std::to_string(negatives) + " drawn, teacher's share " + std::to_string(teacher));
    }
  StepCase large{.lanes = 3, .shape = {23, 6, 4, 0}, .examples = 1200, .first = 31, .count = 1100};
  large.features = 2;
  expect_agreement(large, "batch 1100");
}

// Where they are fitted after training: steps are those of a model that has none.
TEST_P(Agreement, OfStepsThatLeaveFeaturesOut) {
  const ModelPlan bare = plan(5);
  const RandomFeatures features(bare.shape, 3);
  ModelPlan with_features = bare;
  with_features.feature_count = 3;
  with_features.features = &features;
  StepRules rules{.epsilon = 1e-3};
  rules.loss.lambda_n3 = 0.1;
  rules.loss.lambda_features = 0.1;
  rules.loss.with_features = false;
  EngineOptions options = options_of(target, Precision::fp32);
  options.features = false;
  const auto trained = [&](const ModelPlan& plan) {
    auto engine = make_engine(plan, options);
    write_tables(*engine, random_tables(plan, 3, 0.4));
    engine->set_examples(random_examples(plan.shape, 90, 4));
    return engine;
  };
  const auto wanted = trained(bare), found = trained(with_features);
  const auto worth = read_tables(*found, State::value).back();
  for (const auto* engine : {&wanted, &found}) (*engine)->step(7, 0, 60, rules);
  ReferenceTables rows = read_tables(*found, State::value);
  EXPECT_EQ(rows.back(), worth);
  rows.pop_back();
  EXPECT_EQ(rows, read_tables(*wanted, State::value));
  EXPECT_EQ(found->losses().total(), wanted->losses().total());
  rules.loss.with_features = true;
  EXPECT_THROW(found->step(7, 0, 60, rules), Error);
}

TEST_P(Agreement, OfScoresWithCandidatesFeatures) {
  ModelPlan small = plan(5);
  const RandomFeatures features(small.shape, 3);
  small.feature_count = 3;
  small.features = &features;
  expect_scores(small);
}

TEST_P(Agreement, OfStepsWithATeacher) {
  for (const std::int32_t negatives : {0, 7}) {
    StepCase test{.lanes = 19, .shape = {60, 6, 5, 0}, .scale = 0.35};
    test.rules.dropout = 0.3F;
    test.rules.negatives = negatives;
    test.rules.teacher_share = 0.4F;
    const SlowStep truth(variant, test);
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(options_of(target, precision), tolerance,
                      std::string(name) + ", " + std::to_string(negatives) + " drawn");
  }
  StepCase large{.lanes = 3, .shape = {23, 6, 4, 0}, .examples = 1200, .first = 31, .count = 1100};
  large.rules.teacher_share = 0.7F;
  expect_agreement(large, "batch 1100");
}

// Before anything is done, as with questions that were not announced.
TEST_P(Agreement, ATeacherThatIsNotThereIsRefused) {
  const ModelPlan small = plan(5);
  StepRules rules;
  rules.loss.teacher_share = 0.5F;
  for (const bool announced : {false, true}) {
    EngineOptions options = options_of(target);
    options.teacher = announced;
    const auto engine = make_engine(small, options);
    start_randomly(*engine, 3, 0.3);
    engine->set_examples(random_examples(small.shape, 50, 6));
    if (!announced) engine->update_average(0.5);
    const auto before = read_tables(*engine, State::value);
    try {
      engine->step(1, 0, 20, rules);
      ADD_FAILURE() << "the step was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::broken) << error.what();
    }
    EXPECT_EQ(read_tables(*engine, State::value), before);
  }
}

TEST_P(Agreement, OfAnExponentForTimesAlone) {
  StepCase test{.shape = {11, 6, 9, 0}};
  test.rules.time_exponent = 4;
  expect_agreement(test, "exponent 4 for times");
}

TEST_P(Agreement, WithoutRegularisersAndWithOneTime) {
  expect_agreement({.rules = {}}, "no regularisers");
  expect_agreement({.rules = {.lambda_n3 = 0.2, .lambda_time = 0, .norm = {}, .dropout = 0.5F}},
                   "no smoothing");
  expect_agreement({.shape = {11, 6, 1, 0}}, "one time");
  expect_agreement({.shape = {1, 1, 1, 0}, .examples = 3, .first = 0, .count = 3}, "one of each");
}

TEST_P(Agreement, WithoutRowsThatCanBeLeftOut) {
  for (const RowSpec& row : variant.rows)
    if (row.without != Without::impossible)
      expect_agreement({.without = {std::string(row.name)}}, "without " + std::string(row.name));
}

// Odd lanes too: matrix units like rows of a multiple of eight reals, which these are not.
TEST_P(Agreement, OfEveryPrecisionWithinItsRounding) {
  for (const std::int32_t lanes : {1, 3, 5, 19}) {
    const SlowStep truth(variant, {.lanes = lanes});
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(options_of(target, precision), tolerance,
                      std::string(name) + ", " + std::to_string(lanes) + " lanes");
  }
}

class AuxiliaryAgreement : public Agreement {};

TEST_P(AuxiliaryAgreement, OfStepsThatAskThem) {
  for (const auto& auxiliary : {std::array{0.7, 0.0}, std::array{0.0, 0.4}, std::array{0.5, 1.5}}) {
    StepCase test{.lanes = 19};
    test.rules.auxiliary = auxiliary;
    expect_agreement(test, "entities outnumber the rest");
    test.rules.lambda_n3 = test.rules.lambda_time = 0;
    expect_agreement(test, "no regularisers");
    test.shape = {3, 12, 40, 0};
    test.rules = {
        .lambda_n3 = 0.3, .lambda_time = 0.2, .norm = {}, .dropout = 0.3F, .negatives = 2};
    test.rules.auxiliary = auxiliary;
    expect_agreement(test, "relations and times outnumber entities");
    test.rules.teacher_share = 0.4F;
    expect_agreement(test, "taught");
    const SlowStep truth(variant, test);
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(options_of(target, precision), tolerance, std::string(name));
  }
}

TEST_P(AuxiliaryAgreement, OfFewAndOfMany) {
  const LossRules rules = {
      .lambda_n3 = 0.3, .lambda_time = 0.2, .norm = {}, .auxiliary = {0.5, 1.5}};
  expect_agreement({.shape = {11, 6, 1, 0}, .rules = rules}, "one time");
  expect_agreement({.shape = {11, 1, 4, 0}, .rules = rules}, "one relation");
  expect_agreement({.shape = {1, 1, 1, 0}, .examples = 3, .first = 0, .count = 3, .rules = rules},
                   "one of each");
  expect_agreement({.lanes = 3,
                    .shape = {23, 6, 4, 0},
                    .examples = 1200,
                    .first = 31,
                    .count = 1100,
                    .rules = rules,
                    .skewed = true},
                   "batch 1100");
}

TEST_P(AuxiliaryAgreement, WithoutRowsThatCanBeLeftOut) {
  for (const RowSpec& row : variant.rows) {
    if (row.without == Without::impossible) continue;
    StepCase test{.without = {std::string(row.name)}};
    test.rules.auxiliary = {0.5, row.name == "time_mul" ? 0.0 : 1.5};
    expect_agreement(test, "without " + std::string(row.name));
  }
}

// Before anything is done: the step after it is that of an engine which was never asked.
TEST_P(AuxiliaryAgreement, RefusesQuestionsThatWereNotAnnounced) {
  const ModelPlan small = plan(5);
  std::unique_ptr<Engine> engines[2];
  for (auto& engine : engines) {
    engine = make_engine(small, options_of(target));
    start_randomly(*engine, 3, 0.3);
    engine->set_examples(random_examples(small.shape, 50, 6));
  }
  StepRules rules;
  rules.loss.auxiliary = {0.5, 0.5};
  try {
    engines[0]->step(1, 0, 20, rules);
    ADD_FAILURE() << "the step was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::broken) << error.what();
  }
  for (auto& engine : engines) engine->step(1, 0, 20, {});
  EXPECT_EQ(read_tables(*engines[0], State::value), read_tables(*engines[1], State::value));
  EXPECT_EQ(engines[0]->losses().total(), engines[1]->losses().total());
}

INSTANTIATE_TEST_SUITE_P(Variants, AuxiliaryAgreement,
                         testing::Combine(asking_variants(), testing::ValuesIn(targets())),
                         name_of_both);
INSTANTIATE_TEST_SUITE_P(Variants, Agreement, every_variant_and_target(), name_of_both);

}  // namespace
}  // namespace orrery
