#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

using Bicomplex = Tensor<Complex, Complex>;  // pairs (z₁, z₂), z₁ + z₂ j with j² = −1

// Bicomplex numbers are two complex numbers in another basis, z₁ − i z₂ and z₁ + i z₂: the score is
// that of TComplEx, and only the norms, taken of four reals together, tell them apart.
struct TBicomR {
  static constexpr std::string_view name = "tbicomr";
  static constexpr std::string_view title = "TBicomR: bicomplex factorisation of the fourth order";
  static constexpr std::string_view paper =
      "Nguyen, Tran, Le: TBicomR: Event Prediction in Temporal Knowledge Graphs with Bicomplex "
      "Rotation, Knowledge-Based Systems 2024";
  static constexpr std::string_view formula = "entity · (relation · time)";
  using Algebra = Bicomplex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time) {
    const auto left = whole_factor(lane, entity);
    const auto right = whole_factor(lane, relation * time);
    return left * right;
  }

  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&) {
    return whole_factor(lane, entity);
  }

  static constexpr bool has_timeline = true;
  ORRERY_INLINE static auto timeline(const auto&, const auto&, const auto& time_step) {
    return recast<Whole<4>>(time_step);
  }
};

}  // namespace orrery
