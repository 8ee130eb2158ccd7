#pragma once

#include <array>
#include <string_view>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// What the two variants share. A tenth of the first rotation's lanes are the relation's, the rest
// the time's; the paper has that share chosen for each data set.
struct ChronoR {
  static constexpr std::string_view name = "chronor";
  static constexpr std::string_view title = "ChronoR: relations and times as rotations";
  static constexpr std::string_view paper =
      "Sadeghian, Armandpour, Colas, Wang: ChronoR: Rotation Based Temporal Knowledge Graph "
      "Embedding, AAAI 2021";
  static constexpr float relation_share = 0.1F;
};

struct ChronoR2 : ChronoR {
  static constexpr std::string_view formula = "entity · [relation | time] · relation_lasting";
  using Algebra = Complex;
  static constexpr std::array choices = {Choice{"k", "2", "dimensions of its rotations"}};
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_lasting", RowOf::relation},
      RowSpec{"time", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& time) {
    const auto left = lane.factor(entity);
    const auto timed = lane.factor(lane.splice(relation_share, relation, time));
    const auto lasting = lane.factor(relation_lasting);
    return left * timed * lasting;
  }
};

// How rotations of space are held is left open: here as quaternions. [relation | time] is of unit
// size, so it has no norm to penalise, and the lasting one may also scale. Entities are vectors:
// the first of their four components is never read.
struct ChronoR3 : ChronoR {
  static constexpr std::string_view formula =
      "relation_lasting ∘ unit[relation | time] ∘ entity, where u ∘ v = u · v · conj(u)";
  using Algebra = Quaternion;
  static constexpr std::array choices = {Choice{"k", "3"}};
  // Rows of about unit size, so that a step of training turns them by little.
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation, Without::impossible, true, 0.5F, 0.1F},
      RowSpec{"relation_lasting", RowOf::relation, Without::impossible, true, 0.5F, 0.1F},
      RowSpec{"time", RowOf::time, Without::impossible, true, 0.5F, 0.1F},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& relation_lasting, const auto& time) {
    const auto left = whole_factor(lane, vector_part(lane, entity));
    const auto timed = unit(lane.splice(relation_share, relation, time));
    const auto lasting = whole_factor(lane, relation_lasting);
    return vector_part(lane, turn(lasting, turn(timed, left)));
  }
  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&, const auto&,
                                   const auto&) {
    return whole_factor(lane, vector_part(lane, entity));
  }

 private:
  template <class X>
  ORRERY_INLINE static auto vector_part(auto& lane, const X& x) {
    return let<TwiceTheVector>(lane.constant(0.5F) * x);
  }
  struct TwiceTheVector {
    ORRERY_INLINE static auto of(const auto& x) { return x - conjugate(x); }
  };
};

}  // namespace orrery
