#include "paper/biquaternion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "base/random.h"
#include "math/algebra.h"

namespace orrery {
namespace {

using std::numbers::pi;
using C = std::complex<double>;

BiquaternionValue random_value(std::uint64_t key) {
  BiquaternionValue q;
  for (int i = 0; i < q.size; ++i) q.c[i] = random_normal(key, static_cast<std::uint64_t>(i));
  return q;
}
BiquaternionValue number(C value) { return from_complex_parts({value, 0, 0, 0}); }

void expect_same(const BiquaternionValue& a, const BiquaternionValue& b, double tolerance = 1e-13) {
  for (int i = 0; i < a.size; ++i)
    EXPECT_NEAR(a.c[i], b.c[i], tolerance * (1 + std::sqrt(squared_norm(b)))) << "component " << i;
}

double dot(const BiquaternionValue& a, const BiquaternionValue& b) {
  double sum = 0;
  for (int i = 0; i < a.size; ++i) sum += a.c[i] * b.c[i];
  return sum;
}

// The product as models have it.
BiquaternionValue model_product(const BiquaternionValue& a, const BiquaternionValue& b) {
  Element<double, Biquaternion> left, right;
  std::ranges::copy(a.c, left.c);
  std::ranges::copy(b.c, right.c);
  BiquaternionValue result;
  std::ranges::copy(mul(left, right).c, result.c);
  return result;
}

TEST(BiquaternionPolar, MatricesMultiplyAsBiquaternionsDo) {
  for (std::uint64_t key = 0; key < 20; ++key) {
    const auto a = random_value(2 * key), b = random_value(2 * key + 1);
    expect_same(from_matrix(matrix_of(a)), a);
    expect_same(mul(a, b), model_product(a, b));
    const auto m = matrix_of(a);
    EXPECT_LT(std::abs(determinant(a) - (m[0][0] * m[1][1] - m[0][1] * m[1][0])), 1e-13);
  }
}

TEST(BiquaternionPolar, TheAdjointIsThatOfTheMatrixAndMovesToTheOtherSide) {
  for (std::uint64_t key = 0; key < 20; ++key) {
    const auto a = random_value(3 * key), b = random_value(3 * key + 1),
               r = random_value(3 * key + 2);
    const auto m = matrix_of(r), turned = matrix_of(adjoint(r));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_LT(std::abs(turned[i][j] - std::conj(m[j][i])), 1e-14);
    EXPECT_NEAR(dot(mul(a, r), b), dot(mul(b, adjoint(r)), a), 1e-13);
    expect_same(adjoint(mul(a, b)), mul(adjoint(b), adjoint(a)));
    expect_same(adjoint(adjoint(r)), r);
  }
}

TEST(BiquaternionPolar, PartsAreWhatTheySay) {
  for (std::uint64_t key = 0; key < 50; ++key) {
    const auto q = random_value(key);
    const PolarForm polar = polar_form(q);
    expect_same(mul(polar.unitary, polar.hermitian), q);
    expect_same(mul(adjoint(polar.unitary), polar.unitary), number(1));
    expect_same(adjoint(polar.hermitian), polar.hermitian);
    // Positive: both eigenvalues are, hence their sum and their product.
    EXPECT_GT(polar.hermitian.c[0], 0);
    EXPECT_NEAR(determinant(polar.hermitian).real(), polar.scale * polar.scale, 1e-12);
    EXPECT_LT(std::abs(determinant(q) - std::polar(polar.scale * polar.scale, polar.phase)), 1e-12);
    EXPECT_NEAR(polar.hermitian.c[0], polar.scale * std::cosh(polar.rapidity), 1e-12);
    const auto rotation = mul(number(std::polar(1.0, -polar.phase / 2)), polar.unitary);
    EXPECT_NEAR(rotation.c[0], std::cos(polar.angle), 1e-12);
    for (int i = 1; i < rotation.size; i += 2) EXPECT_NEAR(rotation.c[i], 0, 1e-13);
  }
}

// Built from its parts, so each number must come back.
TEST(BiquaternionPolar, NumbersComeBack) {
  for (const double rapidity : {0.0, 1e-9, 0.3, 4.0})
    for (const double angle : {0.0, 1e-9, 0.7, 2.5})
      for (const double phase : {-2.0, 0.0, 3.0}) {
        const auto turn =
            from_complex_parts({std::cos(angle), 0.6 * std::sin(angle), 0.8 * std::sin(angle), 0});
        const auto boost =
            from_complex_parts({std::cosh(rapidity), 0, C(0, 0.8 * std::sinh(rapidity)),
                                C(0, -0.6 * std::sinh(rapidity))});
        const PolarForm polar =
            polar_form(mul(number(std::polar(1.7, phase / 2)), mul(turn, boost)));
        EXPECT_NEAR(polar.scale, 1.7, 1e-12);
        EXPECT_NEAR(polar.phase, phase, 1e-12);
        EXPECT_NEAR(polar.angle, angle, 1e-12);
        EXPECT_NEAR(polar.rapidity, rapidity, 1e-12);
      }
}

TEST(BiquaternionPolar, OfPlainNumbers) {
  const PolarForm minus = polar_form(number(-3));
  EXPECT_NEAR(minus.scale, 3, 1e-15);
  EXPECT_NEAR(minus.phase, 0, 1e-15);
  EXPECT_NEAR(minus.angle, pi, 1e-15);
  EXPECT_NEAR(minus.rapidity, 0, 1e-15);
  const PolarForm imaginary = polar_form(number(C(0, 2)));
  EXPECT_NEAR(std::abs(imaginary.phase), pi, 1e-15);
  EXPECT_NEAR(imaginary.rapidity, 0, 1e-15);
}

TEST(BiquaternionPolar, SingularOnesHaveNoNumbersButParts) {
  const auto zero = polar_form(number(0));
  expect_same(zero.unitary, number(1));
  expect_same(zero.hermitian, number(0));
  // Rank one: a column times a row.
  const C a(0.3, -1), b(2, 0.5), c(-0.4, 0.1), d(1, 1);
  const auto q = from_matrix({{{a * c, a * d}, {b * c, b * d}}});
  const PolarForm polar = polar_form(q);
  EXPECT_EQ(polar.scale, 0);
  EXPECT_EQ(polar.phase, 0);
  EXPECT_EQ(polar.angle, 0);
  EXPECT_EQ(polar.rapidity, 0);
  expect_same(mul(polar.unitary, polar.hermitian), q, 1e-8);
  expect_same(mul(adjoint(polar.unitary), polar.unitary), number(1), 1e-8);
  // Tiny is not singular.
  EXPECT_NEAR(polar_form(number(1e-100)).scale, 1e-100, 1e-112);
}

double distance(const BiquaternionValue& a, const BiquaternionValue& b) {
  AdjointDistance sum;
  sum.add(a, b);
  return sum.value();
}

TEST(AdjointDistance, GoesFromSymmetricToAntisymmetric) {
  for (std::uint64_t key = 0; key < 20; ++key) {
    const auto r = random_value(key);
    const auto even = subtract(r, scale(-1, adjoint(r)));
    EXPECT_NEAR(distance(even, even), 0, 1e-15);
    const auto odd = subtract(r, adjoint(r));
    EXPECT_NEAR(distance(odd, odd), 1, 1e-15);
    EXPECT_NEAR(distance(r, adjoint(r)), 0, 1e-15);
    EXPECT_NEAR(distance(r, scale(-1, adjoint(r))), 1, 1e-15);
    EXPECT_NEAR(distance(scale(7.0, r), scale(7.0, r)), distance(r, r), 1e-14);
  }
  EXPECT_EQ(distance(number(0), number(0)), 0);
}

TEST(AdjointDistance, LanesCountByTheirEnergyAndChanceIsTheRootOfAHalf) {
  AdjointDistance sum, chance;
  sum.add(number(1), number(1));              // symmetric
  sum.add(number(C(0, 3)), number(C(0, 3)));  // antisymmetric, nine times its energy
  EXPECT_NEAR(sum.value(), std::sqrt(0.9), 1e-15);
  for (std::uint64_t key = 0; key < 5000; ++key)
    chance.add(random_value(2 * key), random_value(2 * key + 1));
  EXPECT_NEAR(chance.value(), std::sqrt(0.5), 0.01);
  sum.add(chance);
  EXPECT_NEAR(sum.value(), chance.value(), 0.001);
}

}  // namespace
}  // namespace orrery
