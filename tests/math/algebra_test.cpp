#include "math/algebra.h"

#include <gtest/gtest.h>

#include <complex>

#include "math/complex_parts.h"
#include "math/slopes.h"

namespace orrery {
namespace {

using B = Element<double, Biquaternion>;

B negate_vector_part(B x) {
  for (int i = 2; i < 8; ++i) x.c[i] = -x.c[i];
  return x;
}
// x†: the quaternion conjugate of the complex conjugate.
B dagger(const B& x) { return negate_vector_part(conjugate_parts(x)); }

template <class A>
class EveryAlgebra : public testing::Test {};
using Algebras = testing::Types<Real, Complex, Quaternion, Multivector, Biquaternion,
                                Componentwise<3>, Whole<3>, FourComplex, Tensor<Complex, Complex>>;
TYPED_TEST_SUITE(EveryAlgebra, Algebras);

TYPED_TEST(EveryAlgebra, IsBilinearAndAssociative) {
  const auto x = random_element<TypeParam>(1), y = random_element<TypeParam>(2),
             z = random_element<TypeParam>(3);
  expect_equal(mul(mul(x, y), z), mul(x, mul(y, z)));
  expect_equal(mul(add(x, y), z), add(mul(x, z), mul(y, z)));
  expect_equal(mul(x, scale(2.5, y)), scale(2.5, mul(x, y)));
}

TYPED_TEST(EveryAlgebra, HasAUnit) {
  Element<double, TypeParam> one;
  for (int i = 0; i < TypeParam::size; ++i) one.c[i] = unit_component<TypeParam>(i) ? 1 : 0;
  const auto x = random_element<TypeParam>(4);
  expect_equal(mul(one, x), x);
  expect_equal(mul(x, one), x);
}

TYPED_TEST(EveryAlgebra, AdjointsMoveFactorsAcrossTheInnerProduct) {
  using A = TypeParam;
  const auto a = random_element<A>(1), b = random_element<A>(2), g = random_element<A>(3);
  const auto left = [](const auto& x, const auto& y) { return adjoint_times(x, y); };
  const auto right = [](const auto& x, const auto& y) { return times_adjoint(x, y); };
  const double wanted = dot(mul(a, b), g);
  EXPECT_NEAR(dot(b, value_of(left, a, g)), wanted, 1e-12);
  EXPECT_NEAR(dot(a, value_of(right, g, b)), wanted, 1e-12);
  expect_slopes(left, a, g);
  expect_slopes(right, g, b);
}

TYPED_TEST(EveryAlgebra, DerivativesAreTheAdjointsOfTheProduct) {
  const auto a = random_element<TypeParam>(5), b = random_element<TypeParam>(6),
             g = random_element<TypeParam>(7), d = random_element<TypeParam>(8);
  EXPECT_NEAR(dot(g, mul(d, b)), dot(d, mul_back_left(g, b)), 1e-12);
  EXPECT_NEAR(dot(g, mul(a, d)), dot(d, mul_back_right(g, a)), 1e-12);
}

TEST(Multivector, SquaresAreThoseOfThePlane) {
  using E = Element<double, Multivector>;
  const E one = {{1, 0, 0, 0}}, e1 = {{0, 1, 0, 0}}, e2 = {{0, 0, 1, 0}}, e12 = {{0, 0, 0, 1}};
  expect_equal(mul(e1, e1), one);
  expect_equal(mul(e2, e2), one);
  expect_equal(mul(e12, e12), negate(one));
  expect_equal(mul(e1, e2), e12);
  expect_equal(mul(e2, e1), negate(e12));
}

TEST(Biquaternion, MultipliesAsThePapersHamiltonProduct) {
  using C = std::complex<double>;
  const B p = random_element<Biquaternion>(9), q = random_element<Biquaternion>(10);
  const auto part = [](const B& e, int i) { return C(e.c[2 * i], e.c[2 * i + 1]); };
  const C w1 = part(p, 0), x1 = part(p, 1), y1 = part(p, 2), z1 = part(p, 3);
  const C w2 = part(q, 0), x2 = part(q, 1), y2 = part(q, 2), z2 = part(q, 3);
  const C expected[4] = {
      w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2, w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
      w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2, w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2};
  const B r = mul(p, q);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(std::abs(part(r, i) - expected[i]), 0, 1e-13);
}

TEST(Biquaternion, MovesATransformToTheOtherSideAsItsDagger) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const B x = random_element<Biquaternion>(3 * i + 100),
            y = random_element<Biquaternion>(3 * i + 101),
            r = random_element<Biquaternion>(3 * i + 102);
    EXPECT_NEAR(dot(mul(x, r), y), dot(mul(y, dagger(r)), x), 1e-12);
  }
}

TEST(Biquaternion, DaggerReversesProducts) {
  const B x = random_element<Biquaternion>(11), y = random_element<Biquaternion>(12);
  expect_equal(dagger(mul(x, y)), mul(dagger(y), dagger(x)));
  expect_equal(dagger(dagger(x)), x);
}

TEST(Biquaternion, SelfDaggerTransformsAreSymmetricAndInversePairsAreDaggers) {
  const B x = random_element<Biquaternion>(13), y = random_element<Biquaternion>(14),
          any = random_element<Biquaternion>(15);
  const B symmetric = add(any, dagger(any));
  EXPECT_NEAR(dot(mul(x, symmetric), y), dot(mul(y, symmetric), x), 1e-12);
  EXPECT_GT(std::abs(dot(mul(x, any), y) - dot(mul(y, any), x)), 1e-3);
  EXPECT_NEAR(dot(mul(x, any), y), dot(mul(y, dagger(any)), x), 1e-12);
}

}  // namespace
}  // namespace orrery
