#pragma once

#include <array>
#include <tuple>

#include "math/dual.h"
#include "math/lane.h"
#include "models/model.h"

namespace orrery {

// The paper keeps normals at unit length; here a projection divides by their squared length.
struct HyTE {
  static constexpr std::string_view name = "hyte";
  static constexpr std::string_view title = "HyTE: translations on the hyperplane of a time";
  static constexpr std::string_view paper =
      "Dasgupta, Ray, Talukdar: HyTE: Hyperplane-based Temporally aware Knowledge Graph Embedding, "
      "EMNLP 2018";
  static constexpr std::string_view formula =
      "−‖P(entity) + P(relation) − P(answer)‖₁, where P(x) = x − ⟨normal, x⟩ normal / |normal|²";
  using Algebra = Real;
  using Comparator = ByAbsoluteDistance;
  static constexpr Candidates candidates = Candidates::each_time;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"normal", RowOf::time},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& normal) {
    const auto from = lane.factor(entity);
    const auto by_relation = lane.factor(relation);
    return from + by_relation - lane.gate(0) * normal;
  }
  static constexpr int vote_count = 2, gate_count = 1;
  ORRERY_INLINE static auto votes(const auto& entity, const auto& relation, const auto& normal) {
    return std::tuple(inner(normal, entity + relation), inner(normal, normal));
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 1> gates(const std::array<T, 2>& z) {
    return {z[0] / (z[1] + T{1e-20F})};  // a normal of no length projects nothing
  }

  ORRERY_INLINE static auto candidate(auto& lane, const auto& entity, const auto&,
                                      const auto& normal) {
    return entity - lane.gate(0) * normal;
  }
  static constexpr int candidate_vote_count = 2, candidate_gate_count = 1;
  ORRERY_INLINE static auto candidate_votes(const auto& entity, const auto&, const auto& normal) {
    return std::tuple(inner(normal, entity), inner(normal, normal));
  }
  template <class T>
  ORRERY_INLINE static std::array<T, 1> candidate_gates(const std::array<T, 2>& z) {
    return gates(z);
  }
};

}  // namespace orrery
