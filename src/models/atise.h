#pragma once

#include <array>
#include <numbers>
#include <tuple>

#include "math/functions.h"
#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// Times run from 0 to 1 over the data, where the paper counts them; its slope of a trend is part of
// the trend here. A variance is the exponential of its row and starts near 0.05, where the paper
// clips it to a range (0.003 to 0.3), and lengths are not bounded.
struct ATiSE {
  static constexpr std::string_view name = "atise";
  static constexpr std::string_view title = "ATiSE: entities and relations as Gaussian time series";
  static constexpr std::string_view paper =
      "Xu, Nayyeri, Alkhoury, Shariat Yazdi, Lehmann: Temporal Knowledge Graph Completion based on "
      "Time Series Gaussian Embedding, ISWC 2020";
  static constexpr std::string_view formula =
      "−KL(N(entity − answer), N(relation)), the mean of both directions, where the mean at t is "
      "mean + t trend + amplitude · sin(2π t frequency)";
  using Algebra = Real;
  using Comparator = ByDivergence;
  static constexpr Candidates candidates = Candidates::each_time;
  static constexpr float frequencies = 4;  // of waves over the whole time
  static constexpr float log_variance = -3;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"trend", RowOf::entity},
      RowSpec{"amplitude", RowOf::entity},
      RowSpec{"frequency", RowOf::entity, Without::impossible, true, 0, frequencies},
      RowSpec{"variance", RowOf::entity, Without::impossible, true, log_variance, 0.5F},
      RowSpec{"relation", RowOf::relation},
      RowSpec{"relation_trend", RowOf::relation},
      RowSpec{"relation_amplitude", RowOf::relation},
      RowSpec{"relation_frequency", RowOf::relation, Without::impossible, true, 0, frequencies},
      RowSpec{"relation_variance", RowOf::relation, Without::impossible, true, log_variance, 0.5F},
  };

  // A pack, as CUDA's compiler takes no more than nine parameters of type auto.
  ORRERY_INLINE static auto query(auto& lane, const auto&... row) {
    const auto [entity, trend, amplitude, frequency, variance, relation, relation_trend,
                relation_amplitude, relation_frequency, relation_variance] = std::tie(row...);
    const auto from = lane.factor(entity);
    const auto by_relation = lane.factor(relation);
    const auto apart =
        mean(lane, from, trend, amplitude, frequency) -
        mean(lane, by_relation, relation_trend, relation_amplitude, relation_frequency);
    const auto spread = apply<Exponential>(relation_variance);
    return join(apart, apply<Exponential>(variance), spread, apply<Reciprocal>(spread));
  }
  ORRERY_INLINE static auto candidate(auto& lane, const auto& entity, const auto& trend,
                                      const auto& amplitude, const auto& frequency,
                                      const auto& variance, const auto&...) {
    return join(mean(lane, entity, trend, amplitude, frequency), apply<Exponential>(variance));
  }

 private:
  ORRERY_INLINE static auto mean(auto& lane, const auto& start, const auto& trend,
                                 const auto& amplitude, const auto& frequency) {
    const auto span = lane.clock(ClockReading::span);
    const auto turns = lane.constant(2 * std::numbers::pi_v<float>) * (span * frequency);
    return start + span * trend + amplitude * apply<Sine>(turns);
  }
};

}  // namespace orrery
