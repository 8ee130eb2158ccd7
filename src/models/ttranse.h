#pragma once

#include <array>
#include <type_traits>

#include "math/lane.h"
#include "models/model.h"

namespace orrery {

template <class Distance>
struct TTransE {
  static constexpr std::string_view name = "ttranse";
  static constexpr std::string_view title = "TTransE: relations and times as translations";
  static constexpr std::string_view paper =
      "Leblay, Chekol: Deriving Validity Time in Knowledge Graph, WWW 2018";
  static constexpr std::string_view formula = "−‖entity + relation + time − answer‖";
  using Algebra = Real;
  using Comparator = Distance;
  static constexpr std::array choices = {
      Choice{"distance", std::is_same_v<Distance, ByAbsoluteDistance> ? "l1" : "l2",
             "the norm of the difference"},
  };
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"time", RowOf::time, Without::zero},
  };

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation,
                                  const auto& time) {
    const auto from = lane.factor(entity);
    const auto by_relation = lane.factor(relation);
    const auto by_time = lane.factor(time);
    return from + by_relation + by_time;
  }
};

}  // namespace orrery
