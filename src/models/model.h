// What a model header says of itself. See CONTRIBUTING.md, "add a model".
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "math/comparator.h"

namespace orrery {

// Which id picks a row.
enum class RowOf {
  entity,
  relation,
  time,
  window,  // of ModelShape::window times, which share it
  shared,  // none: there is one row for all
  core,  // a pair of lanes: the rows of the core tensor, lanes² of them, which formulas never see
  answer,  // of the entity that answers, in auxiliary losses alone: no table of its own
};

// What stands in a row's place when it is switched off (`--without NAME`).
enum class Without {
  impossible,  // the model makes no sense without it
  zero,        // the additive identity
  one,         // the unit of the algebra
};

struct RowSpec {
  std::string_view name;  // also the table's name in checkpoints
  RowOf of = RowOf::entity;
  Without without = Without::impossible;
  bool trained = true;  // false: this variant never reads it
  // Components start as N(mean, spread²); a spread of 0 stands for --init-scale.
  float start_mean = 0;
  float start_spread = 0;
};

// A choice that makes one model several variants, each compiled: {"attention", "split"}.
struct Choice {
  std::string_view option;  // its name: --attention
  std::string_view value;
  std::string_view sentence = "";  // what it decides; "": its values speak for themselves
};

template <class M>
inline constexpr std::size_t row_count = std::tuple_size_v<decltype(M::rows)>;

// The first rows of a model are those of the entity.
template <class M>
inline constexpr std::size_t entity_row_count = [] {
  std::size_t count = 0;
  while (count < row_count<M> && M::rows[count].of == RowOf::entity) ++count;
  return count;
}();

// How a query is held against candidates (math/comparator.h); by their inner product unless
// M::Comparator says otherwise.
template <class M>
struct ComparatorOf {
  using type = ByInnerProduct;
};
template <class M>
requires requires { typename M::Comparator; }
struct ComparatorOf<M> {
  using type = typename M::Comparator;
};
template <class M>
using Comparator = typename ComparatorOf<M>::type;

// Where M::candidates is said, M::candidate(lane, rows…) makes what queries are held against; else
// a candidate is the entity's first row. It reads rows of entities and times, marks no factors, and
// may cast votes of its own (M::candidate_votes).
enum class Candidates {
  entity_rows,  // not derived
  all_times,    // the same at all times
  each_time,    // derived anew for every time
};
template <class M>
constexpr Candidates candidates_of() {
  if constexpr (requires { M::candidates; })
    return M::candidates;
  else
    return Candidates::entity_rows;
}
template <class M>
inline constexpr bool derives_candidates = candidates_of<M>() != Candidates::entity_rows;

// A model with a core tensor W (a row of RowOf::core): its formula gives join(left, right) of two
// real rows, and the query is Σ left_i right_j W_ij.
template <class M>
constexpr bool has_core() {
  for (const RowSpec& row : M::rows)
    if (row.of == RowOf::core) return true;
  return false;
}

// Components that stay zero for the first `--algebra-warmup` epochs, in models whose other
// components make up an algebra of their own: zeros then have no gradient.
template <class M>
constexpr std::span<const int> later_components() {
  if constexpr (requires { M::later_components; })
    return M::later_components;
  else
    return {};
}

// The time regulariser takes the norms of M::timeline(rows…), an expression or a tuple of them, in
// which rows of times and windows stand for the step to the next one, and shared rows for
// themselves; unless said, of each step alone.
template <class M>
inline constexpr bool has_timeline = requires {
  M::has_timeline;
};

// Auxiliary losses, which training may ask of a fact beside "which object?": of what relation is
// it, and of what time? M::which_relation(rows…, answer) and M::which_time(rows…, answer) make a
// row that is held against those of a table by inner products: M::relation_answers and
// M::time_answers say which of M::rows that is. Neither marks factors nor casts votes. Where
// variants of a model do not differ in them, M::AsksAs names the one whose formulas are compiled.
enum class AuxiliaryLoss { relation, time };
inline constexpr std::size_t auxiliary_losses = 2;
inline constexpr std::array all_auxiliary_losses = {AuxiliaryLoss::relation, AuxiliaryLoss::time};
template <class M>
constexpr int auxiliary_targets(AuxiliaryLoss question) {
  if constexpr (requires { M::relation_answers; })
    if (question == AuxiliaryLoss::relation) return M::relation_answers;
  if constexpr (requires { M::time_answers; })
    if (question == AuxiliaryLoss::time) return M::time_answers;
  return -1;
}
template <class M>
struct AsksAsOf {
  using type = M;
};
template <class M>
requires requires { typename M::AsksAs; }
struct AsksAsOf<M> {
  using type = typename M::AsksAs;
};

// Attention, and all else that needs sums over a row: M::votes(rows…) gives scalars that are summed
// over the row's lanes and scaled by M::vote_scale(lanes); M::gates turns them into row-wide
// scalars.
template <class M>
constexpr int vote_count() {
  if constexpr (requires { M::vote_count; })
    return M::vote_count;
  else
    return 0;
}
template <class M>
constexpr int gate_count() {
  if constexpr (requires { M::gate_count; })
    return M::gate_count;
  else
    return 0;
}
template <class M>
constexpr double vote_scale(int lanes) {
  if constexpr (requires { M::vote_scale(lanes); })
    return M::vote_scale(lanes);
  else
    return 1;
}
// Any number of choices: M::choices is an array of them, and a model without one leaves it out.
template <class M>
constexpr std::span<const Choice> choices_of() {
  if constexpr (requires { M::choices; })
    return M::choices;
  else
    return {};
}

}  // namespace orrery
