// One training step by the slow truth, to compare engines with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "engine/battery.h"
#include "engine/slow_model.h"

namespace orrery {

struct StepCase {
  std::int32_t lanes = 5;
  ModelShape shape = {11, 6, 4, 0};
  std::size_t examples = 50, first = 7, count = 37;
  LossRules rules = {.lambda_n3 = 0.3, .lambda_time = 0.2, .norm = {}, .dropout = 0};
  std::vector<std::string> without = {};
  double scale = 0.5;  // of the random tables; wide rows want less, or softmax picks one entity
  bool skewed = false;
  std::int32_t features = 0;  // of candidates, a relation row
};

// About every third candidate has one, and some have two.
class RandomFeatures final : public CandidateFeatures {
 public:
  RandomFeatures(const ModelShape& shape, std::int32_t per_relation)
      : entities_(shape.entities), per_relation_(per_relation) {}

  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    const auto key =
        static_cast<std::uint64_t>((query.subject * 131 + query.relation) * 131 + query.time);
    for (std::int32_t e = 0; e < entities_; ++e)
      for (std::uint64_t second = 0; second < 2; ++second) {
        const std::uint64_t bits =
            random_bits(mix(key), 2 * static_cast<std::uint64_t>(e) + second);
        if (bits % 6 == 0)
          features.push_back(
              {e, query.relation * per_relation_ +
                      static_cast<std::int32_t>((bits >> 32) %
                                                static_cast<std::uint64_t>(per_relation_))});
      }
  }

 private:
  std::int32_t entities_, per_relation_;
};

// How far from the truth a step may be, relative to the loss and to a table's largest gradient.
struct Rounding {
  Precision precision;
  double tolerance;
  std::string_view name;
};
inline constexpr Rounding roundings[] = {{Precision::fp32, 1e-4, "fp32"},
                                         {Precision::tf32, 2e-3, "tf32"},
                                         {Precision::bf16, 2e-2, "bf16"}};

class SlowStep {
 public:
  SlowStep(const ModelVariant& variant, const StepCase& test)
      : test_(test),
        plan_(plan_of(variant, test.lanes, test.shape)),
        features_(test.shape, test.features) {
    plan_.without = test.without;
    plan_.feature_count = test.features;
    if (test.features > 0) plan_.features = &features_;
    start_ = random_tables(plan_, 5, test.scale);
    examples_ = test.skewed ? skewed_examples(plan_.shape, test.examples, 3)
                            : random_examples(plan_.shape, test.examples, 3);
    if (test.rules.teacher_share > 0) averages_ = random_tables(plan_, 17, test.scale);
    losses_ = make_slow_model(plan_, start_)
                  ->loss(shuffled(examples_, shuffle_key, test.first, test.count), test.rules,
                         random_bits(shuffle_key, static_cast<std::uint64_t>(test.first)),
                         &gradient_, averages_.empty() ? nullptr : &averages_);
  }

  const ModelPlan& plan() const { return plan_; }

  void take(Engine& engine) const {
    write_tables(engine, start_);
    if (!averages_.empty()) write_tables(engine, averages_, State::average);
    engine.set_examples(examples_);
    engine.step(shuffle_key, static_cast<std::int64_t>(test_.first),
                static_cast<std::int64_t>(test_.count), {test_.rules, learning_rate, epsilon});
  }

  // Of an engine that has taken this step and no other.
  void expect_taken(Engine& engine, double tolerance, const std::string& what) const {
    const LossSums found = engine.losses();
    EXPECT_EQ(found.steps, 1) << what;
    // A lone candidate has no entropy: there the tolerance is a little more than nothing.
    EXPECT_NEAR(found.cross_entropy, losses_.cross_entropy,
                tolerance * std::max(losses_.cross_entropy, 0.01))
        << what;
    EXPECT_NEAR(found.n3, losses_.n3, 1e-4 * losses_.n3) << what;
    EXPECT_NEAR(found.time, losses_.time, 1e-4 * losses_.time) << what;
    EXPECT_NEAR(found.auxiliary, losses_.auxiliary, tolerance * std::max(losses_.auxiliary, 0.01))
        << what;
    expect_gradient(engine, tolerance, what);
    if (!averages_.empty()) {
      EXPECT_EQ(read_tables(engine, State::average), averages_) << what;
    }
  }
  void expect_of(EngineOptions options, double tolerance, const std::string& what) const {
    options.auxiliary = test_.rules.has_auxiliary_losses();
    options.averages = options.teacher = test_.rules.teacher_share > 0;
    const auto engine = make_engine(plan_, options);
    take(*engine);
    expect_taken(*engine, tolerance, what);
  }

