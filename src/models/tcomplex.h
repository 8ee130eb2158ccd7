#pragma once

#include <array>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

struct TComplEx {
  static constexpr std::string_view name = "tcomplex";
  static constexpr std::string_view title = "TComplEx: complex factorisation of the fourth order";
  static constexpr std::string_view paper =
      "Lacroix, Obozinski, Usunier: Tensor Decompositions for Temporal Knowledge Base Completion, "
      "ICLR 2020";
  static constexpr std::string_view formula = "entity · (relation · time)";
  using Algebra = Complex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time) {
    const auto left = lane.factor(entity);
    const auto right = lane.factor(relation * time);
    return left * right;
  }

  static constexpr int relation_answers = 1, time_answers = 2;
  ORRERY_INLINE static auto which_relation(const auto& entity, const auto&, const auto& time,
                                           const auto& answer) {
    return times_adjoint(adjoint_times(entity, answer), time);
  }
  ORRERY_INLINE static auto which_time(const auto& entity, const auto& relation, const auto&,
                                       const auto& answer) {
    return adjoint_times(entity * relation, answer);
  }
};

}  // namespace orrery
