// The same bytes whatever the number of threads, and the same numbers whatever the vectors' width.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"

namespace orrery {
namespace {

// Several units of rows, and several tiles of every product.
constexpr ModelShape wide_shape = {1100, 9, 7, 0};
constexpr std::size_t example_count = 1700;
constexpr std::int64_t batch = 560;

struct Outcome {
  ReferenceTables values, squares;
  LossSums losses;
  std::vector<float> scores;
  std::vector<RankCounts> counts;
};

Outcome train_and_rank(const ModelPlan& plan, const EngineOptions& options) {
  const auto engine = make_engine(plan, options);
  start_randomly(*engine, 3, 0.3);
  const auto examples = random_examples(plan.shape, example_count, 6);
  engine->set_examples(examples);
  StepRules rules;
  rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
  for (std::int64_t i = 0; i < 3; ++i) engine->step(11, i * batch, batch, rules);

  std::vector<RankQuestion> questions;
  std::vector<QueryPair> queries;
  for (std::size_t i = 0; i < 37; ++i) {
    queries.push_back({examples[i].query, examples[i + 1].query, i % 2 == 0});
    questions.push_back({queries.back(), examples[i].object, {}});
  }
  Outcome outcome{read_tables(*engine, State::value),
                  read_tables(*engine, State::adagrad),
                  engine->losses(),
                  {},
                  std::vector<RankCounts>(questions.size())};
  engine->rank(questions, outcome.counts);
  outcome.scores.resize(queries.size() * static_cast<std::size_t>(plan.shape.entities));
  engine->score(queries, outcome.scores);
  return outcome;
}

class Determinism : public ByVariantAndSet {};

TEST_P(Determinism, ThreadsDoNotChangeABit) {
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    const auto outcome = [&](int threads) {
      return train_and_rank(plan(3, wide_shape),
                            {.threads = threads, .precision = precision, .instruction_set = set});
    };
    const Outcome alone = outcome(1);
    for (const int threads : {2, 3, 5}) {
      const Outcome team = outcome(threads);
      EXPECT_EQ(team.values, alone.values) << threads << " threads";
      EXPECT_EQ(team.squares, alone.squares) << threads << " threads";
      EXPECT_EQ(team.losses.total(), alone.losses.total()) << threads << " threads";
      EXPECT_EQ(team.scores, alone.scores) << threads << " threads";
      EXPECT_EQ(team.counts, alone.counts) << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Determinism, every_variant_and_set(), name_of_both);

class InstructionSets : public ByVariant {};

// After one step only: Adagrad's first steps turn a gradient's last bit into its sign.
TEST_P(InstructionSets, AgreeWithEachOther) {
  const ModelPlan small = plan(19, {60, 6, 5, 0});
  const auto examples = random_examples(small.shape, 200, 6);
  StepRules rules;
  rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
  ReferenceTables narrow;
  const auto sets = instruction_sets();
  for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
    const auto engine = make_engine(small, {.threads = 1, .instruction_set = *set});
    start_randomly(*engine, 3, 0.3);
    engine->set_examples(examples);
    engine->step(11, 0, 200, rules);
    const auto squares = read_tables(*engine, State::adagrad);
    if (narrow.empty()) narrow = squares;
    for (std::size_t r = 0; r < squares.size(); ++r) {
      const double largest = std::sqrt(largest_magnitude(squares[r]));
      for (std::size_t i = 0; i < squares[r].size(); ++i)
        ASSERT_NEAR(std::sqrt(squares[r][i]), std::sqrt(narrow[r][i]), 1e-5 * largest)
            << *set << " against " << sets.back() << ", " << variant.rows[r].name << " at " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, InstructionSets, every_variant(), name_of_variant);

}  // namespace
}  // namespace orrery
