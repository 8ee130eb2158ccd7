// The p-norms of the regularisers, raised to p: |x|^p summed over complex parts or whole elements.
#pragma once

#include "math/algebra.h"
#include "math/scalar.h"

namespace orrery {

enum class Norm {
  complex,  // the modulus of each complex part
  element,  // the norm of all components of a lane together
};

struct NormRule {
  Norm norm = Norm::complex;
  float exponent = 3;
};

// For exponents other than 3; out of line, since no published result uses it.
template <class T>
struct PowerOfNorm {
  T value, per_x;  // |x|^p, and f with d|x|^p / dx = f · x
};
template <class T>
[[gnu::noinline]] constexpr PowerOfNorm<T> power_of_norm(const T& square, float exponent) {
  const T half = T(exponent * 0.5F);
  return {power(square, half), T(exponent) * power(square, T(exponent * 0.5F - 1))};
}

// Returns Σ |x|^p and adds weight · d/dx of it to `gradient`.
template <class T, class A>
ORRERY_INLINE T norm_back(const Element<T, A>& x, const T& weight, const NormRule& rule,
                          Element<T, A>& gradient) {
  const int group = rule.norm == Norm::element || A::size < 2 ? A::size : 2;
  T squares[A::size];
  if (group == A::size) {
    T all = x.c[0] * x.c[0];
    for (int i = 1; i < A::size; ++i) all += x.c[i] * x.c[i];
    squares[0] = all;
  } else {
    for (int i = 0; i + 1 < A::size; i += 2) squares[i] = x.c[i] * x.c[i] + x.c[i + 1] * x.c[i + 1];
  }
  T value(0);
  for (int first = 0; first < A::size; first += group) {
    PowerOfNorm<T> norm;
    if (rule.exponent == 3) {
      const T modulus = square_root(squares[first]);
      norm = {modulus * squares[first], T(3) * modulus};
    } else {
      norm = power_of_norm(squares[first], rule.exponent);
    }
    value += norm.value;
    const T factor = weight * norm.per_x;
    for (int i = first; i < first + group; ++i) gradient.c[i] += factor * x.c[i];
  }
  return value;
}

}  // namespace orrery
