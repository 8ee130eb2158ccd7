#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"
#include "models/twice.h"

namespace orrery {

// Knows no time. BSCA without time and attention is the same product with half of the shift. The
// paper penalises entities by 2 and relation_mul by ½: here by 4 and 1, at half of its weight.
struct BiQUE {
  static constexpr std::string_view name = "bique";
  static constexpr std::string_view title = "BiQUE: biquaternions, without time";
  static constexpr std::string_view paper =
      "Guo, Kok: BiQUE: Biquaternionic Embeddings of Knowledge Graphs, EMNLP 2021";
  static constexpr std::string_view formula = "(entity + relation_add) · relation_mul";
  using Algebra = Biquaternion;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation_mul", RowOf::relation},
      RowSpec{"relation_add", RowOf::relation, Without::zero},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation_mul,
                                  const auto& relation_add) {
    const auto shifted = four_times(lane, whole_factor(lane, entity + relation_add));
    const auto transform = whole_factor(lane, relation_mul);
    return shifted * transform;
  }

  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&) {
    return four_times(lane, whole_factor(lane, entity));
  }

 private:
  ORRERY_INLINE static auto four_times(auto& lane, const auto& factor) {
    return twice(lane, twice(lane, factor));
  }
};

}  // namespace orrery
