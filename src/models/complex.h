#pragma once

#include <array>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

// Knows no time: the yardstick for what the others gain from it.
struct ComplEx {
  static constexpr std::string_view name = "complex";
  static constexpr std::string_view title = "ComplEx: complex factorisation, without time";
  static constexpr std::string_view paper =
      "Trouillon, Welbl, Riedel, Gaussier, Bouchard: Complex Embeddings for Simple Link "
      "Prediction, "
      "ICML 2016";
  static constexpr std::string_view formula = "entity · relation";
  using Algebra = Complex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation) {
    const auto left = lane.factor(entity);
    const auto right = lane.factor(relation);
    return left * right;
  }
};

}  // namespace orrery
