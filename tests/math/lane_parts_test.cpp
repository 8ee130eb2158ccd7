#include "math/lane_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/lane.h"
#include "math/slopes.h"

namespace orrery {
namespace {

using Q = Element<double, Quaternion>;

TEST(LaneParts, ConjugateReversesProductsAndGivesTheSquaredNorm) {
  const Q x = random_element<Quaternion>(1), y = random_element<Quaternion>(2);
  expect_equal(conjugate_element(mul(x, y)), mul(conjugate_element(y), conjugate_element(x)));
  expect_equal(mul(x, conjugate_element(x)), Q{{dot(x, x), 0, 0, 0}});
  expect_slopes([](const auto& e) { return conjugate(e); }, x);
}

TEST(LaneParts, InvolutionKeepsProductsAndTurnsVectors) {
  const auto x = random_element<Multivector>(3), y = random_element<Multivector>(4);
  expect_equal(involute_element(mul(x, y)), mul(involute_element(x), involute_element(y)));
  // ⟨involuted x, y⟩ is the scalar part of x · conj(y).
  EXPECT_NEAR(dot(involute_element(x), y), mul(x, conjugate_element(y)).c[0], 1e-14);
  expect_slopes([](const auto& e) { return involute(e); }, x);
}

TEST(LaneParts, ReversesItsComponents) {
  const Element<double, Componentwise<3>> x = {{1, 2, 3}};
  expect_equal(reverse_element(x), {{3, 2, 1}});
  expect_slopes([](const auto& e) { return reverse(e); }, x);
}

TEST(LaneParts, RecastKeepsComponents) {
  const Q x = random_element<Quaternion>(5);
  const auto cast = value_of([](const auto& e) { return recast<Whole<4>>(e); }, x);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(cast.c[i], x.c[i]);
  expect_slopes([](const auto& e) { return recast<Whole<4>>(e); }, x);
}

TEST(LaneParts, UnitHasLengthOneAndZeroStaysZero) {
  const auto to_unit = [](const auto& e) { return unit(e); };
  const Q x = random_element<Quaternion>(6);
  const Q u = value_of(to_unit, x);
  EXPECT_NEAR(dot(u, u), 1, 1e-14);
  EXPECT_NEAR(dot(u, x), std::sqrt(dot(x, x)), 1e-14);
  expect_equal(value_of(to_unit, Q{}), Q{});
  expect_slopes(to_unit, x);
}

TEST(LaneParts, JoinsAndTakesApart) {
  const auto x = random_element<Complex>(7);
  const auto y = random_element<Componentwise<3>>(8);
  const auto joined = value_of([](const auto& a, const auto& b) { return join(a, b); }, x, y);
  ASSERT_EQ(joined.size, 5);
  expect_equal(joined, {{x.c[0], x.c[1], y.c[0], y.c[1], y.c[2]}});
  expect_slopes([](const auto& a, const auto& b) { return join(a, b); }, x, y);
  const auto middle = [](const auto& a, const auto& b) { return part<Complex, 1>(join(a, b)); };
  expect_equal(value_of(middle, x, y), {{x.c[1], y.c[0]}});
  expect_slopes(middle, x, y);
}

TEST(LaneParts, TurnsAsARotationMatrix) {
  const Q u = value_of([](const auto& e) { return unit(e); }, random_element<Quaternion>(9));
  const Q v = random_element<Quaternion>(10);
  const auto by = [](const auto& a, const auto& b) { return turn(a, b); };
  const Q turned = value_of(by, u, v);
  EXPECT_NEAR(turned.c[0], v.c[0], 1e-14);
  EXPECT_NEAR(dot(turned, turned), dot(v, v), 1e-13);
  const double w = u.c[0], x = u.c[1], y = u.c[2], z = u.c[3];
  EXPECT_NEAR(turned.c[1],
              (1 - 2 * (y * y + z * z)) * v.c[1] + 2 * (x * y - w * z) * v.c[2] +
                  2 * (x * z + w * y) * v.c[3],
              1e-14);
  expect_slopes(by, random_element<Quaternion>(11), v);
}

struct Cube {
  static auto of(const auto& x) { return x * x * x; }
};

TEST(LaneParts, LetSweepsAFactorOnceHoweverOftenItIsUsed) {
  FactorRule<double> rule;
  rule.penalty_weight = 1;
  const Element<double, Real> x = {{0.5}};
  const auto swept = [&](const auto& body) {
    Lane<double, 0> lane(rule);
    auto gradient = zero_element<double, Real>();
    body(lane.factor(Leaf<Element<double, Real>>{x, &gradient})).back(Element<double, Real>{{2}});
    return std::pair(lane.penalty, gradient.c[0]);
  };
  const auto once = swept([](const auto& factor) { return let<Cube>(factor); });
  EXPECT_NEAR(once.first, 0.125, 1e-15);
  EXPECT_NEAR(once.second, 2 * 3 * 0.25 + 3 * 0.25, 1e-15);
  EXPECT_NEAR(swept([](const auto& factor) { return Cube::of(factor); }).first, 3 * 0.125, 1e-15);
}

TEST(LaneParts, AWholeFactorIsPenalisedByTheNormOfAllComponents) {
  FactorRule<double> rule;
  rule.penalty_weight = 1;
  rule.norm = {Norm::complex, 3};
  Lane<double, 0> lane(rule);
  auto gradient = zero_element<double, Quaternion>();
  const Q x = {{1, 2, 2, 4}};
  whole_factor(lane, Leaf<Q>{x, &gradient}).back(zero_element<double, Quaternion>());
  EXPECT_DOUBLE_EQ(lane.penalty, 125);
  expect_equal(gradient, scale(15.0, x));
}

TEST(LaneParts, LetGivesTheSlopesOfAllItsArguments) {
  expect_slopes([](const auto& a, const auto& b) { return let<Sandwich>(a, conjugate(b)); },
                random_element<Quaternion>(12), random_element<Quaternion>(13));
}

TEST(Splice, TakesTheFirstShareOfARowFromOneAndTheRestFromTheOther) {
  FactorRule<double> rule;
  rule.lanes = 6;
  Lane<double, 0> lane(rule);
  const auto x = random_element<Complex>(14), y = random_element<Complex>(15);
  const auto spliced = [&](const auto& a, const auto& b) { return lane.splice(0.68F, a, b); };
  for (std::uint32_t l = 0; l < 6; ++l) {
    lane.move_to(l);
    expect_equal(value_of(spliced, x, y), l < 4 ? x : y);
    expect_slopes(spliced, x, y);
  }
}

}  // namespace
}  // namespace orrery
