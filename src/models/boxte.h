#pragma once

#include <array>
#include <tuple>

#include "math/functions.h"
#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// Distances are summed over lanes, where the paper takes the Euclidean norms of both; a box's width
// is a square, where the paper normalises widths, and nothing is squashed by tanh. A relation
// scales one of two bumps of a time lane by lane, where the paper scales each by a number.
struct BoxTE {
  static constexpr std::string_view name = "boxte";
  static constexpr std::string_view title = "BoxTE: relations as boxes, times as bumps";
  static constexpr std::string_view paper =
      "Messner, Abboud, Ceylan: Temporal Knowledge Graph Completion using Box Embeddings, "
      "AAAI 2022";
  static constexpr std::string_view formula =
      "−Σ distance(entity + bump of answer + τ, head box) − Σ distance(answer + bump + τ, tail "
      "box), where τ = time_bump + relation_scale · time_bump_scaled";
  using Algebra = Real;
  using Comparator = ByBoxDistance;
  static constexpr Candidates candidates = Candidates::all_times;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"bump", RowOf::entity},
      RowSpec{"head_centre", RowOf::relation},
      RowSpec{"head_width", RowOf::relation, Without::impossible, true, 1, 0.1F},
      RowSpec{"tail_centre", RowOf::relation},
      RowSpec{"tail_width", RowOf::relation, Without::impossible, true, 1, 0.1F},
      RowSpec{"relation_scale", RowOf::relation, Without::one, true, 1, 0.1F},
      RowSpec{"time_bump", RowOf::time},
      RowSpec{"time_bump_scaled", RowOf::time},
  };

  // A pack, as CUDA's compiler takes no more than nine parameters of type auto.
  ORRERY_INLINE static auto query(auto& lane, const auto&... row) {
    const auto [entity, bump, head_centre, head_width, tail_centre, tail_width, relation_scale,
                time_bump, time_bump_scaled] = std::tie(row...);
    const auto from = lane.factor(entity);
    const auto bumped = lane.factor(bump);
    const auto shift = time_bump + relation_scale * time_bump_scaled;
    const auto in_tail = bumped + shift - tail_centre;
    const auto in_head = from + shift - head_centre;
    const auto tail = slope_outside(tail_width);
    const auto head = slope_outside(head_width);
    return join(in_tail, in_head, apply<Reciprocal>(tail), apply<Reciprocal>(head), tail, head);
  }
  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto& bump,
                                   const auto&...) {
    const auto position = lane.factor(entity);
    const auto bumps = lane.factor(bump);
    return std::tuple(position, bumps);
  }
  // Its position meets the tail box, its bump the head box.
  ORRERY_INLINE static auto candidate(auto&, const auto& entity, const auto& bump, const auto&...) {
    return join(entity, bump);
  }

 private:
  ORRERY_INLINE static auto slope_outside(const auto& width) {
    return apply<OnePlus>(apply<Square>(width));
  }
};

}  // namespace orrery
