// Where candidates are drawn, only the entities of a step are updated: to the bit what an update of
// every row gives, on every device.
#include <gtest/gtest.h>

#include "engine/battery.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

// Half of the examples share a subject: its contributions are folded on a GPU.
constexpr std::int64_t batch = 40;
constexpr ModelShape sparse_shape = {150, 6, 5, 0};

struct SparseCase {
  std::int32_t features = 0;
  double lambda_n3 = 0;
  bool teacher = false;
  Precision precision = Precision::fp32;
  const char* optimizer = "adagrad";
};

std::unique_ptr<Engine> engine_with(const ModelPlan& plan, const SparseCase& test,
                                    EngineOptions options, bool every_row) {
  options.threads = 2;
  options.precision = test.precision;
  options.optimizer = test.optimizer;
  options.averages = options.teacher = test.teacher;
  options.batch = batch;
  options.every_row = every_row;
  auto engine = make_engine(plan, options);
  write_tables(*engine, random_tables(plan, 3, 0.4));
  engine->set_examples(skewed_examples(plan.shape, 5 * batch, 4));
  return engine;
}

void expect_same(const Engine& sparse, const Engine& dense, const std::string& what) {
  std::vector<State> states = {State::value, State::average};
  for (std::size_t s = 0; s < sparse.optimizer().states.size(); ++s)
    states.push_back(optimizer_state(s));
  for (const State state : states)
    EXPECT_EQ(read_tables(sparse, state), read_tables(dense, state)) << what;
}

// Steps against few candidates, more of them and fewer, a short batch, and last one against all
// entities, which reads what the others left everywhere.
void expect_dense_bits(ModelPlan plan, const SparseCase& test, const EngineOptions& options) {
  const RandomFeatures features(plan.shape, 3);
  plan.features = &features;
  plan.feature_count = test.features;
  const auto sparse = engine_with(plan, test, options, false);
  const auto dense = engine_with(plan, test, options, true);
  StepRules rules;
  rules.loss.lambda_n3 = test.lambda_n3;
  rules.loss.lambda_time = 0.2;
  rules.loss.dropout = 0.2F;
  rules.loss.teacher_share = test.teacher ? 0.3F : 0.0F;
  for (const std::int32_t negatives : {4, 30, 1, 4, 0}) {
    rules.loss.negatives = negatives;
    const std::int64_t count = negatives == 1 ? batch / 4 : batch;
    for (Engine* engine : {sparse.get(), dense.get()}) {
      if (test.teacher) engine->update_average(0.8);
      engine->step(7, batch * rules.steps_before, count, rules);
    }
    ++rules.steps_before;
    EXPECT_EQ(sparse->losses().total(), dense->losses().total())
        << sparse->description() << ", step " << rules.steps_before;
  }
  expect_same(*sparse, *dense, sparse->description() + ", " + test.optimizer);
}

class SparseUpdates : public ByVariant {};

TEST_P(SparseUpdates, AreTheDensePassToTheBit) {
  for (const std::int32_t features : {0, 3})
    for (const double lambda_n3 : {0.0, 0.05})
      for (const auto& [precision, optimizer] : {std::pair{Precision::fp32, "adagrad"},
                                                 {Precision::bf16, "adagrad"},
                                                 {Precision::bf16, "adam"}})
        expect_dense_bits(plan(19, sparse_shape),
                          {features, lambda_n3, lambda_n3 > 0, precision, optimizer}, {});
}

INSTANTIATE_TEST_SUITE_P(Variants, SparseUpdates, every_variant(), name_of_variant);

class GpuSparseUpdates : public OnGpu {
 protected:
  static void expect_dense_bits_of(const ModelVariant& variant) {
    for (const SparseCase& test :
         {SparseCase{}, SparseCase{.lambda_n3 = 0.05, .precision = Precision::bf16},
          SparseCase{3, 0.05, true, Precision::bf16}, SparseCase{3, 0, true},
          SparseCase{.lambda_n3 = 0.05, .precision = Precision::bf16, .optimizer = "adam"}})
      expect_dense_bits(plan_of(variant, 19, sparse_shape), test, {.device = "cuda"});
  }
};

TEST_F(GpuSparseUpdates, AreTheDensePassToTheBit) {
  for (const ModelVariant& variant : all_variants()) {
    SCOPED_TRACE(name_of(variant));
    expect_dense_bits_of(variant);
  }
}

// Of rows and of derived candidates, in short.
TEST_F(GpuSparseUpdates, OfTwoModelsAreTheDensePassToTheBit) {
  for (const char* model : {"tcomplex", "de-simple"}) expect_dense_bits_of(find_variant(model, {}));
}

}  // namespace
}  // namespace orrery
