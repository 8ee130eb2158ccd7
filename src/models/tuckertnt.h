#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// Of the paper's variants the one with a core of the third order; its batch normalisation is left
// out, since a query would then depend on the batch it is asked in.
struct TuckErTnt {
  static constexpr std::string_view name = "tuckertnt";
  static constexpr std::string_view title = "TuckERTNT: a core tensor mixes entity and relation";
  static constexpr std::string_view paper =
      "Shao, Zhang, Yang, Tao, Che, Liu: Tucker decomposition-based temporal knowledge graph "
      "completion, Knowledge-Based Systems 2022";
  static constexpr std::string_view formula =
      "core(entity, relation ∗ time + relation_lasting), ∗ component by component";
  using Algebra = Real;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_lasting", RowOf::relation},
      RowSpec{"time", RowOf::time},
      RowSpec{"core", RowOf::core, Without::impossible, true, 0, 0.5F},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& time, const auto&) {
    const auto left = lane.factor(entity);
    const auto right = lane.factor(relation * time + relation_lasting);
    return join(left, right);
  }
};

}  // namespace orrery
