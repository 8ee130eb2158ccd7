#include "math/dual.h"

#include <gtest/gtest.h>

#include <array>

namespace orrery {
namespace {

using D = Dual<double, 2>;

// A function of two numbers, for numbers and for duals.
template <class F>
void expect_derivatives(const F& f) {
  constexpr double x = 0.7, y = -1.3, step = 1e-6;
  const D found = f(D{x, {1, 0}}, D{y, {0, 1}});
  EXPECT_NEAR(found.v, f(x, y), 1e-15);
  EXPECT_NEAR(found.d[0], (f(x + step, y) - f(x - step, y)) / (2 * step), 1e-9);
  EXPECT_NEAR(found.d[1], (f(x, y + step) - f(x, y - step)) / (2 * step), 1e-9);
}

TEST(Dual, DifferentiatesSumsProductsAndQuotients) {
  expect_derivatives([](const auto& x, const auto& y) { return x + y; });
  expect_derivatives([](const auto& x, const auto& y) { return x - y; });
  expect_derivatives([](const auto& x, const auto& y) { return x * y; });
  expect_derivatives([](const auto& x, const auto& y) { return x / y; });
  expect_derivatives([](const auto& x, const auto& y) { return (x * x - y) / (x * y) / y; });
}

TEST(Dual, DifferentiatesWhatGatesAreMadeOf) {
  expect_derivatives([](const auto& x, const auto& y) { return sigmoid(x * y); });
  expect_derivatives([](const auto& x, const auto& y) { return modulus(x, y); });
}

TEST(Dual, TheModulusHasNoSlopeAtZero) {
  const D zero = modulus(D{0, {1, 0}}, D{0, {0, 1}});
  EXPECT_EQ(zero.v, 0);
  EXPECT_EQ(zero.d, (std::array<double, 2>{0, 0}));
}

}  // namespace
}  // namespace orrery