 private:
  static constexpr std::uint64_t shuffle_key = 41;
  static constexpr double learning_rate = 0.1;
  static constexpr double epsilon = 1e-15;  // less than any gradient that is compared

  // The largest of several distances in units of what is allowed; NaN is larger than any.
  struct Worst {
    double excess = 0;
    std::size_t at = 0;

    void see(double distance, double allowed, std::size_t where) {
      const double seen = distance == 0 ? 0 : distance / allowed;
      if (std::isnan(excess) || seen <= excess) return;
      excess = seen;
      at = where;
    }
  };

  // Relative to a table's largest gradient. Where softmax is flat, those of most entities are far
  // smaller: each entity's is held against its own largest as well, less strictly.
  std::vector<double> allowed_distances(std::size_t row, double tolerance) const {
    const auto& gradient = gradient_[row];
    const double largest = largest_magnitude(gradient);
    std::vector<double> allowed(gradient.size(), tolerance * largest);
    const auto dim = static_cast<std::size_t>(plan_.shape.dim);
    if (row != 0) return allowed;
    for (std::size_t begin = 0; begin < gradient.size(); begin += dim) {
      double own = 0;
      for (std::size_t i = begin; i < begin + dim; ++i) own = std::max(own, std::abs(gradient[i]));
      const double less = 10 * tolerance * own + 1e-7 * largest;
      for (std::size_t i = begin; i < begin + dim; ++i) allowed[i] = std::min(allowed[i], less);
    }
    return allowed;
  }

  // Adagrad's first, by a gradient of this size.
  double first_move(std::size_t row, double size, double gradient) const {
    if (row < plan_.variant->rows.size()) return std::copysign(learning_rate, gradient);
    const double damping = test_.rules.feature_epsilon(static_cast<std::int64_t>(test_.count));
    return std::copysign(learning_rate * test_.rules.feature_rate * size / (size + damping),
                         gradient);
  }

  // After one step from zero squares √squares is |g|, and every value moved by rate · sign(g).
  void expect_gradient(const Engine& engine, double tolerance, const std::string& what) const {
    const auto squares = read_tables(engine, State::optimizer);
    const auto values = read_tables(engine, State::value);
    for (std::size_t r = 0; r < gradient_.size(); ++r) {
      const auto allowed = allowed_distances(r, tolerance);
      Worst of_gradient, of_move;
      for (std::size_t i = 0; i < gradient_[r].size(); ++i) {
        const double g = gradient_[r][i];
        of_gradient.see(std::abs(std::sqrt(squares[r][i]) - std::abs(g)), allowed[i], i);
        if (std::abs(g) > 2 * allowed[i])
          of_move.see(
              std::abs(values[r][i] - start_[r][i] + first_move(r, std::sqrt(squares[r][i]), g)),
              1e-5, i);
      }
      const std::string row(r < plan_.variant->rows.size() ? plan_.variant->rows[r].name
                                                           : "candidates' features");
      EXPECT_LE(of_gradient.excess, 1) << what << ", gradient of " << row << " at "
                                       << of_gradient.at << ", in units of the tolerance";
      EXPECT_LE(of_move.excess, 1)
          << what << ", step of " << row << " at " << of_move.at << ", in units of 1e-5";
    }
  }

  StepCase test_;
  ModelPlan plan_;
  RandomFeatures features_;
  ReferenceTables start_, gradient_;
  ReferenceTables averages_;  // of the teacher; empty: there is none
  std::vector<Example> examples_;
  LossSums losses_;
};

}  // namespace orrery
