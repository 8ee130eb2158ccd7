// How a query is held against a candidate: a sum over lanes, each of which sees one lane of both.
// The larger the score, the better the candidate.
#pragma once

#include <string_view>

#include "math/expression.h"
#include "math/scalar.h"

namespace orrery {

// −Σ|q − c| over all components.
template <class Q, class C>
struct AbsoluteDistance {
  Q q;
  C c;
  typename decltype(Q::v)::Scalar v;
  ORRERY_INLINE AbsoluteDistance(const Q& q_, const C& c_)
      : q(q_), c(c_), v(-absolute(q.v.c[0] - c.v.c[0])) {
    for (int i = 1; i < q.v.size; ++i) v -= absolute(q.v.c[i] - c.v.c[i]);
  }
  ORRERY_INLINE void back(const auto& g) const {
    auto down = q.v;
    for (int i = 0; i < down.size; ++i) down.c[i] = signed_by(g, c.v.c[i] - q.v.c[i]);
    q.back(down);
    c.back(negate(down));
  }

 private:
  // g · sign(x)
  template <class T>
  ORRERY_INLINE static T signed_by(const T& g, const T& x) {
    return g * with_sign(T(1), x);
  }
};

// −|q − c|, the norm of the whole lane.
template <class Q, class C>
struct LaneDistance {
  Q q;
  C c;
  decltype(Q::v) apart;
  typename decltype(Q::v)::Scalar inverse, v;
  ORRERY_INLINE LaneDistance(const Q& q_, const C& c_)
      : q(q_), c(c_), apart(subtract(q.v, c.v)), inverse(0), v(0) {
    const auto square = dot(apart, apart);
    inverse = inverse_root(square);
    v = -square * inverse;
  }
  ORRERY_INLINE void back(const auto& g) const {
    const auto down = scale(-g * inverse, apart);
    q.back(down);
    c.back(negate(down));
  }
};

// |q − c|²; see ByEuclideanDistance.
template <class Q, class C>
struct SquaredDistance {
  Q q;
  C c;
  decltype(Q::v) apart;
  typename decltype(Q::v)::Scalar v;
  ORRERY_INLINE SquaredDistance(const Q& q_, const C& c_)
      : q(q_), c(c_), apart(subtract(q.v, c.v)), v(dot(apart, apart)) {}
  ORRERY_INLINE void back(const auto& g) const {
    const auto down = scale(g + g, apart);
    q.back(down);
    c.back(negate(down));
  }
};

// Minus the distance of points from boxes, one a component of the candidate. For N of them the
// query holds N shifts, N slopes a inside the boxes and N slopes b outside, where b − 1 is a box's
// width and the point lies at x = candidate + shift from its centre:
// a|x| inside (|x| < (b − 1) / 2), and b|x| − (b − 1)(b − a) / 2 outside, which is continuous.
template <class Q, class C>
struct BoxDistance {
  using T = typename decltype(Q::v)::Scalar;
  static constexpr int boxes = decltype(C::v)::size;
  static_assert(decltype(Q::v)::size == 3 * boxes);
  Q q;
  C c;
  T v;
  ORRERY_INLINE BoxDistance(const Q& q_, const C& c_) : q(q_), c(c_), v(0) {
    for (int i = 0; i < boxes; ++i) {
      const T far = absolute(point(i)), inner = slope_in(i), outer = slope_out(i);
      const T width = outer - T(1);
      v -= choose(far < T(0.5F) * width, far * inner,
                  far * outer - T(0.5F) * width * (outer - inner));
    }
  }
  ORRERY_INLINE void back(const auto& g) const {
    auto to_query = q.v;
    auto to_candidate = c.v;
    for (int i = 0; i < boxes; ++i) {
      const T x = point(i), far = absolute(x), inner = slope_in(i), outer = slope_out(i);
      const T width = outer - T(1);
      const auto inside = far < T(0.5F) * width;
      const T by_point = -g * with_sign(choose(inside, inner, outer), x);
      to_query.c[i] = by_point;
      to_candidate.c[i] = by_point;
      to_query.c[boxes + i] = -g * choose(inside, far, T(0.5F) * width);
      to_query.c[2 * boxes + i] =
          -g * choose(inside, T(0), far - T(0.5F) * (width + outer - inner));
    }
    q.back(to_query);
    c.back(to_candidate);
  }

