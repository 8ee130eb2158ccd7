// The slow truth itself: its gradient is that of its loss, by central differences.
#include "engine/slow_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"
#include "engine/zero_lanes.h"
#include "models/list.h"

namespace orrery {
namespace {

template <class M>
class SlowModelOf final : public SlowModel {
 public:
  SlowModelOf(const ModelPlan& plan, ReferenceTables start)
      : plan_(plan), model_(plan, std::move(start)) {}
  ReferenceTables& tables() override { return model_.tables; }
  std::vector<double> query(const Query& q) const override { return model_.query(q); }
  std::vector<double> scores(const Query& q) const override { return model_.scores(q); }
  LossSums loss(const std::vector<Example>& batch, const LossRules& rules, std::uint64_t step_key,
                ReferenceTables* gradient, const ReferenceTables* averages) const override {
    if (averages == nullptr) return model_.loss(batch, rules, step_key, gradient);
    const Reference<M> teacher(plan_, *averages);
    return model_.loss(batch, rules, step_key, gradient, &teacher);
  }
  double made_of_zeros() const override { return orrery::made_of_zeros<M>(); }

 private:
  ModelPlan plan_;
  Reference<M> model_;
};

}  // namespace

std::unique_ptr<SlowModel> make_slow_model(const ModelPlan& plan, ReferenceTables start) {
  std::unique_ptr<SlowModel> made;
  [&]<class... Models>(ModelList<Models...>) {
    std::size_t index = 0;
    ((index++ == plan.variant->index
          ? void(made = std::make_unique<SlowModelOf<Models>>(plan, std::move(start)))
          : void()),
     ...);
  }(AllModels{});
  return made;
}

namespace {

constexpr std::uint64_t step_key = 77;
constexpr double step = 1e-5;

class Gradients : public ByVariant {
 protected:
  static LossRules rules_with(Norm norm, float exponent, float dropout) {
    return {.lambda_n3 = 0.3, .lambda_time = 0.2, .norm = {norm, exponent}, .dropout = dropout};
  }

  // (loss(x + step · direction) − loss(x − step · direction)) / (2 · step), in one table.
  static double slope(SlowModel& model, std::size_t row, const std::vector<double>& direction,
                      const std::vector<Example>& batch, const LossRules& rules,
                      const ReferenceTables* averages = nullptr) {
    const std::vector<double> start = model.tables()[row];
    double ends[2];
    for (const int side : {0, 1}) {
      for (std::size_t i = 0; i < start.size(); ++i)
        model.tables()[row][i] = start[i] + (side == 1 ? step : -step) * direction[i];
      ends[side] = model.loss(batch, rules, step_key, nullptr, averages).total();
    }
    model.tables()[row] = start;
    return (ends[1] - ends[0]) / (2 * step);
  }

