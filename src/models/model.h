// What a model header says of itself. See CONTRIBUTING.md, "add a model".
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace orrery {

// Which id picks a row.
enum class RowOf { entity, relation, time };

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
};

// A choice that makes one model several variants, each compiled: {"attention", "split"}.
struct Choice {
  std::string_view option;
  std::string_view value;
};

template <class M>
inline constexpr std::size_t row_count = std::tuple_size_v<decltype(M::rows)>;

// Attention, the one optional hook: M::votes(rows…) gives scalars that are summed over the row's
// lanes and scaled by M::vote_scale(lanes); M::gates turns them into row-wide scalars.
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
