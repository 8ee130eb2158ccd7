// A model's formula, lane by lane: the steps that every engine's loops are made of.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "math/dual.h"
#include "math/lane.h"
#include "models/model.h"

namespace orrery {

template <class M, class T>
using LaneElement = Element<T, typename M::Algebra>;
template <class M, class T>
using LaneOf = Lane<T, gate_count<M>()>;

// A leaf that knows its row, so that the type of an expression tells which rows it uses.
template <class E, std::size_t R>
struct RowLeaf : Leaf<E> {};

template <class X, std::size_t R>
struct UsesRow : std::false_type {};
template <class E, std::size_t R>
struct UsesRow<RowLeaf<E, R>, R> : std::true_type {};
template <template <class...> class Node, class... Parts, std::size_t R>
struct UsesRow<Node<Parts...>, R> : std::disjunction<UsesRow<Parts, R>...> {};

// Calls f with one leaf a row.
template <class M, class T, class F>
ORRERY_INLINE auto with_leaves(const LaneElement<M, T>* x, LaneElement<M, T>* gradients,
                               const F& f) {
  return [&]<std::size_t... R>(std::index_sequence<R...>) ORRERY_INLINE_LAMBDA {
    return f(RowLeaf<LaneElement<M, T>, R>{{x[R], &gradients[R]}}...);
  }
  (std::make_index_sequence<row_count<M>>{});
}

template <class M, class T>
ORRERY_INLINE LaneElement<M, T> query_value(LaneOf<M, T>& lane, const LaneElement<M, T>* x) {
  LaneElement<M, T> unused[row_count<M>];
  return with_leaves<M, T>(
      x, unused, [&](const auto&... row) ORRERY_INLINE_LAMBDA { return M::query(lane, row...).v; });
}

// Adds to `gradients` and to the lane's penalty and gate gradients.
template <class M, class T>
ORRERY_INLINE void query_back(LaneOf<M, T>& lane, const LaneElement<M, T>* x,
                              const LaneElement<M, T>& query_gradient,
                              LaneElement<M, T>* gradients) {
  with_leaves<M, T>(x, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    M::query(lane, row...).back(query_gradient);
  });
}

// The answer's factor; x[0] is the answer, the other rows are the query's.
template <class M, class T>
ORRERY_INLINE auto answer_factor(LaneOf<M, T>& lane, const auto& answer, const auto&... row) {
  if constexpr (requires { M::answer(lane, answer, row...); })
    return M::answer(lane, answer, row...);
  else
    return lane.factor(answer);
}

// Adds the gradient of its penalty.
template <class M, class T>
ORRERY_INLINE void answer_back(LaneOf<M, T>& lane, const LaneElement<M, T>* x,
                               LaneElement<M, T>* gradients) {
  with_leaves<M, T>(x, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    answer_factor<M, T>(lane, row...).back(zero_element<T, typename M::Algebra>());
  });
}

template <class M, class T>
ORRERY_INLINE void add_votes(const LaneElement<M, T>* x, T* sums) {
  LaneElement<M, T> unused[row_count<M>];
  with_leaves<M, T>(x, unused, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    std::apply(
        [&](const auto&... vote) ORRERY_INLINE_LAMBDA {
          int i = 0;
          ((sums[i++] += vote.v), ...);
        },
        M::votes(row...));
  });
}

template <class M, class T>
ORRERY_INLINE void votes_back(const LaneElement<M, T>* x, const T* vote_gradients,
                              LaneElement<M, T>* gradients) {
  with_leaves<M, T>(x, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    std::apply(
        [&](const auto&... vote) ORRERY_INLINE_LAMBDA {
          int i = 0;
          (vote.back(vote_gradients[i++]), ...);
        },
        M::votes(row...));
  });
}

// Which rows the query or the answer, and which the votes, send gradients to.
template <class M>
struct RowsUsed {
  std::array<bool, row_count<M>> by_factors{}, by_votes{};
};
template <class M, std::size_t... R>
constexpr RowsUsed<M> rows_used(std::index_sequence<R...>) {
  using AnyLane = LaneOf<M, float>;
  using E = LaneElement<M, float>;
  using QueryTree = decltype(M::query(std::declval<AnyLane&>(), std::declval<RowLeaf<E, R>>()...));
  using AnswerTree =
      decltype(answer_factor<M, float>(std::declval<AnyLane&>(), std::declval<RowLeaf<E, R>>()...));
  RowsUsed<M> used;
  used.by_factors = {(UsesRow<QueryTree, R>::value || UsesRow<AnswerTree, R>::value)...};
  if constexpr (vote_count<M>() > 0) {
    using VoteTrees = decltype(M::votes(std::declval<RowLeaf<E, R>>()...));
    used.by_votes = {UsesRow<VoteTrees, R>::value...};
  }
  return used;
}

// The gates of a row and their derivatives by its summed votes, in one scalar pass.
template <class M, class S>
struct RowGates {
  static constexpr int votes = vote_count<M>();
  static constexpr int gates = gate_count<M>();
  S value[gates];
  S by_vote[gates][votes];

  ORRERY_INLINE RowGates(const S* vote_sums, S scale) {
    std::array<Dual<S, votes>, votes> z;
    for (int i = 0; i < votes; ++i) {
      z[i] = Dual<S, votes>{vote_sums[i] * scale, {}};
      z[i].d[i] = scale;
    }
    const auto g = M::gates(z);
    for (int i = 0; i < gates; ++i) {
      value[i] = g[i].v;
      for (int j = 0; j < votes; ++j) by_vote[i][j] = g[i].d[j];
    }
  }

  ORRERY_INLINE S vote_gradient(int vote, const S* gate_gradients) const {
    S sum = S(0);
    for (int i = 0; i < gates; ++i) sum += gate_gradients[i] * by_vote[i][vote];
    return sum;
  }
};

}  // namespace orrery
