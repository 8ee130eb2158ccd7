// What can be told of a model's formula from its types alone.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

template <class M, class T>
using LaneElement = Element<T, typename M::Algebra>;
template <class M, class T>
using LaneOf = Lane<T, gate_count<M>()>;

// The formula of a model's candidates as one that engines can run like a query's.
template <class M>
struct CandidateOf {
  using Algebra = typename M::Algebra;
  static constexpr auto rows = M::rows;
  ORRERY_INLINE static auto query(auto& lane, const auto&... row) {
    return M::candidate(lane, row...);
  }
};
template <class M>
requires requires { M::candidate_vote_count; }
struct CandidateOf<M> {
  using Algebra = typename M::Algebra;
  static constexpr auto rows = M::rows;
  static constexpr int vote_count = M::candidate_vote_count;
  static constexpr int gate_count = M::candidate_gate_count;
  ORRERY_INLINE static auto query(auto& lane, const auto&... row) {
    return M::candidate(lane, row...);
  }
  ORRERY_INLINE static auto votes(const auto&... row) { return M::candidate_votes(row...); }
  template <class T>
  ORRERY_INLINE static auto gates(const std::array<T, vote_count>& z) {
    return M::candidate_gates(z);
  }
};

// The formula of an auxiliary loss as one that engines can run like a query's; its rows are the
// model's and, after them, the answer's.
template <class M, AuxiliaryLoss Question>
struct SideFormula {
  using Algebra = typename M::Algebra;
  static constexpr auto rows = [] {
    std::array<RowSpec, row_count<M> + 1> all{};
    for (std::size_t r = 0; r < row_count<M>; ++r) all[r] = M::rows[r];
    all.back() = {"answer", RowOf::answer};
    return all;
  }();
  ORRERY_INLINE static auto query(auto&, const auto&... row) {
    if constexpr (Question == AuxiliaryLoss::relation)
      return M::which_relation(row...);
    else
      return M::which_time(row...);
  }
};
template <class M, AuxiliaryLoss Question>
using SideFormulaOf = SideFormula<typename AsksAsOf<M>::type, Question>;

// What a formula is run for.
template <class M>
inline constexpr bool is_candidate = false;
template <class M>
inline constexpr bool is_candidate<CandidateOf<M>> = true;
template <class M>
inline constexpr bool is_side = false;
template <class M, AuxiliaryLoss Question>
inline constexpr bool is_side<SideFormula<M, Question>> = true;
// Only with the query goes a factor of its answer's.
template <class M>
inline constexpr bool regularises_answer = !is_candidate<M> && !is_side<M>;

// A leaf that knows its row, so that the type of an expression tells which rows it uses.
template <class E, std::size_t R>
struct RowLeaf : Leaf<E> {};

template <class X, std::size_t R>
struct UsesRow : std::false_type {};
template <class E, std::size_t R>
struct UsesRow<RowLeaf<E, R>, R> : std::true_type {};
template <template <class...> class Node, class... Parts, std::size_t R>
struct UsesRow<Node<Parts...>, R> : std::disjunction<UsesRow<Parts, R>...> {};

// The algebra of a query's lanes, and of a candidate's.
template <class M, std::size_t... R>
auto query_algebra(std::index_sequence<R...>) ->
    typename decltype(M::query(std::declval<LaneOf<M, float>&>(),
                               std::declval<RowLeaf<LaneElement<M, float>, R>>()...)
                          .v)::Algebra;
template <class M>
using QueryAlgebra = decltype(query_algebra<M>(std::make_index_sequence<row_count<M>>{}));
template <class M>
struct CandidateAlgebraOf {
  using type = typename M::Algebra;
};
template <class M>
requires derives_candidates<M>
struct CandidateAlgebraOf<M> {
  using type = QueryAlgebra<CandidateOf<M>>;
};
template <class M>
using CandidateAlgebra = typename CandidateAlgebraOf<M>::type;

template <class M, class T>
using QueryElement = Element<T, QueryAlgebra<M>>;

}  // namespace orrery
