// Reverse mode without a tape. An expression is a value: building it computes it (`v`), and
// back(g) sweeps g = dL/dv down to the leaves. Every node is a type, so a whole sweep inlines to
// straight-line code.
#pragma once

#include "math/algebra.h"

namespace orrery {

// A lane of a parameter row, and where its gradient is summed.
template <class E>
struct Leaf {
  E v;
  E* gradient;
  ORRERY_INLINE void back(const E& g) const { *gradient = add(*gradient, g); }
};

// A scalar that the whole row shares, and where its gradient is summed.
template <class T>
struct Gate {
  T v;
  T* gradient;
  ORRERY_INLINE void back(const T& g) const { *gradient += g; }
};

template <class T>
struct Constant {
  T v;
  ORRERY_INLINE void back(const T&) const {}
};

template <class X>
concept Expression = requires(const X& x) {
  x.v;
};

template <class A, class B>
struct Product {
  A a;
  B b;
  decltype(mul(a.v, b.v)) v;
  ORRERY_INLINE Product(const A& a_, const B& b_) : a(a_), b(b_), v(mul(a.v, b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(mul_back_left(g, b.v));
    b.back(mul_back_right(g, a.v));
  }
};

// a†·g, what ⟨a·b, g⟩ is linear in b by; and g·b†, what it is linear in a by.
template <class A, class G>
struct AdjointTimes {
  A a;
  G g;
  decltype(mul(a.v, g.v)) v;
  ORRERY_INLINE AdjointTimes(const A& a_, const G& g_)
      : a(a_), g(g_), v(mul_back_right(g.v, a.v)) {}
  ORRERY_INLINE void back(const auto& d) const {
    a.back(mul_back_left(g.v, d));
    g.back(mul(a.v, d));
  }
};
template <class G, class B>
struct TimesAdjoint {
  G g;
  B b;
  decltype(mul(g.v, b.v)) v;
  ORRERY_INLINE TimesAdjoint(const G& g_, const B& b_) : g(g_), b(b_), v(mul_back_left(g.v, b.v)) {}
  ORRERY_INLINE void back(const auto& d) const {
    g.back(mul(d, b.v));
    b.back(mul_back_right(g.v, d));
  }
};

template <class A, class B>
struct Sum {
  A a;
  B b;
  decltype(add(a.v, b.v)) v;
  ORRERY_INLINE Sum(const A& a_, const B& b_) : a(a_), b(b_), v(add(a.v, b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(g);
    b.back(g);
  }
};

template <class A, class B>
struct Difference {
  A a;
  B b;
  decltype(add(a.v, b.v)) v;
  ORRERY_INLINE Difference(const A& a_, const B& b_) : a(a_), b(b_), v(subtract(a.v, b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(g);
    b.back(negate(g));
  }
};

template <class S, class X>
struct Scaled {
  S s;
  X x;
  decltype(scale(s.v, x.v)) v;
  ORRERY_INLINE Scaled(const S& s_, const X& x_) : s(s_), x(x_), v(scale(s.v, x.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    s.back(dot(g, x.v));
    x.back(scale(s.v, g));
  }
};

// The real inner product over all components: a scalar expression.
template <class A, class B>
struct InnerProduct {
  A a;
  B b;
  decltype(dot(a.v, b.v)) v;
  ORRERY_INLINE InnerProduct(const A& a_, const B& b_) : a(a_), b(b_), v(dot(a.v, b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(scale(g, b.v));
    b.back(scale(g, a.v));
  }
};

template <Expression A, Expression B>
ORRERY_INLINE auto operator*(const A& a, const B& b) {
  if constexpr (requires { mul(a.v, b.v); })
    return Product<A, B>(a, b);
  else
    return Scaled<A, B>(a, b);
}
template <Expression A, Expression B>
ORRERY_INLINE auto operator+(const A& a, const B& b) {
  return Sum<A, B>(a, b);
}
template <Expression A, Expression B>
ORRERY_INLINE auto operator-(const A& a, const B& b) {
  return Difference<A, B>(a, b);
}
template <Expression A, Expression G>
ORRERY_INLINE auto adjoint_times(const A& a, const G& g) {
  return AdjointTimes<A, G>(a, g);
}
template <Expression G, Expression B>
ORRERY_INLINE auto times_adjoint(const G& g, const B& b) {
  return TimesAdjoint<G, B>(g, b);
}
template <Expression A, Expression B>
ORRERY_INLINE auto inner(const A& a, const B& b) {
  return InnerProduct<A, B>(a, b);
}

}  // namespace orrery
