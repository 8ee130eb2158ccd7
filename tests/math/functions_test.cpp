#include "math/functions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/slopes.h"

namespace orrery {
namespace {

TEST(Functions, HaveTheSlopesTheySay) {
  const auto x = random_element<Componentwise<4>>(16);
  expect_slopes([](const auto& e) { return apply<Sine>(e); }, x);
  expect_slopes([](const auto& e) { return apply<SineOfMagnitude>(e); }, x);
  expect_slopes([](const auto& e) { return apply<Exponential>(e); }, x);
  expect_slopes([](const auto& e) { return apply<Square>(e); }, x);
  expect_slopes([](const auto& e) { return apply<OnePlus>(e); }, x);
  expect_slopes([](const auto& e) { return apply<Reciprocal>(apply<Exponential>(e)); }, x);
}

TEST(Functions, AreTheOnesTheyAreNamedAfter) {
  const Element<double, Real> x = {{-0.7}};
  const auto value = [&]<class F>(F) {
    return value_of([](const auto& e) { return apply<F>(e); }, x).c[0];
  };
  EXPECT_DOUBLE_EQ(value(Sine{}), std::sin(-0.7));
  EXPECT_DOUBLE_EQ(value(SineOfMagnitude{}), std::sin(0.7));
  EXPECT_DOUBLE_EQ(value(Exponential{}), std::exp(-0.7));
  EXPECT_DOUBLE_EQ(value(Square{}), 0.49);
  EXPECT_DOUBLE_EQ(value(OnePlus{}), 0.3);
  EXPECT_DOUBLE_EQ(value(Reciprocal{}), -1 / 0.7);
}

}  // namespace
}  // namespace orrery
