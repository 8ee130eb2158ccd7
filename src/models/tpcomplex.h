#pragma once

#include <array>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

// The paper scores ⟨q, answer + time_answer⟩ = ⟨q, answer⟩ + ⟨q, time_answer⟩. The second part is
// the same for all answers of a question, so it changes neither a rank nor the softmax and is left
// out: time_answer has a part in the regulariser alone.
struct TPComplEx {
  static constexpr std::string_view name = "tpcomplex";
  static constexpr std::string_view title = "TPComplEx: TComplEx with entities shifted by time";
  static constexpr std::string_view paper =
      "Yang, Ying, Shi, Xing: Tensor decompositions for temporal knowledge graph completion with "
      "time perspective, Expert Systems with Applications 2024";
  static constexpr std::string_view formula = "(entity + time_subject) · (relation · time)";
  using Algebra = Complex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time, Without::one},
      RowSpec{"time_subject", RowOf::time, Without::zero},
      RowSpec{"time_answer", RowOf::time, Without::zero},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time, const auto& time_subject, const auto&) {
    const auto left = lane.factor(entity + time_subject);
    const auto right = lane.factor(relation * time);
    return left * right;
  }

  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&,
                                   const auto&, const auto& time_answer) {
    return lane.factor(entity + time_answer);
  }
};

}  // namespace orrery
