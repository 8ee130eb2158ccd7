// Expressions that see an element as a row of complex parts (components 2i and 2i + 1): what a
// complex-valued attention is written with. For algebras of the form Tensor<…, Complex>.
#pragma once

#include "math/expression.h"

namespace orrery {

template <class T, class A>
ORRERY_INLINE Element<T, A> conjugate_parts(const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; i += 2) {
    y.c[i] = x.c[i];
    y.c[i + 1] = -x.c[i + 1];
  }
  return y;
}
template <class T, class A>
ORRERY_INLINE Element<T, A> swap_parts(const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; i += 2) {
    y.c[i] = x.c[i + 1];
    y.c[i + 1] = x.c[i];
  }
  return y;
}
// (p + q·I) x, part by part.
template <class T, class A>
ORRERY_INLINE Element<T, A> scale_parts(const T& p, const T& q, const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; i += 2) {
    y.c[i] = p * x.c[i] - q * x.c[i + 1];
    y.c[i + 1] = p * x.c[i + 1] + q * x.c[i];
  }
  return y;
}

// Re and Im of the bilinear Σ a_i b_i over complex parts (no conjugate).
template <class A, class B>
struct BilinearReal {
  A a;
  B b;
  decltype(dot(a.v, b.v)) v;
  ORRERY_INLINE BilinearReal(const A& a_, const B& b_)
      : a(a_), b(b_), v(dot(conjugate_parts(a.v), b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(scale(g, conjugate_parts(b.v)));
    b.back(scale(g, conjugate_parts(a.v)));
  }
};
template <class A, class B>
struct BilinearImaginary {
  A a;
  B b;
  decltype(dot(a.v, b.v)) v;
  ORRERY_INLINE BilinearImaginary(const A& a_, const B& b_)
      : a(a_), b(b_), v(dot(swap_parts(a.v), b.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(scale(g, swap_parts(b.v)));
    b.back(scale(g, swap_parts(a.v)));
  }
};

// Real parts scaled by p, imaginary parts by q.
template <class P, class Q, class X>
struct PartsWeighed {
  P p;
  Q q;
  X x;
  decltype(scale(p.v, x.v)) v;
  ORRERY_INLINE PartsWeighed(const P& p_, const Q& q_, const X& x_)
      : p(p_), q(q_), x(x_), v(weigh(x.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    auto real = g.c[0] * x.v.c[0];
    auto imaginary = g.c[1] * x.v.c[1];
    for (int i = 2; i < g.size; i += 2) {
      real += g.c[i] * x.v.c[i];
      imaginary += g.c[i + 1] * x.v.c[i + 1];
    }
    p.back(real);
    q.back(imaginary);
    x.back(weigh(g));
  }

 private:
  ORRERY_INLINE auto weigh(const auto& e) const {
    auto y = e;
    for (int i = 0; i < e.size; i += 2) {
      y.c[i] = p.v * e.c[i];
      y.c[i + 1] = q.v * e.c[i + 1];
    }
    return y;
  }
};

// (p + q·I) x.
template <class P, class Q, class X>
struct PartsScaled {
  P p;
  Q q;
  X x;
  decltype(scale(p.v, x.v)) v;
  ORRERY_INLINE PartsScaled(const P& p_, const Q& q_, const X& x_)
      : p(p_), q(q_), x(x_), v(scale_parts(p.v, q.v, x.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    p.back(dot(g, x.v));
    q.back(-dot(swap_parts(conjugate_parts(g)), x.v));
    x.back(scale_parts(p.v, -q.v, g));
  }
};

template <Expression A, Expression B>
ORRERY_INLINE auto bilinear_real(const A& a, const B& b) {
  return BilinearReal<A, B>(a, b);
}
template <Expression A, Expression B>
ORRERY_INLINE auto bilinear_imaginary(const A& a, const B& b) {
  return BilinearImaginary<A, B>(a, b);
}
template <Expression P, Expression Q, Expression X>
ORRERY_INLINE auto weigh_parts(const P& p, const Q& q, const X& x) {
  return PartsWeighed<P, Q, X>(p, q, x);
}
template <Expression P, Expression Q, Expression X>
ORRERY_INLINE auto scale_parts(const P& p, const Q& q, const X& x) {
  return PartsScaled<P, Q, X>(p, q, x);
}

}  // namespace orrery
