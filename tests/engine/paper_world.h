// A small random model whose rows can be read by name, to hold its scores and penalties against
// formulas written out by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "engine/battery.h"
#include "engine/reference.h"
#include "models/list.h"

namespace orrery {

using Reals = std::vector<double>;
using Complexes = std::vector<std::complex<double>>;

// Formulas take their constants as floats.
inline constexpr double formula_pi = std::numbers::pi_v<float>;

template <class M>
class PaperWorld {
 public:
  static constexpr int lanes = 6;
  static constexpr ModelShape shape = {
      .entities = 5, .relation_rows = 3, .times = 7, .dim = lanes * M::Algebra::size, .window = 3};

  PaperWorld() : plan_(make_plan()), tables_(random_tables(plan_, 17, 0.6)) {}

  double clock(std::int32_t time, ClockReading reading) const {
    return plan_
        .clock[static_cast<std::size_t>(time) * clock_readings + static_cast<std::size_t>(reading)];
  }

  // One component of a row, lane by lane.
  Reals row(std::string_view name, std::int32_t id, int component = 0) const {
    const auto at = std::ranges::find(M::rows, name, &RowSpec::name);
    if (at == M::rows.end()) throw std::invalid_argument(std::string(name));
    const auto& table = tables_[static_cast<std::size_t>(at - M::rows.begin())];
    const auto begin = table.begin() + std::ptrdiff_t{id} * shape.dim + component * lanes;
    return {begin, begin + lanes};
  }
  Complexes complex_row(std::string_view name, std::int32_t id) const {
    const Reals real = row(name, id, 0), imaginary = row(name, id, 1);
    Complexes z;
    for (std::size_t i = 0; i < lanes; ++i) z.emplace_back(real[i], imaginary[i]);
    return z;
  }

  // score(q, answer) must be that of the model.
  void expect_scores(const std::function<double(const Query&, std::int32_t)>& score) const {
    const Reference<M> model(plan_, tables_);
    for (const Example& e : random_examples(shape, 8, 3)) {
      const auto found = model.scores(e.query);
      for (std::int32_t o = 0; o < shape.entities; ++o) {
        const double wanted = score(e.query, o);
        EXPECT_NEAR(found[static_cast<std::size_t>(o)], wanted, 1e-12 * (1 + std::abs(wanted)))
            << "answer " << o;
      }
    }
  }

  // The penalty of one example's factors must be this.
  void expect_penalty(const std::function<double(const Query&, std::int32_t)>& penalty) const {
    const Reference<M> model(plan_, tables_);
    for (const Example& e : random_examples(shape, 4, 5)) {
      const std::vector<Example> batch = {e};
      const auto sums = model.loss(batch, {.lambda_n3 = 1, .norm = {}}, 1, nullptr);
      const double wanted = penalty(e.query, e.object);
      EXPECT_NEAR(sums.n3, wanted, 1e-12 * (1 + wanted));
    }
  }
  // The penalty of the step from each time to the next, summed, must be this.
  void expect_time_penalty(const std::function<double(std::int32_t, std::int32_t)>& penalty) const {
    const Reference<M> model(plan_, tables_);
    const auto batch = random_examples(shape, 1, 5);
    double wanted = 0;
    for (std::int32_t t = 0; t + 1 < shape.times; ++t) wanted += penalty(t, t + 1);
    EXPECT_NEAR(model.loss(batch, {.lambda_time = shape.times - 1.0, .norm = {}}, 1, nullptr).time,
                wanted, 1e-12 * (1 + wanted));
  }

 private:
  static ModelPlan make_plan() {
    std::map<std::string, std::string> options;
    for (const Choice& choice : choices_of<M>()) options.emplace(choice.option, choice.value);
    ModelPlan plan{&find_variant(M::name, options), shape, {}, {}};
    for (int t = 0; t < shape.times; ++t)
      plan.clock.insert(plan.clock.end(), {static_cast<float>(t) / (shape.times - 1),
                                           static_cast<float>(t / 4), 1.0F + t, 3.0F + 2 * t});
    return plan;
  }

  ModelPlan plan_;
  ReferenceTables tables_;
};

inline double cube(double x) { return std::pow(std::abs(x), 3); }
inline double cubes(const Reals& x) {
  double sum = 0;
  for (const double v : x) sum += cube(v);
  return sum;
}
inline double cubes(const Complexes& z) {
  double sum = 0;
  for (const auto& v : z) sum += cube(std::abs(v));
  return sum;
}
// Re ⟨x, conj(y)⟩
inline double product(const Complexes& x, const Complexes& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] * std::conj(y[i])).real();
  return sum;
}

// A lane of four reals.
struct Four {
  double w = 0, x = 0, y = 0, z = 0;
  double norm() const { return std::sqrt(w * w + x * x + y * y + z * z); }
};
template <class M>
Four four(const PaperWorld<M>& world, std::string_view name, std::int32_t id, std::size_t lane) {
  return {world.row(name, id, 0)[lane], world.row(name, id, 1)[lane], world.row(name, id, 2)[lane],
          world.row(name, id, 3)[lane]};
}
inline Four hamilton(const Four& p, const Four& q) {
  return {
      p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

}  // namespace orrery
