#pragma once

#include <array>
#include <tuple>

#include "math/lane.h"
#include "models/model.h"
#include "models/twice.h"

namespace orrery {

// The paper's narrow static embeddings are the first lanes of `entity` and `relation`, a twentieth
// of the others, and both scores are trained as the sum that answers are ranked by; the paper
// trains each by a softmax of its own. Its term for rules is left out.
struct LCGE {
  static constexpr std::string_view name = "lcge";
  static constexpr std::string_view title = "LCGE: TNTComplEx beside a narrow part without time";
  static constexpr std::string_view paper =
      "Niu, Li: Logic and Commonsense-Guided Temporal Knowledge Graph Completion, AAAI 2023";
  static constexpr std::string_view formula =
      "[0.1 entity · relation | entity · (relation · time + relation_lasting)]";
  using Algebra = Complex;
  static constexpr float static_share = 1.0F / 21, static_weight = 0.1F;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_lasting", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& time) {
    const auto left = twice(lane, lane.factor(temporal_part(lane, entity)));
    const auto timed = lane.factor(temporal_part(lane, relation * time));
    const auto lasting = lane.factor(temporal_part(lane, relation_lasting));
    const auto static_left = lane.factor(static_part(lane, entity));
    const auto static_right = lane.factor(static_part(lane, relation));
    return left * (timed + lasting) + lane.constant(static_weight) * (static_left * static_right);
  }

  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&...) {
    const auto moving = twice(lane, lane.factor(temporal_part(lane, entity)));
    const auto still = lane.factor(static_part(lane, entity));
    return std::tuple(moving, still);
  }

 private:
  ORRERY_INLINE static auto static_part(auto& lane, const auto& x) {
    return lane.splice(static_share, x, lane.constant(0) * x);
  }
  ORRERY_INLINE static auto temporal_part(auto& lane, const auto& x) {
    return lane.splice(static_share, lane.constant(0) * x, x);
  }
};

}  // namespace orrery
