// Optimizers: their updates against the papers' formulas, and several steps against the slow truth.
#include "engine/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "engine/battery.h"
#include "engine/reference_step.h"
#include "engine/slow_model.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

// One parameter, as the papers write it.
struct PlainAdagrad {
  double value = 0, squares = 0;

  void step(double g, double rate, double epsilon, int /*number*/) {
    squares += g * g;
    value -= rate * g / (std::sqrt(squares) + epsilon);
  }
};
struct PlainAdam {
  double value = 0, m = 0, v = 0;

  void step(double g, double rate, double epsilon, int number) {
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    const double unbiased_m = m / (1 - std::pow(0.9, number));
    const double unbiased_v = v / (1 - std::pow(0.999, number));
    value -= rate * unbiased_m / (std::sqrt(unbiased_v) + epsilon);
  }
};

const cpu::Kernels& kernels_named(const std::string& name) {
  for (const auto* kernels : cpu::available_kernels())
    if (name == kernels->name) return *kernels;
  throw std::logic_error(name);
}

template <class Plain>
void expect_formula(const std::string& optimizer_name, const cpu::Kernels& kernels) {
  const Optimizer& optimizer = find_optimizer(optimizer_name);
  for (std::size_t size = 1; size <= 40; ++size) {
    std::vector<Plain> plain(size);
    std::vector<float> values(size), gradients(size);
    std::vector<std::vector<float>> states(optimizer.states.size(), std::vector<float>(size));
    std::vector<std::uint16_t> rounded(size), again(size);
    for (std::size_t i = 0; i < size; ++i)
      plain[i].value = values[i] = static_cast<float>(random_normal(1, i));
    for (int step = 0; step < 20; ++step) {
      for (std::size_t i = 0; i < size; ++i)
        gradients[i] = (i + static_cast<std::size_t>(step)) % 7 == 3
                           ? 0.0F
                           : static_cast<float>(random_normal(static_cast<std::uint64_t>(step), i));
      for (std::size_t i = 0; i < size; ++i) plain[i].step(gradients[i], 0.1, 1e-8, step + 1);
      cpu::UpdateJob job{.values = values.data(),
                         .gradients = gradients.data(),
                         .rounded = rounded.data(),
                         .count = size,
                         .step = in_float(optimizer.step_size(0.1, 1e-8, step))};
      for (std::size_t s = 0; s < states.size(); ++s) job.states[s] = states[s].data();
      kernels.updates[optimizer.index](job);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_NEAR(values[i], plain[i].value, 2e-6 * (step + 1)) << "step " << step;
        ASSERT_EQ(gradients[i], 0.0F);
      }
    }
    kernels.to_bf16(values.data(), again.data(), size);
    EXPECT_EQ(rounded, again);
  }
}

class Optimizers : public testing::TestWithParam<std::string> {};

