// A model's formula, lane by lane: the steps that every engine's loops are made of.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/row_origin.h"
#include "math/dual.h"
#include "models/formula.h"

namespace orrery {

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
ORRERY_INLINE QueryElement<M, T> query_value(LaneOf<M, T>& lane, const LaneElement<M, T>* x) {
  LaneElement<M, T> unused[row_count<M>];
  return with_leaves<M, T>(
      x, unused, [&](const auto&... row) ORRERY_INLINE_LAMBDA { return M::query(lane, row...).v; });
}

// Adds to `gradients` and to the lane's penalty and gate gradients.
template <class M, class T>
ORRERY_INLINE void query_back(LaneOf<M, T>& lane, const LaneElement<M, T>* x,
                              const QueryElement<M, T>& query_gradient,
                              LaneElement<M, T>* gradients) {
  with_leaves<M, T>(x, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    M::query(lane, row...).back(query_gradient);
  });
}

// The answer's factors, a tuple; entity rows are the answer's, the other rows are the query's.
template <class Part>
ORRERY_INLINE auto as_tuple(const Part& part) {
  return std::tuple(part);
}
template <class... Parts>
ORRERY_INLINE auto as_tuple(const std::tuple<Parts...>& parts) {
  return parts;
}
template <class M, class T>
ORRERY_INLINE auto answer_factors(LaneOf<M, T>& lane, const auto& answer, const auto&... row) {
  if constexpr (requires { M::answer(lane, answer, row...); })
    return as_tuple(M::answer(lane, answer, row...));
  else
    return std::tuple(lane.factor(answer));
}

// Adds the gradient of their penalties.
template <class M, class T>
ORRERY_INLINE void answer_back(LaneOf<M, T>& lane, const LaneElement<M, T>* x,
                               LaneElement<M, T>* gradients) {
  with_leaves<M, T>(x, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    std::apply(
        [&](const auto&... factor) ORRERY_INLINE_LAMBDA {
          (factor.back(zero_element<T, typename decltype(factor.v)::Algebra>()), ...);
        },
        answer_factors<M, T>(lane, row...));
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

// What the time regulariser takes the norms of, from the steps of the rows of times and windows and
// from the shared rows.
template <class M, std::size_t R>
inline constexpr bool is_timed = M::rows[R].of == RowOf::time || M::rows[R].of == RowOf::window;

template <class M, class E, std::size_t R>
ORRERY_INLINE auto as_timeline(const RowLeaf<E, R>& step) {
  if constexpr (is_timed<M, R>)
    return std::tuple(step);
  else
    return std::tuple<>();
}
template <class M>
ORRERY_INLINE auto timeline(const auto&... row) {
  if constexpr (has_timeline<M>)
    return as_tuple(M::timeline(row...));
  else
    return std::tuple_cat(as_timeline<M>(row)...);
}

// Returns the summed penalty and adds weight · d/dstep of it to `gradients`.
template <class M, class T>
ORRERY_INLINE T timeline_back(const LaneElement<M, T>* steps, const T& weight, const NormRule& norm,
                              LaneElement<M, T>* gradients) {
  T value(0);
  with_leaves<M, T>(steps, gradients, [&](const auto&... row) ORRERY_INLINE_LAMBDA {
    std::apply(
        [&](const auto&... part) ORRERY_INLINE_LAMBDA {
          (
              [&]() ORRERY_INLINE_LAMBDA {
                auto down = zero_element<T, typename decltype(part.v)::Algebra>();
                value += norm_back(part.v, weight, norm, down);
                part.back(down);
              }(),
              ...);
        },
        timeline<M>(row...));
  });
  return value;
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
  using AnswerTree = decltype(answer_factors<M, float>(std::declval<AnyLane&>(),
                                                       std::declval<RowLeaf<E, R>>()...));
  RowsUsed<M> used;
  used.by_factors = {(UsesRow<QueryTree, R>::value || UsesRow<AnswerTree, R>::value)...};
  if constexpr (vote_count<M>() > 0) {
    using VoteTrees = decltype(M::votes(std::declval<RowLeaf<E, R>>()...));
    used.by_votes = {UsesRow<VoteTrees, R>::value...};
  }
  return used;
}

// An auxiliary formula reads the entity and its answer, and no row that the query does not: its
// gradients go where the query's do.
template <class M, AuxiliaryLoss Question>
constexpr bool side_rows_fit() {
  using Side = SideFormulaOf<M, Question>;
  constexpr auto own = rows_used<M>(std::make_index_sequence<row_count<M>>{});
  constexpr auto side = rows_used<Side>(std::make_index_sequence<row_count<Side>>{});
  for (std::size_t r = 0; r < row_count<M>; ++r)
    if (side.by_factors[r] && !own.by_factors[r]) return false;
  return side.by_factors[0] && side.by_factors[row_count<M>];
}

// Calls `add.operator()<Question>()` for each auxiliary loss that the model can be asked.
template <class M, class Add>
constexpr void for_each_side(const Add& add) {
  const auto one = [&]<AuxiliaryLoss Question>() {
    if constexpr (auxiliary_targets<M>(Question) >= 0) {
      static_assert(side_rows_fit<M, Question>());
      add.template operator()<Question>();
    }
  };
  one.template operator()<AuxiliaryLoss::relation>();
  one.template operator()<AuxiliaryLoss::time>();
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
