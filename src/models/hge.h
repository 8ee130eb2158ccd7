#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "math/complex_parts.h"
#include "math/dual.h"
#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/attention.h"
#include "models/model.h"
#include "models/twice.h"

namespace orrery {

// a + b j with j² = 1.
struct SplitComplex {
  static constexpr int size = 2;
  static constexpr MultiplicationTable<2> table = {{{{0, 1}, {1, 1}}, {{1, 1}, {0, 1}}}};
};

// x · y where the second unit squares to κ: split-complex for 1, dual for 0, complex for −1.
template <class K, class X, class Y>
struct ProductAtCurvature {
  K kappa;
  X x;
  Y y;
  decltype(X::v) v;
  ORRERY_INLINE ProductAtCurvature(const K& kappa_, const X& x_, const Y& y_)
      : kappa(kappa_),
        x(x_),
        y(y_),
        v{{x.v.c[0] * y.v.c[0] + kappa.v * (x.v.c[1] * y.v.c[1]),
           x.v.c[0] * y.v.c[1] + x.v.c[1] * y.v.c[0]}} {}
  ORRERY_INLINE void back(const auto& g) const {
    kappa.back(g.c[0] * (x.v.c[1] * y.v.c[1]));
    x.back(through(g, y.v));
    y.back(through(g, x.v));
  }

 private:
  template <class E>
  ORRERY_INLINE E through(const E& g, const E& other) const {
    return {{g.c[0] * other.c[0] + g.c[1] * other.c[1],
             kappa.v * (g.c[0] * other.c[1]) + g.c[1] * other.c[0]}};
  }
};

// The paper's form with a lasting part. Its three geometries differ in the real part of a product
// alone, so its attention over them comes to one number κ, and that follows from sums over the row.
struct HGE {
  static constexpr std::string_view name = "hge";
  static constexpr std::string_view title = "HGE: attention over complex, dual and split geometry";
  static constexpr std::string_view paper =
      "Pan, Nayyeri, Li, Staab: HGE: Embedding Temporal Knowledge Graphs in a Product Space of "
      "Heterogeneous Geometric Subspaces, AAAI 2024";
  static constexpr std::string_view formula =
      "conj(entity ·κ attend(attention; relation · time, relation_lasting)), where ·κ is the "
      "product with j² = κ(entity, relation, time) and · that with j² = 1";
  using Algebra = SplitComplex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_lasting", RowOf::relation},
      RowSpec{"attention", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto&, const auto& time) {
    const auto left = twice(lane, lane.factor(entity));
    const auto timed = lane.factor(relation * time);
    const auto lasting = lane.factor(relation_lasting);
    const auto transform = weigh_parts(lane.gate(0), lane.gate(1), timed) +
                           weigh_parts(lane.gate(2), lane.gate(3), lasting);
    return conjugate(product_at(lane.gate(4), left, transform));
  }
  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&...) {
    return twice(lane, lane.factor(entity));
  }

  // The weights of timed and lasting follow from how much more attention votes for the first. What
  // κ follows from, Σ entity.im · transform.re · transform.im, is a polynomial in the weights:
  // its coefficients are the other votes.
  static constexpr int vote_count = 6, gate_count = 5;
  ORRERY_INLINE static auto votes(const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& attention,
                                  const auto& time) {
    const auto apart = relation * time - relation_lasting;
    return std::tuple(
        inner(real(attention), real(apart)), inner(imaginary(attention), imaginary(apart)),
        triple(entity, relation_lasting, relation_lasting), triple(entity, relation_lasting, apart),
        triple(entity, apart, relation_lasting), triple(entity, apart, apart));
  }
  static double vote_scale(int lanes) { return 1.0 / std::sqrt(static_cast<double>(lanes)); }
  template <class T>
  ORRERY_INLINE static std::array<T, 5> gates(const std::array<T, 6>& z) {
    const auto re = softmax_pair(z[0], T{}), im = softmax_pair(z[1], T{});
    const T vote = z[2] + im[0] * z[3] + re[0] * (z[4] + im[0] * z[5]);
    return {re[0], im[0], re[1], im[1], kappa(vote)};
  }

  // The softmax over (v, 0, −v) weighs κ = 1, 0, −1: 2 sinh v / (1 + 2 cosh v), without its
  // overflow.
  template <class T>
  ORRERY_INLINE static T kappa(const T& v) {
    const auto [plus, minus] = softmax_pair(v, T{});
    return (plus - minus) / (T{1} - plus * minus);
  }

 private:
  template <class K, class X, class Y>
  ORRERY_INLINE static auto product_at(const K& kappa, const X& x, const Y& y) {
    return ProductAtCurvature<K, X, Y>(kappa, x, y);
  }
  ORRERY_INLINE static auto real(const auto& x) { return part<Real, 0>(x); }
  ORRERY_INLINE static auto imaginary(const auto& x) { return part<Real, 1>(x); }
  ORRERY_INLINE static auto triple(const auto& entity, const auto& x, const auto& y) {
    return inner(imaginary(entity), real(x) * imaginary(y));
  }
};

}  // namespace orrery
