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

template <int Group, class T, class A>
ORRERY_INLINE T norm_back_in_groups(const Element<T, A>& x, const T& weight, float exponent,
                                    Element<T, A>& gradient) {
  T value(0);
  for (int first = 0; first < A::size; first += Group) {
    T square = x.c[first] * x.c[first];
    for (int i = first + 1; i < first + Group; ++i) square += x.c[i] * x.c[i];
    PowerOfNorm<T> norm;
    if (exponent == 3) {
      const T modulus = square_root(square);
      norm = {modulus * square, T(3) * modulus};
    } else {
      norm = power_of_norm(square, exponent);
    }
    value += norm.value;
    const T factor = weight * norm.per_x;
    for (int i = first; i < first + Group; ++i) gradient.c[i] += factor * x.c[i];
  }
  return value;
}

// Returns Σ |x|^p and adds weight · d/dx of it to `gradient`.
template <class T, class A>
ORRERY_INLINE T norm_back(const Element<T, A>& x, const T& weight, const NormRule& rule,
                          Element<T, A>& gradient) {
  if constexpr (A::size > 2 && !requires { A::one_norm; })
    if (rule.norm == Norm::complex)
      return norm_back_in_groups<2>(x, weight, rule.exponent, gradient);
  return norm_back_in_groups<A::size>(x, weight, rule.exponent, gradient);
}

}  // namespace orrery
