// The same bytes every time and whatever the number of threads; the same numbers whatever the
// vectors' width.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"

namespace orrery {
namespace {

// Several units of rows, and several tiles of every product; and the same with odd ends.
constexpr ModelShape wide_shape = {1100, 9, 7, 0}, odd_shape = {1025, 3, 5, 0};
constexpr std::size_t example_count = 1700;
constexpr std::int64_t long_batch = 560;

struct Outcome {
  ReferenceTables values, squares;
  LossSums losses;
  std::vector<float> scores;
  std::vector<RankCounts> counts;
};

Outcome train_and_rank(const ModelPlan& plan, EngineOptions options) {
  options.auxiliary = plan.variant->auxiliary_targets != std::array{-1, -1};
  options.averages = options.teacher = true;
  const auto engine = make_engine(plan, options);
  start_randomly(*engine, 3, 0.3);
  const auto examples = random_examples(plan.shape, example_count, 6);
  engine->set_examples(examples);
  StepRules rules;
  rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
  for (std::int64_t i = 0; i < 3; ++i) {
    rules.loss.negatives = i == 1 ? 50 : 0;
    if (options.auxiliary && i > 0) rules.loss.auxiliary = {0.3, 0.4};
    if (i > 0) rules.loss.teacher_share = 0.4F;
    engine->step(11, i * long_batch, long_batch, rules);
    engine->update_average(0.5);
  }

  std::vector<RankQuestion> questions;
  std::vector<QueryPair> queries;
  for (std::size_t i = 0; i < 37; ++i) {
    queries.push_back({examples[i].query, examples[i + 1].query, i % 2 == 0});
    questions.push_back({queries.back(), examples[i].object, {}});
  }
  Outcome outcome{read_tables(*engine, State::value),
                  read_tables(*engine, State::optimizer),
                  engine->losses(),
                  {},
                  std::vector<RankCounts>(questions.size())};
  engine->rank(questions, outcome.counts);
  outcome.scores.resize(queries.size() * static_cast<std::size_t>(plan.shape.entities));
  engine->score(queries, outcome.scores);
  return outcome;
}

class Determinism : public ByVariantAndTarget {};

// On a GPU, where threads mean nothing, the same training twice.
TEST_P(Determinism, SameSeedSameBytesWhateverTheThreads) {
  const std::vector<int> teams =
      target == "gpu" ? std::vector<int>{1, 1} : std::vector<int>{2, 3, 5};
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    if (target != "gpu" && precision == Precision::tf32) continue;  // fp32 once more
    for (const ModelPlan& shaped : {plan(3, wide_shape), plan(17, odd_shape)}) {
      const auto outcome = [&](int threads) {
        return train_and_rank(shaped, options_of(target, precision, threads));
      };
      const Outcome alone = outcome(1);
      for (const int threads : teams) {
        const Outcome team = outcome(threads);
        EXPECT_EQ(team.values, alone.values) << threads << " threads";
        EXPECT_EQ(team.squares, alone.squares) << threads << " threads";
        EXPECT_EQ(team.losses.total(), alone.losses.total()) << threads << " threads";
        EXPECT_EQ(team.scores, alone.scores) << threads << " threads";
        EXPECT_EQ(team.counts, alone.counts) << threads << " threads";
      }
    }
  }
}

// A fresh engine with the same rows takes the same step: nothing is left over from earlier steps of
// another size or other rules, nor from questions in between; nor does the batch that was announced
// matter.
TEST_P(Determinism, AStepFollowsFromTheRowsAndItsArguments) {
  const ModelPlan small = plan(5, {60, 6, 5, 0});
  const auto examples = random_examples(small.shape, 200, 6);
  StepRules rules;
  rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
  StepRules others;
  others.learning_rate = 0.03;
  others.loss.norm = {Norm::element, 4};
  others.loss.lambda_n3 = 0.2;
  const bool auxiliary = variant.auxiliary_targets != std::array{-1, -1};
  StepRules asking = rules, taught = rules;
  if (auxiliary) asking.loss.auxiliary = {0.3, 0.4};
  taught.loss.teacher_share = 0.4F;
  taught.loss.negatives = 30;
  const struct {
    std::uint64_t key;
    std::int64_t first, count;
    StepRules rules;
  } steps[] = {{1, 0, 80, rules},    {1, 80, 80, rules}, {1, 160, 40, rules}, {2, 0, 200, {}},
               {2, 0, 80, others},   {3, 199, 1, rules}, {3, 0, 80, asking},  {3, 80, 50, rules},
               {3, 130, 70, asking}, {4, 0, 80, taught}, {4, 80, 50, rules},  {4, 130, 70, taught}};
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    EngineOptions options = options_of(target, precision);
    options.auxiliary = auxiliary;
    options.averages = options.teacher = true;
    options.batch = 60;
    const auto busy = make_engine(small, options);
    start_randomly(*busy, 3, 0.3);
    busy->update_average(0.5);
    busy->set_examples(examples);
    for (const auto& step : steps) {
      options.batch = step.count;
      const auto fresh = make_engine(small, options);
      fresh->set_examples(examples);
      for (const State state : {State::value, State::optimizer, State::average})
        copy_tables(*busy, *fresh, state);
      busy->set_losses({});
      for (Engine* engine : {fresh.get(), busy.get()})
        engine->step(step.key, step.first, step.count, step.rules);
      const auto what = "step from " + std::to_string(step.first);
      EXPECT_EQ(read_tables(*busy, State::value), read_tables(*fresh, State::value)) << what;
      EXPECT_EQ(read_tables(*busy, State::optimizer), read_tables(*fresh, State::optimizer))
          << what;
      EXPECT_EQ(busy->losses().total(), fresh->losses().total()) << what;
      std::vector<RankCounts> counts(1);
      busy->rank(std::vector<RankQuestion>{{{examples[0].query, {}, false}, 0, {}}}, counts);
    }
  }
}

TEST_P(Determinism, LossesAreTheSameHoweverOftenTheyAreRead) {
  const ModelPlan small = plan(5);
  double totals[2] = {};
  for (const bool often : {false, true}) {
    const auto engine = make_engine(small, options_of(target));
    start_randomly(*engine, 3, 0.3);
    engine->set_examples(random_examples(small.shape, 50, 6));
    engine->set_losses({.cross_entropy = 1, .n3 = 2, .time = 3, .auxiliary = 4, .steps = 4});
    for (std::int64_t first = 0; first < 50; first += 10) {
      engine->step(1, first, 10, {});
      if (often) engine->losses();
    }
    totals[often ? 1 : 0] = engine->losses().total();
    EXPECT_EQ(engine->losses().steps, 9);
  }
  EXPECT_GT(totals[0], 10);
  EXPECT_EQ(totals[0], totals[1]);
}

INSTANTIATE_TEST_SUITE_P(Variants, Determinism, every_variant_and_target(), name_of_both);

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
    const auto engine = make_engine(small, options_of(*set, Precision::fp32, 1));
    start_randomly(*engine, 3, 0.3);
    engine->set_examples(examples);
    engine->step(11, 0, 200, rules);
    const auto squares = read_tables(*engine, State::optimizer);
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
