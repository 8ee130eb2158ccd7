#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// The authors' program trains the complex part (the scalar and e12) alone for 50 epochs and then
// the whole: `--algebra-warmup 50`. From a random start of all components the inner product with
// the conjugate, half of which is negative, costs several points of MRR. It penalises steps of time
// by pairs of components; here the penalty is of the multivector.
struct TeLM {
  static constexpr std::string_view name = "telm";
  static constexpr std::string_view title = "TeLM: multivectors, and times that drift evenly";
  static constexpr std::string_view paper =
      "Xu, Chen, Nayyeri, Lehmann: Temporal Knowledge Graph Completion using a Linear Temporal "
      "Regularizer and Multivector Embeddings, NAACL 2021";
  static constexpr std::string_view formula =
      "entity · (relation · time), its scalar part with the conjugate of the answer";
  using Algebra = Multivector;
  static constexpr std::array later_components = {1, 2};
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time},
      RowSpec{"time_drift", RowOf::shared, Without::zero, true, 0, 1e-4F},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time, const auto&) {
    const auto left = whole_factor(lane, entity);
    const auto right = whole_factor(lane, relation * time);
    // The scalar part of x · conj(o) is the inner product of the involuted x and o.
    return involute(left * right);
  }

  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&,
                                   const auto&) {
    return whole_factor(lane, entity);
  }

  static constexpr bool has_timeline = true;
  ORRERY_INLINE static auto timeline(const auto&, const auto&, const auto& time_step,
                                     const auto& time_drift) {
    return recast<Whole<4>>(time_step - time_drift);
  }
};

}  // namespace orrery
