#pragma once

#include <array>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

struct TntComplEx {
  static constexpr std::string_view name = "tntcomplex";
  static constexpr std::string_view title =
      "TNTComplEx: a temporal and a lasting part per relation";
  static constexpr std::string_view paper =
      "Lacroix, Obozinski, Usunier: Tensor Decompositions for Temporal Knowledge Base Completion, "
      "ICLR 2020";
  static constexpr std::string_view formula = "entity · (relation · time + relation_lasting)";
  using Algebra = Complex;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_lasting", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& time) {
    const auto left = lane.factor(entity);
    const auto right = lane.factor(relation * time + relation_lasting);
    return left * right;
  }
};

}  // namespace orrery
