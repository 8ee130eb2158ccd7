// Embeddings that a GPU's memory does not hold lie in the host's: the same steps and answers.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/battery.h"
#include "engine/quiz.h"
#include "engine/refusal.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

constexpr int levels = 5;  // averages, states, gradients, values, rounded copies
// So that rows come to the products in several pieces, the last of them a short one.
constexpr ModelShape shape = {75, 6, 5, 0};

class GpuHostTables : public OnGpu {
 protected:
  // Products, distances, derived candidates (also by time), several rows of an entity, a core.
  static constexpr const char* models[] = {"bsca",  "tcomplex", "ttranse",
                                           "boxte", "hyte",     "tuckertnt"};

  // All of one model, and of the others the last.
  static std::vector<int> levels_for(std::string_view model, bool taught) {
    if (model != "tcomplex") return {levels};
    return taught ? std::vector{1, 2, 3, 4, levels} : std::vector{2, 3, 4, levels};
  }
  static EngineOptions options_with(int on_host, Precision precision) {
    EngineOptions options = options_of("gpu", precision);
    options.tables_on_host = on_host;
    return options;
  }
  static std::unique_ptr<Engine> trained(const ModelPlan& plan, EngineOptions options,
                                         std::int32_t negatives, bool taught) {
    options.batch = 40;
    options.averages = options.teacher = taught;
    options.auxiliary = true;
    auto engine = make_engine(plan, options);
    write_tables(*engine, random_tables(plan, 3, 0.4));
    engine->set_examples(skewed_examples(plan.shape, 200, 4));
    StepRules rules{.epsilon = 1e-3};
    rules.loss.lambda_n3 = 0.05;
    rules.loss.lambda_time = 0.2;
    rules.loss.dropout = 0.2F;
    rules.loss.negatives = negatives;
    rules.loss.teacher_share = taught ? 0.3F : 0.0F;
    if (plan.variant->auxiliary_targets != std::array{-1, -1}) rules.loss.auxiliary = {0.5, 0.5};
    for (; rules.steps_before < 2; ++rules.steps_before) {
      if (taught) engine->update_average(0.8);
      engine->step(7, 40 * rules.steps_before, 40, rules);
    }
    return engine;
  }
  static std::vector<ReferenceTables> all_tables(const Engine& engine) {
    return {read_tables(engine, State::value), read_tables(engine, State::average),
            read_tables(engine, State::optimizer)};
  }
  // Where sums over candidates are taken piece by piece.
  static void expect_close(const std::vector<ReferenceTables>& found,
                           const std::vector<ReferenceTables>& wanted, double tolerance,
                           const std::string& what) {
    for (std::size_t state = 0; state < wanted.size(); ++state)
      for (std::size_t r = 0; r < wanted[state].size(); ++r) {
        const double allowed = tolerance * (1 + largest_magnitude(wanted[state][r]));
        for (std::size_t i = 0; i < wanted[state][r].size(); ++i)
          ASSERT_NEAR(found[state][r][i], wanted[state][r][i], allowed) << what << ", row " << r;
      }
  }
  static void expect_same_answers(Engine& found, Engine& wanted, const std::string& what) {
    const Quiz quiz = random_quiz(shape, 30);
    std::vector<QueryPair> queries;
    for (const RankQuestion& question : quiz.questions) queries.push_back(question.queries);
    const auto answers_of = [&](Engine& engine) {
      write_whole_numbers(engine);
      std::vector<RankCounts> counts(quiz.questions.size());
      engine.rank(quiz.questions, counts);
      std::vector<float> scores(queries.size() * static_cast<std::size_t>(shape.entities));
      engine.score(queries, scores);
      std::vector<TopAnswers> best(queries.size());
      engine.top(queries, 3, best);
      std::vector<std::int32_t> entities;
      for (const TopAnswers& answers : best)
        for (const ScoredEntity& answer : answers.best) entities.push_back(answer.entity);
      return std::tuple(counts, scores, entities);
    };
    EXPECT_TRUE(answers_of(found) == answers_of(wanted)) << what;
  }
};

TEST_F(GpuHostTables, StepsAreThoseOfTheTruth) {
  for (const char* model : models) {
    StepCase test{.shape = shape, .examples = 90, .first = 7, .count = 61};
    test.rules.teacher_share = 0.4F;
    const SlowStep truth(find_variant(model, {}), test);
    for (const auto& [precision, tolerance, name] : roundings)
      truth.expect_of(options_with(levels, precision), tolerance,
                      std::string(model) + " " + name.data());
  }
}

