// Expressions against the slopes of their values.
#pragma once

#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "base/random.h"
#include "math/expression.h"

namespace orrery {

template <class A>
Element<double, A> random_element(std::uint64_t key) {
  Element<double, A> x;
  for (int i = 0; i < A::size; ++i) x.c[i] = random_normal(key, static_cast<std::uint64_t>(i));
  return x;
}

template <class A>
void expect_equal(const Element<double, A>& a, const Element<double, A>& b) {
  for (int i = 0; i < A::size; ++i) EXPECT_NEAR(a.c[i], b.c[i], 1e-13) << "component " << i;
}

// The value of an expression that nobody sweeps.
template <class F, class... A>
auto value_of(const F& f, const Element<double, A>&... x) {
  return f(Leaf<Element<double, A>>{x, nullptr}...).v;
}

inline double along(double a, double b) { return a * b; }
template <class A>
double along(const Element<double, A>& a, const Element<double, A>& b) {
  return dot(a, b);
}
inline void draw(double& x) { x = random_normal(1234, 0); }
template <class A>
void draw(Element<double, A>& x) {
  x = random_element<A>(1234);
}

// f makes an expression of leaves: its sweep must give the slope by every component of every leaf.
template <class F, class... A>
void expect_slopes(const F& f, const Element<double, A>&... x) {
  auto found = std::tuple(zero_element<double, A>()...);
  auto g = value_of(f, x...);
  draw(g);
  std::apply([&](auto&... to) { f(Leaf<Element<double, A>>{x, &to}...).back(g); }, found);
  auto at = std::tuple(x...);
  const auto value = [&] {
    return std::apply([&](const auto&... each) { return along(g, value_of(f, each...)); }, at);
  };
  constexpr double step = 1e-6;
  const auto check = [&](auto& each, const auto& gradient) {
    for (int i = 0; i < each.size; ++i) {
      const double start = each.c[i];
      each.c[i] = start + step;
      const double up = value();
      each.c[i] = start - step;
      const double down = value();
      each.c[i] = start;
      EXPECT_NEAR(gradient.c[i], (up - down) / (2 * step), 1e-8) << "component " << i;
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check(std::get<I>(at), std::get<I>(found)), ...);
  }
  (std::index_sequence_for<A...>{});
}

}  // namespace orrery
