// Forward-mode differentiation for the handful of row-wide scalars of an attention: a value and its
// derivatives by N inputs. Whoever writes a gate writes the formula alone.
#pragma once

#include <array>
#include <cmath>
#include <concepts>

#include "math/inline.h"

namespace orrery {

template <class T, int N>
struct Dual {
  T v{};
  std::array<T, N> d{};

  friend ORRERY_INLINE Dual operator+(const Dual& a, const Dual& b) {
    Dual r{a.v + b.v, {}};
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
    return r;
  }
  friend ORRERY_INLINE Dual operator-(const Dual& a, const Dual& b) {
    Dual r{a.v - b.v, {}};
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
    return r;
  }
  friend ORRERY_INLINE Dual operator*(const Dual& a, const Dual& b) {
    Dual r{a.v * b.v, {}};
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
    return r;
  }
  friend ORRERY_INLINE Dual operator/(const Dual& a, const Dual& b) {
    Dual r{a.v / b.v, {}};
    for (int i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.v * b.d[i]) / b.v;
    return r;
  }
};

template <std::floating_point T>
ORRERY_INLINE T sigmoid(const T& x) {
  return T(1) / (T(1) + std::exp(-x));
}
template <class T, int N>
ORRERY_INLINE Dual<T, N> sigmoid(const Dual<T, N>& x) {
  Dual<T, N> r{sigmoid(x.v), {}};
  for (int i = 0; i < N; ++i) r.d[i] = r.v * (T(1) - r.v) * x.d[i];
  return r;
}

// |a + b·I|; its derivative at 0 is taken as 0.
template <std::floating_point T>
ORRERY_INLINE T modulus(const T& a, const T& b) {
  return std::sqrt(a * a + b * b);
}
template <class T, int N>
ORRERY_INLINE Dual<T, N> modulus(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> r{modulus(a.v, b.v), {}};
  const T inverse = r.v > T(0) ? T(1) / r.v : T(0);
  for (int i = 0; i < N; ++i) r.d[i] = (a.v * a.d[i] + b.v * b.d[i]) * inverse;
  return r;
}

}  // namespace orrery