TEST_P(Optimizers, AdagradIsTheFormula) {
  expect_formula<PlainAdagrad>("adagrad", kernels_named(GetParam()));
}
TEST_P(Optimizers, AdamIsTheFormula) {
  expect_formula<PlainAdam>("adam", kernels_named(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Sets, Optimizers, testing::ValuesIn(instruction_sets()),
                         [](const auto& test) { return test.param; });

// What lets a backend leave out rows without a gradient.
TEST(OptimizerList, ZeroGradientsChangeNothingWhereItSaysSo) {
  for (const Optimizer& optimizer : all_optimizers()) {
    with_optimizer(optimizer.index, [&]<class Chosen>() {
      float value = 0.3F, states[Chosen::states.size()];
      for (float& state : states) state = 0.7F;
      Chosen::update(value, states, 0.0F, in_float(optimizer.step_size(0.1, 1e-8, 3)));
      bool unchanged = value == 0.3F;
      for (const float state : states) unchanged = unchanged && state == 0.7F;
      EXPECT_EQ(unchanged, Chosen::zero_gradients_change_nothing) << optimizer.name;
    });
  }
}

TEST(OptimizerList, UnknownNamesAreRefused) {
  EXPECT_EQ(find_optimizer("").name, "adagrad");
  EXPECT_EQ(optimizer_names(), (std::vector<std::string>{"adagrad", "adam"}));
  try {
    make_engine(tiny_plan, {.threads = 1, .optimizer = "sgd"});
    ADD_FAILURE() << "an engine was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::request);
    EXPECT_EQ(error.option(), "optimizer");
  }
  const auto engine = make_engine(tiny_plan, {.threads = 1});
  std::vector<float> rows(5 * 40);
  EXPECT_THROW(engine->write(0, optimizer_state(1), rows), Error);
}

TEST(OptimizerList, EveryStateCountsAsMemory) {
  const std::vector<Example> examples = random_examples(tiny_plan.shape, 10, 3);
  std::vector<std::uint64_t> bytes;
  for (const Optimizer& optimizer : all_optimizers()) {
    const auto engine =
        make_engine(tiny_plan, {.threads = 1, .optimizer = std::string(optimizer.name)});
    engine->set_examples(examples);
    bytes.push_back(engine->memory_bytes());
  }
  EXPECT_GE(bytes[1], bytes[0] + static_cast<std::uint64_t>(parameter_count(tables_of(tiny_plan))) *
                                     sizeof(float));
}

struct SeveralSteps {
  std::string optimizer;
  LossRules rules;
  Precision precision = Precision::fp32;
  // Not so small that the rounding of a gradient that should be zero becomes a step.
  double epsilon = 1e-3;
  double tolerance = 1e-4;
};

// With candidates' features, and averages where the rules have a teacher.
void expect_steps(const ModelVariant& variant, const std::string& target,
                  const SeveralSteps& test) {
  constexpr std::uint64_t key = 7;
  constexpr std::size_t batch = 17;
  ModelPlan plan = plan_of(variant, 5, {23, 6, 5, 0});
  const RandomFeatures features(plan.shape, 2);
  plan.feature_count = 2;
  plan.features = &features;
  EngineOptions options = options_of(target, test.precision);
  options.optimizer = test.optimizer;
  options.averages = options.teacher = test.rules.teacher_share > 0;
  const auto engine = make_engine(plan, options);
  const auto slow = make_slow_model(plan, random_tables(plan, 5, 0.4));
  const auto examples = random_examples(plan.shape, 40, 3);
  write_tables(*engine, slow->tables());
  ReferenceTables averages, gradient;
  if (options.teacher)
    write_tables(*engine, averages = random_tables(plan, 9, 0.4), State::average);
  engine->set_examples(examples);
  const Optimizer& optimizer = engine->optimizer();
  ReferenceStates states = fresh_states(optimizer, slow->tables());
  for (std::int64_t step = 0; step < 5; ++step) {
    const auto first = static_cast<std::size_t>(step % 2) * batch;
    const StepRules rules{test.rules, 0.05, test.epsilon, step};
    slow->loss(shuffled(examples, key, first, batch), test.rules,
               random_bits(key, static_cast<std::uint64_t>(first)), &gradient,
               averages.empty() ? nullptr : &averages);
    take_step(optimizer, rules, variant.rows.size(), batch, gradient, states, slow->tables());
    engine->step(key, static_cast<std::int64_t>(first), batch, rules);
  }
  const auto expect_tables = [&](State state, const ReferenceTables& wanted, std::string what) {
    const auto found = read_tables(*engine, state);
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      const double most = test.tolerance * std::max(largest_magnitude(wanted[r]), 1e-3);
      for (std::size_t i = 0; i < wanted[r].size(); ++i)
        ASSERT_NEAR(found[r][i], wanted[r][i], most)
            << test.optimizer << ", " << what << " of table " << r << " at " << i;
    }
  };
  expect_tables(State::value, slow->tables(), "values");
  for (std::size_t s = 0; s < states.size(); ++s)
    expect_tables(optimizer_state(s), states[s], std::string(optimizer.states[s]));
}

LossRules regularised() {
  LossRules rules;
  rules.lambda_n3 = rules.lambda_time = 0.02;
  rules.lambda_features = 0.01;
  return rules;
}

class SeveralStepsOf : public ByVariantAndTarget {};

TEST_P(SeveralStepsOf, AgreeWithTheSlowTruth) {
  for (const std::string& optimizer : optimizer_names()) {
    LossRules rules = regularised();
    expect_steps(variant, target, {optimizer, rules});
    rules.negatives = 5;
    rules.dropout = 0.2F;
    rules.teacher_share = 0.3F;
    expect_steps(variant, target, {optimizer, rules});
  }
}

// Of the best instruction set: the others' updates are held against the formula above.
auto best_targets() {
  auto names = targets();
  if (names.back() == "gpu") return std::vector<std::string>{names.front(), names.back()};
  return std::vector<std::string>{names.front()};
}
INSTANTIATE_TEST_SUITE_P(Variants, SeveralStepsOf,
                         testing::Combine(every_variant(), testing::ValuesIn(best_targets())),
                         name_of_both);

// A plain product, a core tensor, candidates of their own, and those of each time.
TEST(SeveralSteps, InBf16AgreeWithTheSlowTruth) {
  for (const char* model : {"bsca", "tcomplex", "tuckertnt", "tlt-kge", "de-simple"})
    for (const std::string& optimizer : optimizer_names())
      for (const std::string& target : targets()) {
        SCOPED_TRACE(std::string(model).append(", ").append(target));
        LossRules rules = regularised();
        rules.teacher_share = 0.3F;
        for (rules.negatives = 0; rules.negatives < 6; rules.negatives += 5)
          expect_steps(find_variant(model, {}), target,
                       {optimizer, rules, Precision::bf16, 0.1, 2e-2});
      }
}

// Split into two engines by way of read and write: what resume needs.
TEST(SeveralSteps, OfAdamGoOnInAnotherEngine) {
  const ModelPlan plan = plan_of(find_variant("bsca", {}), 19);
  const auto examples = random_examples(plan.shape, 60, 4);
  for (const std::string& target : targets()) {
    EngineOptions options = options_of(target, Precision::bf16);
    options.optimizer = "adam";
    const auto whole = make_engine(plan, options), other = make_engine(plan, options);
    for (Engine* engine : {whole.get(), other.get()}) engine->set_examples(examples);
    start_randomly(*whole, 2, 0.2);
    StepRules rules;
    rules.learning_rate = 0.01;
    whole->step(1, 0, 30, rules);
    const State states[] = {State::value, optimizer_state(0), optimizer_state(1)};
    for (const State state : states) copy_tables(*whole, *other, state);
    rules.steps_before = 1;
    for (Engine* engine : {whole.get(), other.get()}) engine->step(1, 30, 30, rules);
    for (const State state : states)
      EXPECT_EQ(read_tables(*whole, state), read_tables(*other, state)) << target;
    rules.steps_before = 0;
    for (const State state : states) copy_tables(*whole, *other, state);
    other->step(1, 0, 30, rules);
    rules.steps_before = 2;
    whole->step(1, 0, 30, rules);
    EXPECT_NE(read_tables(*whole, State::value), read_tables(*other, State::value))
        << "the number of steps before has no effect";
  }
}

}  // namespace
}  // namespace orrery
