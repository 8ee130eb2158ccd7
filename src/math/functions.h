// Functions of one real variable, applied to every component of a lane.
#pragma once

#include "math/expression.h"
#include "math/scalar.h"

namespace orrery {

// A function says its value and, from the argument and the value, its slope.
struct Sine {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return sine(x);
  }
  template <class T>
  ORRERY_INLINE static T slope(const T& x, const T&) {
    return cosine(x);
  }
};
// sin |x|
struct SineOfMagnitude {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return sine(absolute(x));
  }
  template <class T>
  ORRERY_INLINE static T slope(const T& x, const T&) {
    return with_sign(T(1), x) * cosine(absolute(x));
  }
};
struct Exponential {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return exponential(x);
  }
  template <class T>
  ORRERY_INLINE static T slope(const T&, const T& value) {
    return value;
  }
};
struct Square {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return x * x;
  }
  template <class T>
  ORRERY_INLINE static T slope(const T& x, const T&) {
    return T(2) * x;
  }
};
struct OnePlus {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return T(1) + x;
  }
  template <class T>
  ORRERY_INLINE static T slope(const T&, const T&) {
    return T(1);
  }
};
struct Reciprocal {
  template <class T>
  ORRERY_INLINE static T value(const T& x) {
    return T(1) / x;
  }
  template <class T>
  ORRERY_INLINE static T slope(const T&, const T& value) {
    return -value * value;
  }
};

template <class F, class X>
struct Applied {
  X x;
  decltype(X::v) v;
  ORRERY_INLINE explicit Applied(const X& x_) : x(x_), v(x_.v) {
    for (int i = 0; i < v.size; ++i) v.c[i] = F::value(x.v.c[i]);
  }
  ORRERY_INLINE void back(const auto& g) const {
    auto down = g;
    for (int i = 0; i < v.size; ++i) down.c[i] = g.c[i] * F::slope(x.v.c[i], v.c[i]);
    x.back(down);
  }
};

template <class F, Expression X>
ORRERY_INLINE auto apply(const X& x) {
  return Applied<F, X>(x);
}

}  // namespace orrery
