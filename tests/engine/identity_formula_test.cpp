// Models of different papers that are the same model: docs/why-numbers-differ.md.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/battery.h"
#include "engine/reference.h"
#include "models/list.h"

namespace orrery {
namespace {

constexpr int lanes = 6;
constexpr ModelShape shape_of_twins = {.entities = 5, .relation_rows = 3, .times = 7, .dim = 0};

ModelPlan plan_of_twin(const ModelVariant& variant, int own_lanes) {
  return plan_of(variant, own_lanes, shape_of_twins);
}

template <class First, class Second>
void expect_same_scores(const Reference<First>& first, const Reference<Second>& second) {
  for (const Example& e : random_examples(shape_of_twins, 12, 3)) {
    const auto found = first.scores(e.query), wanted = second.scores(e.query);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t o = 0; o < found.size(); ++o)
      EXPECT_NEAR(found[o], wanted[o], 1e-12 * (1 + std::abs(wanted[o])));
  }
}

TEST(Identity, BiqueIsBscaWithoutTimeAndAttention) {
  const ModelPlan own = plan_of_twin(find_variant("bique", {}), lanes);
  ModelPlan twin = plan_of_twin(find_variant("bsca", {{"attention", "none"}}), lanes);
  twin.without = {"time_mul", "time_add", "time_joint"};
  const auto tables = random_tables(own, 17, 0.6);
  auto same = random_tables(twin, 18, 0.6);
  same[0] = tables[0];
  same[1] = tables[1];
  same[2] = tables[2];
  for (double& shift : same[2]) shift *= 2;  // a mean of two views has half of it
  expect_same_scores(Reference<BiQUE>(own, tables),
                     Reference<Bsca<NoAttention, Biquaternion>>(twin, same));
}

// (z₁, z₂) ↦ (z₁ − i z₂, z₁ + i z₂), times `scale`: lanes of four reals become two of two.
std::vector<double> in_two_planes(const std::vector<double>& rows, double scale) {
  std::vector<double> planes(rows.size());
  for (std::size_t row = 0; row < rows.size(); row += 4 * lanes)
    for (std::size_t i = 0; i < lanes; ++i) {
      const auto part = [&](std::size_t component) { return rows[row + component * lanes + i]; };
      double* to = planes.data() + row + i;
      to[0] = scale * (part(0) + part(3));
      to[lanes] = scale * (part(0) - part(3));
      to[2 * lanes] = scale * (part(1) - part(2));
      to[3 * lanes] = scale * (part(1) + part(2));
    }
  return planes;
}

TEST(Identity, BicomplexNumbersAreTwoComplexOnes) {
  const ModelPlan own = plan_of_twin(find_variant("tbicomr", {}), lanes),
                  twin = plan_of_twin(find_variant("tcomplex", {}), 2 * lanes);
  const auto tables = random_tables(own, 17, 0.6);
  const ReferenceTables same = {in_two_planes(tables[0], std::numbers::sqrt2 / 2),
                                in_two_planes(tables[1], 1), in_two_planes(tables[2], 1)};
  expect_same_scores(Reference<TBicomR>(own, tables), Reference<TComplEx>(twin, same));
}

TEST(Identity, AnAttentionOverThreeGeometriesIsOneNumber) {
  for (const double v : {-30.0, -2.0, -1e-6, 0.0, 0.3, 5.0, 40.0})
    EXPECT_NEAR(HGE::kappa(v), 2 * std::sinh(v) / (1 + 2 * std::cosh(v)), 1e-15) << v;
  EXPECT_EQ(HGE::kappa(500.0F), 1);
  EXPECT_EQ(HGE::kappa(-500.0F), -1);
}

// The cosine transform turns a row and keeps inner products, as does the Fourier transform: a model
// that compares transformed rows has the scores of the one that does not transform them.
TEST(Identity, FrequencyTransformsCancelInTheScore) {
  const ModelPlan own = plan_of_twin(
      find_variant("bsca", {{"attention", "none"}, {"product", "componentwise"}}), lanes);
  const auto tables = random_tables(own, 17, 0.6);
  const Reference<Bsca<NoAttention, FourComplex>> model(own, tables);
  const auto width = static_cast<std::size_t>(own.shape.dim);
  const auto cosines = [&](const double* row) {
    std::vector<double> made(width);
    const auto n = static_cast<double>(width);
    for (std::size_t k = 0; k < width; ++k) {
      for (std::size_t i = 0; i < width; ++i)
        made[k] += row[i] * std::cos(std::numbers::pi / n * (static_cast<double>(i) + 0.5) *
                                     static_cast<double>(k));
      made[k] *= std::sqrt((k == 0 ? 1 : 2) / n);
    }
    return made;
  };
  for (const Example& e : random_examples(shape_of_twins, 4, 3)) {
    const auto query = model.query(e.query), scores = model.scores(e.query);
    const auto turned_query = cosines(query.data());
    for (std::size_t o = 0; o < scores.size(); ++o) {
      const auto turned_answer = cosines(tables[0].data() + o * width);
      double score = 0;
      for (std::size_t k = 0; k < width; ++k) score += turned_query[k] * turned_answer[k];
      EXPECT_NEAR(score, scores[o], 1e-12 * (1 + std::abs(scores[o])));
    }
  }
}

}  // namespace
}  // namespace orrery
