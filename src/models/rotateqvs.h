#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// The distance is the sum of the quaternions' norms (the paper is also quoted with one Euclidean
// norm), which no rotation changes: instead of subject and answer the relation is rotated, the
// other way round. Rotations of all times start close together.
struct RotateQVS {
  static constexpr std::string_view name = "rotateqvs";
  static constexpr std::string_view title = "RotateQVS: times as rotations of quaternions";
  static constexpr std::string_view paper =
      "Chen, Wang, Li, Li: RotateQVS: Representing Temporal Information as Rotations in Quaternion "
      "Vector Space for Temporal Knowledge Graph Completion, ACL 2022";
  static constexpr std::string_view formula =
      "−Σ|τ · entity · τ⁻¹ + relation − conj(τ · answer · τ⁻¹)|, where τ = time / |time|";
  using Algebra = Quaternion;
  using Comparator = ByLaneDistance;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time, Without::one, true, 1, 0.2F},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time) {
    const auto from = whole_factor(lane, entity);
    const auto by_relation = whole_factor(lane, relation);
    return conjugate(from + turn(conjugate(unit(time)), by_relation));
  }
  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&) {
    return whole_factor(lane, entity);
  }
};

}  // namespace orrery
