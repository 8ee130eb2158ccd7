// Expressions that change, join or normalise the components of a lane.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "math/expression.h"
#include "math/scalar.h"

namespace orrery {

// The conjugate of complex numbers, quaternions and multivectors: all components but the first
// change sign.
template <class T, class A>
ORRERY_INLINE Element<T, A> conjugate_element(const Element<T, A>& x) {
  Element<T, A> y = negate(x);
  y.c[0] = x.c[0];
  return y;
}
template <class X>
struct Conjugate {
  X x;
  decltype(X::v) v;
  ORRERY_INLINE explicit Conjugate(const X& x_) : x(x_), v(conjugate_element(x.v)) {}
  ORRERY_INLINE void back(const auto& g) const { x.back(conjugate_element(g)); }
};

// The grade involution of multivectors: vectors change sign, scalars and planes do not.
template <class T>
ORRERY_INLINE Element<T, Multivector> involute_element(const Element<T, Multivector>& x) {
  return {{x.c[0], -x.c[1], -x.c[2], x.c[3]}};
}
template <class X>
struct Involuted {
  X x;
  decltype(X::v) v;
  ORRERY_INLINE explicit Involuted(const X& x_) : x(x_), v(involute_element(x.v)) {}
  ORRERY_INLINE void back(const auto& g) const { x.back(involute_element(g)); }
};

// The components in the opposite order.
template <class T, class A>
ORRERY_INLINE Element<T, A> reverse_element(const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; ++i) y.c[i] = x.c[A::size - 1 - i];
  return y;
}
template <class X>
struct Reversed {
  X x;
  decltype(X::v) v;
  ORRERY_INLINE explicit Reversed(const X& x_) : x(x_), v(reverse_element(x.v)) {}
  ORRERY_INLINE void back(const auto& g) const { x.back(reverse_element(g)); }
};

// The same components in the algebra B.
template <class B, class E>
ORRERY_INLINE Element<typename E::Scalar, B> recast_element(const E& e) {
  static_assert(B::size == E::size);
  Element<typename E::Scalar, B> y;
  for (int i = 0; i < E::size; ++i) y.c[i] = e.c[i];
  return y;
}
template <class B, class X>
struct Recast {
  X x;
  decltype(recast_element<B>(x.v)) v;
  ORRERY_INLINE explicit Recast(const X& x_) : x(x_), v(recast_element<B>(x.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    x.back(recast_element<typename decltype(X::v)::Algebra>(g));
  }
};

// x / |x|, over all components of the lane; 0 stays 0.
template <class X>
struct Unit {
  X x;
  typename decltype(X::v)::Scalar inverse;
  decltype(X::v) v;
  ORRERY_INLINE explicit Unit(const X& x_)
      : x(x_), inverse(inverse_root(dot(x.v, x.v))), v(scale(inverse, x.v)) {}
  ORRERY_INLINE void back(const auto& g) const {
    x.back(scale(inverse, subtract(g, scale(dot(g, v), v))));
  }
};

// Components First … First + A::size − 1 of x, as a lane of the algebra A.
template <class A, class First, class X>
struct Part {
  X x;
  Element<typename decltype(X::v)::Scalar, A> v;
  ORRERY_INLINE explicit Part(const X& x_) : x(x_) {
    for (int i = 0; i < A::size; ++i) v.c[i] = x.v.c[First::value + i];
  }
  ORRERY_INLINE void back(const auto& g) const {
    using E = decltype(X::v);
    auto whole = zero_element<typename E::Scalar, typename E::Algebra>();
    for (int i = 0; i < A::size; ++i) whole.c[First::value + i] = g.c[i];
    x.back(whole);
  }
};

// The components of several lanes, one after the other.
template <class... Parts>
struct Joined {
  using First = std::tuple_element_t<0, std::tuple<Parts...>>;
  using T = typename decltype(First::v)::Scalar;
  using A = Componentwise<(decltype(Parts::v)::size + ...)>;
  std::tuple<Parts...> parts;
  Element<T, A> v;
  ORRERY_INLINE explicit Joined(const Parts&... parts_) : parts(parts_...) {
    int at = 0;
    (
        [&]() ORRERY_INLINE_LAMBDA {
          for (int i = 0; i < parts_.v.size; ++i) v.c[at++] = parts_.v.c[i];
        }(),
        ...);
  }
  ORRERY_INLINE void back(const auto& g) const {
    std::apply(
        [&](const auto&... part) ORRERY_INLINE_LAMBDA {
          int at = 0;
          (
              [&]() ORRERY_INLINE_LAMBDA {
                auto own = part.v;
                for (int i = 0; i < own.size; ++i) own.c[i] = g.c[at++];
                part.back(own);
              }(),
              ...);
        },
        parts);
  }
};

// Body::of(x…), where x… are swept once however often Body uses them. A factor that is swept twice
// would be penalised twice.
template <class Body, class... X>
struct Let {
  std::tuple<X...> x;
  decltype(Body::of(std::declval<Leaf<decltype(X::v)>>()...).v) v;
  ORRERY_INLINE explicit Let(const X&... x_)
      : x(x_...), v(Body::of(Leaf<decltype(X::v)>{x_.v, nullptr}...).v) {}
  ORRERY_INLINE void back(const auto& g) const { back(g, std::index_sequence_for<X...>{}); }

 private:
  template <std::size_t... I>
  ORRERY_INLINE void back(const auto& g, std::index_sequence<I...>) const {
    std::tuple<decltype(X::v)...> sums(
        zero_element<typename decltype(X::v)::Scalar, typename decltype(X::v)::Algebra>()...);
    Body::of(Leaf<decltype(X::v)>{std::get<I>(x).v, &std::get<I>(sums)}...).back(g);
    (std::get<I>(x).back(std::get<I>(sums)), ...);
  }
};

template <Expression X>
ORRERY_INLINE auto conjugate(const X& x) {
  return Conjugate<X>(x);
}
template <Expression X>
ORRERY_INLINE auto involute(const X& x) {
  return Involuted<X>(x);
}
template <Expression X>
ORRERY_INLINE auto reverse(const X& x) {
  return Reversed<X>(x);
}
template <class B, Expression X>
ORRERY_INLINE auto recast(const X& x) {
  return Recast<B, X>(x);
}
template <Expression X>
ORRERY_INLINE auto unit(const X& x) {
  return Unit<X>(x);
}
template <class A, int First, Expression X>
ORRERY_INLINE auto part(const X& x) {
  return Part<A, std::integral_constant<int, First>, X>(x);
}
template <Expression... Parts>
ORRERY_INLINE auto join(const Parts&... parts) {
  return Joined<Parts...>(parts...);
}
template <class Body, Expression... X>
ORRERY_INLINE auto let(const X&... x) {
  return Let<Body, X...>(x...);
}

// A factor whose norm is that of all components together, whatever is said of complex parts.
template <Expression X>
ORRERY_INLINE auto whole_factor(auto& lane, const X& x) {
  using A = typename decltype(X::v)::Algebra;
  return recast<A>(lane.factor(recast<Whole<A::size>>(x)));
}

// u v ū: quaternions turned by u, and scaled by |u|².
struct Sandwich {
  ORRERY_INLINE static auto of(const auto& u, const auto& v) { return u * v * conjugate(u); }
};
template <Expression U, Expression V>
ORRERY_INLINE auto turn(const U& u, const V& v) {
  return let<Sandwich>(u, v);
}

}  // namespace orrery
