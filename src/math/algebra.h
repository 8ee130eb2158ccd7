// An algebra is a compile-time multiplication table. The product and both of its derivatives are
// read off the same table, so they cannot disagree.
#pragma once

#include <cstddef>
#include <utility>

#include "math/inline.h"

namespace orrery {

// e_i e_j = sign · e_k
struct TableEntry {
  int k = 0;
  int sign = 0;
};

template <int N>
struct MultiplicationTable {
  TableEntry at[N][N];
};

struct Real {
  static constexpr int size = 1;
  static constexpr MultiplicationTable<1> table = {{{{0, 1}}}};
};

struct Complex {
  static constexpr int size = 2;
  static constexpr MultiplicationTable<2> table = {{{{0, 1}, {1, 1}}, {{1, 1}, {0, -1}}}};
};

struct Quaternion {
  static constexpr int size = 4;
  static constexpr MultiplicationTable<4> table = {{{{0, 1}, {1, 1}, {2, 1}, {3, 1}},
                                                    {{1, 1}, {0, -1}, {3, 1}, {2, -1}},
                                                    {{2, 1}, {3, -1}, {0, -1}, {1, 1}},
                                                    {{3, 1}, {2, 1}, {1, -1}, {0, -1}}}};
};

// Multivectors a + b e1 + c e2 + d e12 of the plane: e1² = e2² = 1, e12² = −1.
struct Multivector {
  static constexpr int size = 4;
  static constexpr MultiplicationTable<4> table = {{{{0, 1}, {1, 1}, {2, 1}, {3, 1}},
                                                    {{1, 1}, {0, 1}, {3, 1}, {2, 1}},
                                                    {{2, 1}, {3, -1}, {0, 1}, {1, -1}},
                                                    {{3, 1}, {2, -1}, {1, 1}, {0, -1}}}};
};

// N copies side by side, multiplied component by component.
template <int N>
struct Componentwise {
  static constexpr int size = N;
  static constexpr MultiplicationTable<N> table = [] {
    MultiplicationTable<N> t{};
    for (int i = 0; i < N; ++i) t.at[i][i] = {i, 1};
    return t;
  }();
};

// The same where the components make up one vector, whose norm is taken as a whole.
template <int N>
struct Whole : Componentwise<N> {
  static constexpr bool one_norm = true;
};

// The tensor product: A with coefficients in B. Component (i, p) is at i · |B| + p.
template <class A, class B>
struct Tensor {
  static constexpr int size = A::size * B::size;
  static constexpr MultiplicationTable<size> table = [] {
    MultiplicationTable<size> t{};
    for (int i = 0; i < A::size; ++i)
      for (int j = 0; j < A::size; ++j)
        for (int p = 0; p < B::size; ++p)
          for (int q = 0; q < B::size; ++q) {
            const TableEntry a = A::table.at[i][j];
            const TableEntry b = B::table.at[p][q];
            t.at[i * B::size + p][j * B::size + q] = {a.k * B::size + b.k, a.sign * b.sign};
          }
    return t;
  }();
};

using Biquaternion = Tensor<Quaternion, Complex>;       // components w.re w.im x.re x.im … z.im
using FourComplex = Tensor<Componentwise<4>, Complex>;  // the same eight reals, no Hamilton product

// The unit element, component by component.
template <class A>
constexpr bool unit_component(int component) {
  bool unit = true;  // e_c e_j must be e_j or nothing for every j
  for (int j = 0; j < A::size; ++j) {
    const TableEntry e = A::table.at[component][j];
    if (e.sign != 0 && (e.k != j || e.sign != 1)) unit = false;
  }
  return unit;
}

// One element of the algebra A over a scalar T (float, double, a SIMD vector, …).
template <class T, class A>
struct Element {
  using Scalar = T;
  using Algebra = A;
  static constexpr int size = A::size;
  T c[size];
};

template <class T, class A>
ORRERY_INLINE Element<T, A> zero_element() {
  Element<T, A> e;
  for (int i = 0; i < A::size; ++i) e.c[i] = T(0);
  return e;
}

// d[D] += sign · x[X] · y[Y] over the whole table; D, X, Y say which of (i, j, k) each side reads.
enum class Slot { i, j, k };

template <class A, Slot D, Slot X, Slot Y, class T>
ORRERY_INLINE Element<T, A> contract(const Element<T, A>& x, const Element<T, A>& y) {
  constexpr int n = A::size;
  Element<T, A> d = zero_element<T, A>();
  [&]<std::size_t... IJ>(std::index_sequence<IJ...>) ORRERY_INLINE_LAMBDA {
    (
        [&]() ORRERY_INLINE_LAMBDA {
          constexpr TableEntry e = A::table.at[IJ / n][IJ % n];
          constexpr int at[3] = {static_cast<int>(IJ / n), static_cast<int>(IJ % n), e.k};
          constexpr int d_at = at[static_cast<int>(D)];
          constexpr int x_at = at[static_cast<int>(X)];
          constexpr int y_at = at[static_cast<int>(Y)];
          if constexpr (e.sign > 0) d.c[d_at] += x.c[x_at] * y.c[y_at];
          if constexpr (e.sign < 0) d.c[d_at] -= x.c[x_at] * y.c[y_at];
        }(),
        ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(n) * n>{});
  return d;
}

template <class T, class A>
ORRERY_INLINE Element<T, A> mul(const Element<T, A>& a, const Element<T, A>& b) {
  return contract<A, Slot::k, Slot::i, Slot::j>(a, b);
}
// d⟨g, a·b⟩/da and d⟨g, a·b⟩/db
template <class T, class A>
ORRERY_INLINE Element<T, A> mul_back_left(const Element<T, A>& g, const Element<T, A>& b) {
  return contract<A, Slot::i, Slot::k, Slot::j>(g, b);
}
template <class T, class A>
ORRERY_INLINE Element<T, A> mul_back_right(const Element<T, A>& g, const Element<T, A>& a) {
  return contract<A, Slot::j, Slot::k, Slot::i>(g, a);
}

template <class T, class A>
ORRERY_INLINE Element<T, A> add(const Element<T, A>& a, const Element<T, A>& b) {
  Element<T, A> sum;
  for (int i = 0; i < A::size; ++i) sum.c[i] = a.c[i] + b.c[i];
  return sum;
}
template <class T, class A>
ORRERY_INLINE Element<T, A> subtract(const Element<T, A>& a, const Element<T, A>& b) {
  Element<T, A> difference;
  for (int i = 0; i < A::size; ++i) difference.c[i] = a.c[i] - b.c[i];
  return difference;
}
template <class T, class A>
ORRERY_INLINE Element<T, A> negate(const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; ++i) y.c[i] = -x.c[i];
  return y;
}
template <class T, class A>
ORRERY_INLINE Element<T, A> scale(const T& s, const Element<T, A>& x) {
  Element<T, A> y;
  for (int i = 0; i < A::size; ++i) y.c[i] = s * x.c[i];
  return y;
}
template <class T, class A>
ORRERY_INLINE T dot(const Element<T, A>& a, const Element<T, A>& b) {
  T sum = a.c[0] * b.c[0];
  for (int i = 1; i < A::size; ++i) sum += a.c[i] * b.c[i];
  return sum;
}

}  // namespace orrery
