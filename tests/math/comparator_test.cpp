#include "math/comparator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/slopes.h"

namespace orrery {
namespace {

template <class Comparator, class Q, class C>
double score(const Element<double, Q>& q, const Element<double, C>& c) {
  return value_of([](const auto& a, const auto& b) { return Comparator::compare(a, b); }, q, c);
}
template <class Comparator, class Q, class C>
void expect_slopes_of(const Element<double, Q>& q, const Element<double, C>& c) {
  expect_slopes([](const auto& a, const auto& b) { return Comparator::compare(a, b); }, q, c);
}

TEST(Comparators, AreTheNormsOfTheDifference) {
  const Element<double, Complex> q = {{1, -2}}, c = {{-2, 2}};
  EXPECT_DOUBLE_EQ(score<ByInnerProduct>(q, c), -6);
  EXPECT_DOUBLE_EQ(score<ByAbsoluteDistance>(q, c), -7);
  EXPECT_DOUBLE_EQ(score<ByLaneDistance>(q, c), -5);
  EXPECT_DOUBLE_EQ(score<ByEuclideanDistance>(q, c), 25);  // the root is taken of the sum
  expect_slopes_of<ByInnerProduct>(q, c);
  expect_slopes_of<ByAbsoluteDistance>(q, c);
  expect_slopes_of<ByLaneDistance>(q, c);
  expect_slopes_of<ByEuclideanDistance>(q, c);
}

TEST(Comparators, AreFlatWhereBothCoincide) {
  const Element<double, Complex> x = {{0.3, -0.4}};
  auto to_query = zero_element<double, Complex>(), to_candidate = to_query;
  const Leaf<Element<double, Complex>> q{x, &to_query}, c{x, &to_candidate};
  EXPECT_EQ(ByLaneDistance::compare(q, c).v, 0);
  ByLaneDistance::compare(q, c).back(1.0);
  ByEuclideanDistance::compare(q, c).back(1.0);
  expect_equal(to_query, {{0, 0}});
  expect_equal(to_candidate, {{0, 0}});
}

// One box of the given width around the shift's opposite, as a query.
Element<double, Componentwise<3>> box(double shift, double width) {
  return {{shift, 1 / (1 + width), 1 + width}};
}
double box_distance(double width, double x) {
  return -score<ByBoxDistance>(box(0, width), Element<double, Real>{{x}});
}

TEST(BoxDistance, GrowsSlowlyInsideAndFastOutside) {
  constexpr double width = 2;  // from −1 to 1; the paper's w is 3
  EXPECT_DOUBLE_EQ(box_distance(width, 0), 0);
  EXPECT_DOUBLE_EQ(box_distance(width, -0.6), 0.6 / 3);
  EXPECT_DOUBLE_EQ(box_distance(width, 1.5), 1.5 * 3 - 0.5 * 2 * (3 - 1.0 / 3));
  EXPECT_DOUBLE_EQ(box_distance(0, 0.7), 0.7);
}

TEST(BoxDistance, IsContinuousAtTheWalls) {
  for (const double width : {0.0, 0.1, 1.0, 5.0})
    for (const double side : {-1.0, 1.0})
      EXPECT_NEAR(box_distance(width, side * (width / 2 - 1e-13)),
                  box_distance(width, side * (width / 2 + 1e-13)), 1e-11);
}

TEST(BoxDistance, HasItsSlopesInsideAndOutside) {
  for (const double x : {-1.9, -0.4, 0.3, 2.2})
    expect_slopes_of<ByBoxDistance>(box(0.05, 1.5), Element<double, Real>{{x}});
  const Element<double, Componentwise<6>> two = {{0.2, -0.3, 0.5, 0.4, 2.0, 2.5}};
  expect_slopes_of<ByBoxDistance>(two, Element<double, Complex>{{0.1, 1.4}});
}

double density(double x, double mean, double variance) {
  return std::exp(-(x - mean) * (x - mean) / (2 * variance)) /
         std::sqrt(2 * std::numbers::pi * variance);
}
// ∫ p log(p / q) by small steps.
double divergence(double mean_p, double variance_p, double mean_q, double variance_q) {
  constexpr double step = 1e-3;
  double sum = 0;
  for (double x = -12; x < 12; x += step) {
    const double p = density(x, mean_p, variance_p), q = density(x, mean_q, variance_q);
    if (p > 0 && q > 0) sum += p * std::log(p / q) * step;
  }
  return sum;
}

TEST(Divergence, IsTheMeanOfBothIntegralsLessAConstant) {
  const double m = 0.4, v = 0.3, w = 0.5, mu = -0.2, sigma = 0.6;
  const Element<double, Quaternion> q = {{m, v, w, 1 / w}};
  const Element<double, Complex> c = {{mu, sigma}};
  const double mean =
      (divergence(m - mu, v + sigma, 0, w) + divergence(0, w, m - mu, v + sigma)) / 2;
  EXPECT_NEAR(score<ByDivergence>(q, c), -mean - 0.5, 1e-9);
  expect_slopes_of<ByDivergence>(q, c);
}

}  // namespace
}  // namespace orrery