TEST_F(GpuHostTables, StepsAndAnswersAreThoseOfTheDevicesOwnMemory) {
  for (const char* model : models)
    for (const auto& [negatives, taught] : {std::pair{0, false}, {0, true}, {20, true}}) {
      const ModelPlan plan = plan_of(find_variant(model, {}), 5, shape);
      for (const Precision precision : {Precision::fp32, Precision::bf16}) {
        const auto wanted = trained(plan, options_with(0, precision), negatives, taught);
        const auto wanted_tables = all_tables(*wanted);
        for (const int on_host : levels_for(model, taught)) {
          const auto found = trained(plan, options_with(on_host, precision), negatives, taught);
          const std::string what = std::string(model) + ", " + found->description() + ", " +
                                   std::to_string(negatives) + " negatives";
          EXPECT_NE(found->description().find("of the host's memory"), std::string::npos) << what;
          // Drawn candidates are a table of their own, and so are rounded copies. Distances are
          // always in fp32.
          const bool rounded = precision != Precision::fp32 && plan.variant->by_product;
          const bool in_pieces = !plan.variant->derives_candidates() && negatives == 0 &&
                                 (rounded ? on_host == levels : on_host >= 4 || taught);
          const double tolerance = precision == Precision::fp32 ? 1e-5 : 2e-2;
          if (in_pieces)
            expect_close(all_tables(*found), wanted_tables, tolerance, what);
          else
            EXPECT_TRUE(all_tables(*found) == wanted_tables) << what;
          expect_same_answers(*found, *wanted, what);
          if (HasFailure()) return;
        }
      }
    }
}

constexpr ModelShape scarce_shape = {5000, 6, 4, 0};

// Less and less: what is described is met.
TEST_F(GpuHostTables, ABudgetDecidesWhatLiesThere) {
  const ModelPlan plan = plan_of(find_variant("tcomplex", {}), 200, scarce_shape);
  EngineOptions options = options_of("gpu", Precision::bf16);
  options.batch = 50;
  options.averages = true;
  for (const auto& [mebibytes, here] : {std::pair{120, ""},
                                        {66, "averages in"},
                                        {58, "optimizer state in"},
                                        {44, "embeddings in"}}) {
    options.memory = std::uint64_t{1} << 20;
    options.memory *= static_cast<std::uint64_t>(mebibytes);
    const auto engine = make_engine(plan, options);
    start_randomly(*engine, 1, 0.1);
    engine->set_examples(random_examples(plan.shape, 50, 1));
    engine->step(1, 0, 50, {});
    engine->update_average(0.5);
    EXPECT_LE(engine->memory_bytes(), options.memory);
    const std::string text = engine->description();
    EXPECT_NE(text.find(here), std::string::npos) << mebibytes << " MiB: " << text;
    EXPECT_EQ(text.find("of the host's memory") != std::string::npos, mebibytes < 100) << text;
  }
  options.memory = std::uint64_t{34} << 20;
  const std::string message = refusal([&] { make_engine(plan, options); });
  EXPECT_NE(message.find(format_memory(options.memory)), std::string::npos) << message;
}

// What was asked first lies on the device; training moves it.
TEST_F(GpuHostTables, TrainingMovesWhatWasAskedBefore) {
  const ModelPlan plan = plan_of(find_variant("tcomplex", {}), 200, scarce_shape);
  EngineOptions options = options_of("gpu", Precision::bf16);
  options.memory = std::uint64_t{48} << 20;
  const auto engine = make_engine(plan, options);
  start_randomly(*engine, 1, 0.1);
  const auto start = read_tables(*engine, State::value);
  EXPECT_EQ(engine->description().find("host"), std::string::npos) << engine->description();
  engine->set_examples(random_examples(plan.shape, 50, 1));
  StepRules still;
  still.learning_rate = 0;
  engine->step(1, 0, 50, still);
  EXPECT_NE(engine->description().find("of the host's memory"), std::string::npos)
      << engine->description();
  EXPECT_EQ(read_tables(*engine, State::value), start);
}

}  // namespace
}  // namespace orrery
