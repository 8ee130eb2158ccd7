// What a formula may ask of the lane it runs on: the row's gates, and `factor`, which marks a
// sub-expression as a factor of the tensor decomposition (regularised, and subject to dropout).
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/random.h"
#include "math/expression.h"
#include "math/norm.h"

namespace orrery {

// What a time says of itself besides its rows.
enum class ClockReading {
  span,   // 0 for the first time of the axis, 1 for the last
  year,   // 0 for the first year of the axis, 1 for the next
  month,  // 1 … 12; 0 where times are coarser
  day,    // 1 … 31; 0 where times are coarser
};
inline constexpr int clock_readings = 4;

// The same for all lanes of one row.
template <class T>
struct FactorRule {
  T penalty_weight = T(0);  // of the gradient; the summed penalty itself is unweighted
  NormRule norm;
  float drop_rate = 0;
  bool drop_lanes = false;  // all components of a lane together
  std::uint64_t drop_key = 0;
  int lanes = 0;                 // of the row
  const float* clock = nullptr;  // the time's readings, see ClockReading
};

// One random 16-bit word a component (or lane) decides; a word depends on the logical lane alone,
// so every engine drops the same.
// Kept out of line: it is long, and off by default.
template <class T, class A>
[[gnu::noinline]] constexpr Element<T, A> drop_mask(const FactorRule<T>& rule,
                                                    std::uint32_t first_lane,
                                                    std::uint32_t factor) {
  const auto threshold = static_cast<std::uint32_t>(rule.drop_rate * 65536.0F);
  const float kept = 1.0F / (1.0F - rule.drop_rate);
  Element<T, A> mask;
  for (int c = 0; c < A::size; ++c) {
    const int decided_by = rule.drop_lanes ? 0 : c;
    const auto keep = [&](std::uint32_t lane) {
      const std::uint64_t counter = (static_cast<std::uint64_t>(lane) << 16) | (factor << 8) |
                                    static_cast<unsigned>(decided_by / 4);
      const auto word = (random_bits(rule.drop_key, counter) >> (16 * (decided_by % 4))) & 0xffff;
      return word < threshold ? 0.0F : kept;
    };
    if constexpr (std::is_arithmetic_v<T>)
      mask.c[c] = T(keep(first_lane));
    else
      mask.c[c] = T([&](auto i) { return keep(first_lane + static_cast<std::uint32_t>(i)); });
  }
  return mask;
}

template <class T, class A>
ORRERY_INLINE Element<T, A> multiply_components(const Element<T, A>& a, const Element<T, A>& b) {
  Element<T, A> y;
  for (int i = 0; i < A::size; ++i) y.c[i] = a.c[i] * b.c[i];
  return y;
}

// v = dropout(x); the sweep adds the penalty of the undropped x.
template <class X, class T>
struct Factor {
  using Value = decltype(X::v);
  using A = typename Value::Algebra;
  X x;
  const FactorRule<T>* rule;
  T* penalty;
  std::uint32_t first_lane, index;
  Value v;

  ORRERY_INLINE Factor(const X& x_, const FactorRule<T>& rule_, T* penalty_,
                       std::uint32_t first_lane_, std::uint32_t index_)
      : x(x_),
        rule(&rule_),
        penalty(penalty_),
        first_lane(first_lane_),
        index(index_),
        v(drop(x.v)) {}

  ORRERY_INLINE void back(const Value& g) const {
    Value down = drop(g);
    *penalty += norm_back(x.v, rule->penalty_weight, rule->norm, down);
    x.back(down);
  }

 private:
  ORRERY_INLINE Value drop(const Value& e) const {
    if (rule->drop_rate <= 0) return e;
    return multiply_components(e, drop_mask<T, A>(*rule, first_lane, index));
  }
};

// The lanes of a in the first part of a row, those of b in the rest.
template <class A, class B, class T>
struct Spliced {
  A a;
  B b;
  T first;  // 1 on the lanes of a, else 0
  decltype(A::v) v;
  ORRERY_INLINE Spliced(const A& a_, const B& b_, const T& first_)
      : a(a_), b(b_), first(first_), v(add(scale(first, a.v), scale(T(1) - first, b.v))) {}
  ORRERY_INLINE void back(const auto& g) const {
    a.back(scale(first, g));
    b.back(scale(T(1) - first, g));
  }
};

template <class T, int Gates>
struct Lane {
  const FactorRule<T>* rule;
  std::uint32_t first_lane = 0;  // the logical index of the (first) lane
  T penalty = T(0);
  static constexpr int places = Gates + (Gates == 0 ? 1 : 0);  // an array wants one at least
  T gates[places];
  T gate_gradients[places];
  std::uint32_t factors = 0;

  ORRERY_INLINE explicit Lane(const FactorRule<T>& rule_) : rule(&rule_) {
    for (T& g : gate_gradients) g = T(0);
  }

  // Before each run of a formula.
  ORRERY_INLINE void move_to(std::uint32_t lane) {
    first_lane = lane;
    factors = 0;
  }

  // Number the factors of a formula in statements, not inside one expression: the order in which
  // operands are evaluated is the compiler's.
  template <Expression X>
  ORRERY_INLINE auto factor(const X& x) {
    return Factor<X, T>(x, *rule, &penalty, first_lane, factors++);
  }
  ORRERY_INLINE Gate<T> gate(int i) { return {gates[i], &gate_gradients[i]}; }
  ORRERY_INLINE Constant<T> constant(float value) const { return {T(value)}; }
  ORRERY_INLINE Constant<T> clock(ClockReading reading) const {
    return {T(rule->clock[static_cast<int>(reading)])};
  }

  // The lanes of `a` in the first `share` of the row (one at least), those of `b` in the rest.
  template <Expression A, Expression B>
  ORRERY_INLINE auto splice(float share, const A& a, const B& b) const {
    const auto whole = std::lround(share * static_cast<float>(rule->lanes));
    const auto end = static_cast<std::uint32_t>(whole > 0 ? whole : 1);
    const auto is_first = [&](std::uint32_t lane) { return lane < end ? 1.0F : 0.0F; };
    if constexpr (std::is_arithmetic_v<T>)
      return Spliced<A, B, T>(a, b, T(is_first(first_lane)));
    else
      return Spliced<A, B, T>(
          a, b, T([&](auto i) { return is_first(first_lane + static_cast<std::uint32_t>(i)); }));
  }
};

}  // namespace orrery
