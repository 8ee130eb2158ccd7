// Every instruction set of the CPU engine against the slow truth, for every variant.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"
#include "engine/slow_model.h"

namespace orrery {
namespace {

constexpr std::uint64_t shuffle_key = 41;

struct StepCase {
  std::int32_t lanes = 5;
  ModelShape shape = {11, 6, 4, 0};
  std::size_t examples = 50, first = 7, count = 37;
  LossRules rules = {.lambda_n3 = 0.3, .lambda_time = 0.2, .norm = {}, .dropout = 0};
  std::vector<std::string> without = {};
  Precision precision = Precision::fp32;
  double tolerance = 1e-4;
};

class Agreement : public ByVariantAndSet {
 protected:
  // One step from zero squares: √squares is |g|, and every value moves by rate · sign(g).
  void expect_agreement(const StepCase& test, const std::string& what) {
    ModelPlan small = plan(test.lanes, test.shape);
    small.without = test.without;
    const auto tables = random_tables(small, 5, 0.5);
    const auto examples = random_examples(small.shape, test.examples, 3);
    const StepRules rules{test.rules, 0.1, 1e-10};

    const auto engine =
        make_engine(small, {.threads = 2, .precision = test.precision, .instruction_set = set});
    write_tables(*engine, tables);
    engine->set_examples(examples);
    engine->step(shuffle_key, static_cast<std::int64_t>(test.first),
                 static_cast<std::int64_t>(test.count), rules);
    const LossSums found = engine->losses();

    ReferenceTables gradient;
    const LossSums wanted = make_slow_model(small, tables)
                                ->loss(shuffled(examples, shuffle_key, test.first, test.count),
                                       test.rules, random_bits(shuffle_key, test.first), &gradient);
    EXPECT_EQ(found.steps, 1);
    EXPECT_NEAR(found.cross_entropy, wanted.cross_entropy, test.tolerance * wanted.cross_entropy);
    EXPECT_NEAR(found.n3, wanted.n3, 1e-4 * wanted.n3) << what;
    EXPECT_NEAR(found.time, wanted.time, 1e-4 * wanted.time) << what;
    expect_step(tables, gradient, *engine, test.tolerance, what);
  }

  void expect_step(const ReferenceTables& start, const ReferenceTables& gradient,
                   const Engine& engine, double tolerance, const std::string& what) {
    const auto squares = read_tables(engine, State::adagrad);
    const auto values = read_tables(engine, State::value);
    for (std::size_t r = 0; r < gradient.size(); ++r) {
      const double largest = largest_magnitude(gradient[r]);
      for (std::size_t i = 0; i < gradient[r].size(); ++i) {
        const double g = gradient[r][i];
        ASSERT_NEAR(std::sqrt(squares[r][i]), std::abs(g), tolerance * largest)
            << what << ", " << variant.rows[r].name << " at " << i;
        if (std::abs(g) <= 2 * tolerance * largest) continue;
        ASSERT_NEAR(values[r][i], start[r][i] - std::copysign(0.1, g), 1e-5)
            << what << ", " << variant.rows[r].name << " at " << i;
      }
    }
  }
};

TEST_P(Agreement, OfScores) {
  for (const std::int32_t lanes : {1, 5, 16, 35}) {
    const ModelPlan small = plan(lanes);
    const auto tables = random_tables(small, 8, 0.5);
    const auto model = make_slow_model(small, tables);
    const auto engine = make_engine(small, {.threads = 2, .instruction_set = set});
    write_tables(*engine, tables);
    const auto examples = random_examples(small.shape, 21, 4);
    std::vector<QueryPair> queries;
    for (std::size_t i = 0; i + 1 < examples.size(); ++i)
      queries.push_back({examples[i].query, examples[i + 1].query, i % 3 == 0});
    const auto entities = static_cast<std::size_t>(small.shape.entities);
    std::vector<float> found(queries.size() * entities);
    engine->score(queries, found);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      auto wanted = model->scores(queries[i].first);
      if (queries[i].paired) {
        const auto second = model->scores(queries[i].second);
        for (std::size_t e = 0; e < entities; ++e) wanted[e] += second[e];
      }
      const double largest = largest_magnitude(wanted);
      for (std::size_t e = 0; e < entities; ++e)
        ASSERT_NEAR(found[i * entities + e], wanted[e], 1e-5 * largest) << lanes << " lanes";
    }
  }
}

TEST_P(Agreement, OfStepsOfAnySize) {
  for (const std::int32_t lanes : {1, 5, 16, 19})
    for (const std::size_t count : {1U, 2U, 17U, 50U})
      expect_agreement({.lanes = lanes, .first = 0, .count = count},
                       std::to_string(lanes) + " lanes, batch " + std::to_string(count));
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

TEST_P(Agreement, OfBf16WithinItsRounding) {
  expect_agreement({.lanes = 19, .precision = Precision::bf16, .tolerance = 2e-2}, "bf16");
}

INSTANTIATE_TEST_SUITE_P(Variants, Agreement, every_variant_and_set(), name_of_both);

}  // namespace
}  // namespace orrery
