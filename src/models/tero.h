#pragma once

#include <array>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// The distance is the sum of moduli, which no rotation changes: so that of the answer is undone on
// both sides, and answers need not be rotated for every time. (The authors' program sums |Re| and
// |Im|.) A rotation is held as a complex number of any size, where the paper holds an angle; like
// the paper's, those of all times start close together.
struct TeRo {
  static constexpr std::string_view name = "tero";
  static constexpr std::string_view title = "TeRo: times as rotations of entities";
  static constexpr std::string_view paper =
      "Xu, Nayyeri, Alkhoury, Shariat Yazdi, Lehmann: TeRo: A Time-aware Knowledge Graph Embedding "
      "via Temporal Rotation, COLING 2020";
  static constexpr std::string_view formula =
      "−Σ|entity · τ + relation − conj(answer · τ)|, where τ = time / |time|";
  using Algebra = Complex;
  using Comparator = ByLaneDistance;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time, Without::one, true, 1, 0.2F},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time) {
    const auto from = lane.factor(entity);
    const auto by_relation = lane.factor(relation);
    const auto rotation = unit(time);
    return conjugate((from * rotation + by_relation) * rotation);
  }
};

}  // namespace orrery
