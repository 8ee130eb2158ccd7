#pragma once

#include <array>
#include <numbers>

#include "math/complex_parts.h"
#include "math/functions.h"
#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// π and 1 + i are of the authors' program; the paper writes relation · time + phase.
struct TeAst {
  static constexpr std::string_view name = "teast";
  static constexpr std::string_view title = "TeAST: relations on an Archimedean spiral of times";
  static constexpr std::string_view paper =
      "Li, Su, Gao: TeAST: Temporal Knowledge Graph Embedding via Archimedean Spiral Timeline, "
      "ACL 2023";
  static constexpr std::string_view formula =
      "entity · (π relation · time + (1 + i) sin|time_phase|)";
  using Algebra = Complex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time},
      RowSpec{"time_phase", RowOf::time, Without::zero},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time, const auto& time_phase) {
    const auto one = lane.constant(1);
    const auto phase = scale_parts(one, one, apply<SineOfMagnitude>(time_phase));
    const auto left = lane.factor(entity);
    const auto right =
        lane.factor((lane.constant(std::numbers::pi_v<float>) * relation) * time + phase);
    return left * right;
  }

  // Both rows of a time move together along the spiral.
  static constexpr bool has_timeline = true;
  ORRERY_INLINE static auto timeline(const auto&, const auto&, const auto& time_step,
                                     const auto& phase_step) {
    return recast<Whole<4>>(join(time_step, phase_step));
  }
};

}  // namespace orrery