  // Every table against its slope in random directions: any wrong component shows in all of them.
  static void expect_true_gradient(const ModelPlan& plan, const LossRules& rules,
                                   const std::string& what) {
    const auto model = make_slow_model(plan, random_tables(plan, 5, 0.6));
    const auto batch = random_examples(plan.shape, 4, 9);
    const ReferenceTables averages = random_tables(plan, 13, 0.6);
    const ReferenceTables* taught = rules.teacher_share > 0 ? &averages : nullptr;
    ReferenceTables gradient;
    model->loss(batch, rules, step_key, &gradient, taught);
    for (std::size_t row = 0; row < gradient.size(); ++row) {
      if (gradient[row].empty()) continue;
      for (const std::uint64_t key : {1, 2}) {
        std::vector<double> direction(gradient[row].size());
        double wanted = 0, scale = 0;
        for (std::size_t i = 0; i < direction.size(); ++i) {
          direction[i] = random_normal(key, i);
          wanted += direction[i] * gradient[row][i];
          scale += std::abs(direction[i] * gradient[row][i]);
        }
        // (With nothing to tell the two views apart, attention has no gradient.)
        if (plan.without.size() < 2) {
          ASSERT_GT(scale, 0) << what << ": no gradient reaches " << plan.variant->rows[row].name;
        }
        ASSERT_NEAR(slope(*model, row, direction, batch, rules, taught), wanted, 1e-7 * (1 + scale))
            << what << ", " << plan.variant->rows[row].name;
      }
    }
  }
};

TEST_P(Gradients, EveryComponentIsTheSlopeOfTheLoss) {
  const ModelPlan small = plan(5, {4, 2, 3, 0});
  const LossRules rules = rules_with(Norm::complex, 3, 0);
  const auto model = make_slow_model(small, random_tables(small, 3, 0.6));
  const auto batch = random_examples(small.shape, 3, 2);
  ReferenceTables gradient;
  model->loss(batch, rules, step_key, &gradient);
  for (std::size_t row = 0; row < gradient.size(); ++row)
    for (std::size_t i = 0; i < gradient[row].size(); ++i) {
      std::vector<double> direction(gradient[row].size());
      direction[i] = 1;
      ASSERT_NEAR(slope(*model, row, direction, batch, rules), gradient[row][i], 1e-8)
          << variant.rows[row].name << " at " << i;
    }
}

TEST_P(Gradients, HoldForBothNormsEveryExponentAndDropout) {
  for (const Norm norm : {Norm::complex, Norm::element})
    for (const float exponent : {3.0F, 4.0F, 2.5F})
      for (const float dropout : {0.0F, 0.3F})
        expect_true_gradient(
            plan(5), rules_with(norm, exponent, dropout),
            (norm == Norm::complex ? "complex norm, exponent " : "element norm, ") +
                std::to_string(exponent) + ", dropout " + std::to_string(dropout));
}

TEST_P(Gradients, HoldWhereWholeLanesAreDropped) {
  LossRules rules = rules_with(Norm::complex, 3, 0.3F);
  rules.drop_lanes = true;
  expect_true_gradient(plan(5), rules, "lanes dropped");
}

TEST_P(Gradients, HoldForDrawnCandidatesAndAnExponentForTimesAlone) {
  LossRules rules = rules_with(Norm::complex, 3, 0);
  rules.negatives = 2;
  rules.time_exponent = 4;
  expect_true_gradient(plan(5), rules, "two drawn candidates");
}

TEST_P(Gradients, HoldWithATeacher) {
  LossRules rules = rules_with(Norm::complex, 3, 0.3F);
  rules.teacher_share = 0.4F;
  expect_true_gradient(plan(5), rules, "taught");
}

// Who is taught by itself, and by nothing else, has nothing to learn.
TEST_P(Gradients, VanishWhereTheTeacherIsTheModel) {
  const ModelPlan small = plan(5);
  const auto tables = random_tables(small, 5, 0.6);
  const auto model = make_slow_model(small, tables);
  LossRules rules;
  rules.teacher_share = 1;
  ReferenceTables gradient;
  const auto batch = random_examples(small.shape, 4, 9);
  const LossSums losses = model->loss(batch, rules, step_key, &gradient, &tables);
  EXPECT_GT(losses.cross_entropy, 0);
  for (const auto& table : gradient) EXPECT_LT(largest_magnitude(table), 1e-14);
}

TEST_P(Gradients, HoldWithoutEachRowThatCanBeLeftOut) {
  std::vector<std::string> all;
  for (const RowSpec& row : variant.rows) {
    if (row.without == Without::impossible) continue;
    ModelPlan without = plan(5);
    without.without = {std::string(row.name)};
    all.emplace_back(row.name);
    expect_true_gradient(without, rules_with(Norm::complex, 3, 0.2F),
                         "without " + std::string(row.name));
  }
  ModelPlan none = plan(5);
  none.without = all;
  expect_true_gradient(none, rules_with(Norm::complex, 3, 0), "without any of them");
}

class AuxiliaryLosses : public Gradients {};

TEST_P(AuxiliaryLosses, HaveTrueGradients) {
  for (const auto& auxiliary : {std::array{0.7, 0.0}, std::array{0.0, 0.4}, std::array{0.5, 1.5}}) {
    LossRules rules = rules_with(Norm::complex, 3, 0.3F);
    rules.auxiliary = auxiliary;
    expect_true_gradient(plan(5), rules, "auxiliary losses");
  }
}

// Their losses are those of the scores themselves, where a model has no shifts.
TEST_P(AuxiliaryLosses, AskForWhatScoresTell) {
  if (variant.choice("attention") == "product")
    GTEST_SKIP() << "the weights of this attention do not add to one";
  ModelPlan bare = plan(5, {6, 3, 4, 0});
  for (const RowSpec& row : variant.rows)
    if (row.without == Without::zero) bare.without.emplace_back(row.name);
  const auto model = make_slow_model(bare, random_tables(bare, 3, 0.6));
  for (const Example& example : random_examples(bare.shape, 5, 2)) {
    for (const std::size_t side : {0U, 1U}) {
      LossRules rules;
      rules.auxiliary[side] = 2;
      double sum = 0, own = 0;
      for (std::int32_t other = 0; other < (side == 0 ? 3 : 4); ++other) {
        Query asked = example.query;
        (side == 0 ? asked.relation : asked.time) = other;
        const double score = model->scores(asked)[static_cast<std::size_t>(example.object)];
        sum += std::exp(score);
        if (asked == example.query) own = score;
      }
      EXPECT_NEAR(model->loss({example}, rules, step_key, nullptr).auxiliary,
                  2 * (std::log(sum) - own), 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, AuxiliaryLosses, asking_variants(), name_of_variant);
INSTANTIATE_TEST_SUITE_P(Variants, Gradients, every_variant(), name_of_variant);

}  // namespace
}  // namespace orrery