 private:
  ORRERY_INLINE T point(int i) const { return c.v.c[i] + q.v.c[i]; }
  ORRERY_INLINE T slope_in(int i) const { return q.v.c[boxes + i]; }
  ORRERY_INLINE T slope_out(int i) const { return q.v.c[2 * boxes + i]; }
};

// Minus the mean of both Kullback–Leibler divergences between N(m − μ, v + σ) and N(0, w), less a
// constant: the query is (m, v, w, 1/w), the candidate (μ, σ); v, w and σ are variances.
template <class Q, class C>
struct Divergence {
  using T = typename decltype(Q::v)::Scalar;
  Q q;
  C c;
  T apart, square, variance, inverse, v;
  ORRERY_INLINE Divergence(const Q& q_, const C& c_)
      : q(q_),
        c(c_),
        apart(q.v.c[0] - c.v.c[0]),
        square(apart * apart),
        variance(q.v.c[1] + c.v.c[1]),
        inverse(T(1) / variance),
        v(T(-0.25F) * ((variance + square) * q.v.c[3] + (q.v.c[2] + square) * inverse)) {}
  ORRERY_INLINE void back(const auto& g) const {
    const T quarter = T(-0.25F) * g;
    const T by_mean = quarter * T(2) * apart * (q.v.c[3] + inverse);
    const T by_variance = quarter * (q.v.c[3] - (q.v.c[2] + square) * inverse * inverse);
    auto to_query = q.v;
    to_query.c[0] = by_mean;
    to_query.c[1] = by_variance;
    to_query.c[2] = quarter * inverse;
    to_query.c[3] = quarter * (variance + square);
    auto to_candidate = c.v;
    to_candidate.c[0] = -by_mean;
    to_candidate.c[1] = by_variance;
    q.back(to_query);
    c.back(to_candidate);
  }
};

// A comparator names the expression of a lane. Of `rooted` ones the score is −√ of the sum.
struct ByInnerProduct {  // one matrix product
  static constexpr std::string_view name = "inner product";
  static constexpr bool product = true, rooted = false;
  ORRERY_INLINE static auto compare(const auto& q, const auto& c) { return inner(q, c); }
};
struct ByAbsoluteDistance {
  static constexpr std::string_view name = "minus the sum of absolute differences";
  static constexpr bool product = false, rooted = false;
  template <class Q, class C>
  ORRERY_INLINE static auto compare(const Q& q, const C& c) {
    return AbsoluteDistance<Q, C>(q, c);
  }
};
struct ByLaneDistance {
  static constexpr std::string_view name = "minus the sum of distances lane by lane";
  static constexpr bool product = false, rooted = false;
  template <class Q, class C>
  ORRERY_INLINE static auto compare(const Q& q, const C& c) {
    return LaneDistance<Q, C>(q, c);
  }
};
struct ByEuclideanDistance {
  static constexpr std::string_view name = "minus the Euclidean distance";
  static constexpr bool product = false, rooted = true;
  template <class Q, class C>
  ORRERY_INLINE static auto compare(const Q& q, const C& c) {
    return SquaredDistance<Q, C>(q, c);
  }
};
struct ByBoxDistance {
  static constexpr std::string_view name = "minus the distances from boxes";
  static constexpr bool product = false, rooted = false;
  template <class Q, class C>
  ORRERY_INLINE static auto compare(const Q& q, const C& c) {
    return BoxDistance<Q, C>(q, c);
  }
};
struct ByDivergence {
  static constexpr std::string_view name = "minus the divergence of Gaussians";
  static constexpr bool product = false, rooted = false;
  template <class Q, class C>
  ORRERY_INLINE static auto compare(const Q& q, const C& c) {
    return Divergence<Q, C>(q, c);
  }
};

}  // namespace orrery
