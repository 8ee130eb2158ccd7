// The few scalar functions that formulas use, for float, double and SIMD vectors alike.
#pragma once

#include <cmath>
#include <type_traits>

#include "math/inline.h"

namespace orrery {

template <class T>
ORRERY_INLINE T square_root(const T& x) {
  using std::sqrt;
  return sqrt(x);
}

// 1 / √x, and something finite for 0.
template <class T>
ORRERY_INLINE T inverse_root(const T& x) {
  constexpr float smallest = 1e-30F;
  return T(1) / square_root(x + T(smallest));
}

template <class T>
ORRERY_INLINE T absolute(const T& x) {
  using std::abs;
  return abs(x);
}

// |size| with the sign of `of`.
template <class T>
ORRERY_INLINE T with_sign(const T& size, const T& of) {
  using std::copysign;
  return copysign(size, of);
}

template <class T>
ORRERY_INLINE T sine(const T& x) {
  using std::sin;
  return sin(x);
}
template <class T>
ORRERY_INLINE T cosine(const T& x) {
  using std::cos;
  return cos(x);
}
template <class T>
ORRERY_INLINE T exponential(const T& x) {
  using std::exp;
  return exp(x);
}
// `yes` where `condition` holds, else `no`; lane by lane for vectors.
template <class Condition, class T>
ORRERY_INLINE T choose(const Condition& condition, const T& yes, const T& no) {
  if constexpr (std::is_same_v<Condition, bool>) {
    return condition ? yes : no;
  } else {
    T chosen = no;
    where(condition, chosen) = yes;
    return chosen;
  }
}

template <class T>
ORRERY_INLINE T power(const T& x, const T& exponent) {
  using std::pow;
  return pow(x, exponent);
}

}  // namespace orrery
