#pragma once

#include <array>
#include <type_traits>

#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// An entity h is the real part of a number (or the first two of a quaternion) and its time e the
// rest; likewise a relation r' = r + conj(r) · c and its time t. The product of both has the halves
// h r' − e conj(t) and h t + e conj(r'), which are added: h (r' + t) + e conj(r' − t). Over reals
// (`complex`) conjugates change nothing. The paper adds terms that are the same for all answers.
// The norm is that of one component (`complex`), where the authors' program takes four together.
template <class Component>
struct TltKge {
  static constexpr std::string_view name = "tlt-kge";
  static constexpr std::string_view title = "TLT-KGE: facts and their times as parts of one number";
  static constexpr std::string_view paper =
      "Zhang, Zhang, Ao, Zhuang, Xu, He: Along the Time: Timeline-traced Embedding for Temporal "
      "Knowledge Graph Completion, CIKM 2022";
  static constexpr std::string_view formula =
      "both halves of (entity; time_entity + window_entity) · (relation + conj(relation) · "
      "time_composition; time_relation + window_relation)";
  using Algebra = Component;
  static constexpr std::array choices = {
      Choice{"space", std::is_same_v<Component, Real> ? "complex" : "quaternion",
             "the numbers that facts and times are parts of"},
  };
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time_relation", RowOf::time},
      RowSpec{"time_entity", RowOf::time},
      RowSpec{"time_composition", RowOf::time, Without::zero},
      RowSpec{"window_relation", RowOf::window, Without::zero},
      RowSpec{"window_entity", RowOf::window, Without::zero},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time_relation, const auto& time_entity,
                                  const auto& time_composition, const auto& window_relation,
                                  const auto& window_entity) {
    const auto left = lane.factor(entity);
    const auto right = lane.factor(relation);
    return let<HalvesOfProduct>(left, time_entity + window_entity, right, time_composition,
                                time_relation + window_relation);
  }

 private:
  struct HalvesOfProduct {
    ORRERY_INLINE static auto of(const auto& h, const auto& e, const auto& r, const auto& c,
                                 const auto& t) {
      const auto composed = r + conjugate(r) * c;
      return h * (composed + t) + e * conjugate(composed - t);
    }
  };
};

}  // namespace orrery
