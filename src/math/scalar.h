// The few scalar functions that formulas use, for float, double and SIMD vectors alike.
#pragma once

#include <cmath>

#include "math/inline.h"

namespace orrery {

template <class T>
ORRERY_INLINE T square_root(const T& x) {
  using std::sqrt;
  return sqrt(x);
}

template <class T>
ORRERY_INLINE T power(const T& x, const T& exponent) {
  using std::pow;
  return pow(x, exponent);
}

}  // namespace orrery
