#pragma once

#include <array>
#include <numbers>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// π is of the authors' program.
struct TCompoundE {
  static constexpr std::string_view name = "tcompounde";
  static constexpr std::string_view title = "TCompoundE: translations and scalings, compounded";
  static constexpr std::string_view paper =
      "Ying, Hu, Wu, Xie, Liu, Wang, Jiang, Gao, Zhang, Cheng: Simple but Effective Compound "
      "Geometric Operations for Temporal Knowledge Graph Completion, ACL 2024";
  static constexpr std::string_view formula =
      "(entity + π relation_shift) · ((π relation_scale + time_shift) · time_scale)";
  using Algebra = Real;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},           RowSpec{"relation_scale", RowOf::relation},
      RowSpec{"relation_shift", RowOf::relation}, RowSpec{"time_shift", RowOf::time},
      RowSpec{"time_scale", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation_scale,
                                  const auto& relation_shift, const auto& time_shift,
                                  const auto& time_scale) {
    const auto pi = lane.constant(std::numbers::pi_v<float>);
    const auto left = lane.factor(entity);
    const auto scale = (pi * relation_scale + time_shift) * time_scale;
    const auto operation = lane.factor(join(scale, pi * relation_shift));
    return let<Compound>(left, operation);
  }

  static constexpr bool has_timeline = true;
  ORRERY_INLINE static auto timeline(const auto&, const auto&, const auto&, const auto& shift_step,
                                     const auto& scale_step) {
    return join(shift_step, scale_step);
  }

 private:
  struct Compound {
    ORRERY_INLINE static auto of(const auto& entity, const auto& operation) {
      return (entity + part<Real, 1>(operation)) * part<Real, 0>(operation);
    }
  };
};

}  // namespace orrery
