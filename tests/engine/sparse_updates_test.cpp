// Where candidates are drawn, only the entities of a step are updated: to the bit what an update of
// every row gives.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/battery.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

class SparseUpdates : public ByVariant {
 protected:
  std::unique_ptr<Engine> engine_with(const ModelPlan& plan, EngineOptions options) const {
    options.threads = 2;
    options.negatives = 4;
    options.batch = 9;
    auto engine = make_engine(plan, options);
    write_tables(*engine, random_tables(plan, 3, 0.4));
    engine->set_examples(random_examples(plan.shape, 60, 4));
    return engine;
  }
};

// All rows, one by one.
void train_every_row(Engine& engine) {
  std::vector<std::vector<std::int32_t>> rows;
  for (const TableSpec& table : engine.tables()) {
    rows.emplace_back(static_cast<std::size_t>(table.count));
    std::iota(rows.back().begin(), rows.back().end(), 0);
  }
  engine.train_only(rows);
}

void expect_same(const Engine& sparse, const Engine& dense, const char* optimizer) {
  std::vector<State> states = {State::value, State::average};
  for (std::size_t s = 0; s < sparse.optimizer().states.size(); ++s)
    states.push_back(optimizer_state(s));
  for (const State state : states)
    EXPECT_EQ(read_tables(sparse, state), read_tables(dense, state)) << optimizer;
}

TEST_P(SparseUpdates, AreTheDensePassToTheBit) {
  ModelPlan small = plan(19, {60, 6, 5, 0});
  const RandomFeatures features(small.shape, 3);
  small.features = &features;
  for (const std::int32_t feature_count : {0, 3})
    for (const double lambda_n3 : {0.0, 0.05})
      for (const auto& [precision, optimizer] : {std::pair{Precision::fp32, "adagrad"},
                                                 {Precision::bf16, "adagrad"},
                                                 {Precision::bf16, "adam"}}) {
        small.feature_count = feature_count;
        EngineOptions options{.precision = precision, .optimizer = optimizer};
        options.averages = options.teacher = lambda_n3 > 0;
        const auto sparse = engine_with(small, options), dense = engine_with(small, options);
        train_every_row(*dense);
        StepRules rules;
        rules.loss.lambda_n3 = lambda_n3;
        rules.loss.lambda_time = 0.2;
        rules.loss.dropout = 0.2F;
        rules.loss.teacher_share = lambda_n3 > 0 ? 0.3F : 0.0F;
        // The last step is against all entities: it reads what the others left everywhere.
        for (rules.steps_before = 0; rules.steps_before < 5; ++rules.steps_before) {
          rules.loss.negatives = rules.steps_before < 4 ? 4 : 0;
          for (Engine* engine : {sparse.get(), dense.get()}) {
            if (options.averages) engine->update_average(0.8);
            engine->step(7, 9 * rules.steps_before, 9, rules);
          }
          EXPECT_EQ(sparse->losses().total(), dense->losses().total());
        }
        expect_same(*sparse, *dense, optimizer);
      }
}

INSTANTIATE_TEST_SUITE_P(Variants, SparseUpdates, every_variant(), name_of_variant);

}  // namespace
}  // namespace orrery
