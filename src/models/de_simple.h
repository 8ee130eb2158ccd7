#pragma once

#include <array>
#include <tuple>

#include "math/functions.h"
#include "math/lane.h"
#include "math/lane_parts.h"
#include "models/model.h"

namespace orrery {

// Years are counted from the first one of the data, which only moves phases. All rows are as long
// as the whole: of `entity` the first 68 % are used, of the others the rest.
struct DeSimplE {
  static constexpr std::string_view name = "de-simple";
  static constexpr std::string_view title = "DE-SimplE: entities that move with the calendar";
  static constexpr std::string_view paper =
      "Goel, Kazemi, Brubaker, Poupart: Diachronic Embedding for Temporal Knowledge Graph "
      "Completion, AAAI 2020";
  static constexpr std::string_view formula =
      "½(⟨head(entity), relation, tail(answer)⟩ + ⟨head(answer), inverse, tail(entity)⟩), each "
      "[entity | Σ amplitude · sin(frequency · (year, month, day) + phase)]";
  using Algebra = Componentwise<2>;  // as head and as tail; a relation and its inverse
  static constexpr Candidates candidates = Candidates::each_time;
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"year_amplitude", RowOf::entity},
      RowSpec{"year_frequency", RowOf::entity, Without::impossible, true, 0, 0.05F},
      RowSpec{"year_phase", RowOf::entity},
      RowSpec{"month_amplitude", RowOf::entity},
      RowSpec{"month_frequency", RowOf::entity, Without::impossible, true, 0, 0.05F},
      RowSpec{"month_phase", RowOf::entity},
      RowSpec{"day_amplitude", RowOf::entity},
      RowSpec{"day_frequency", RowOf::entity, Without::impossible, true, 0, 0.05F},
      RowSpec{"day_phase", RowOf::entity},
      RowSpec{"relation", RowOf::relation},
  };

  // Packs, as CUDA's compiler takes no more than nine parameters of type auto. Dropout falls on the
  // products, as in the paper.
  ORRERY_INLINE static auto query(auto& lane, const auto&... row) {
    const auto& relation = std::get<sizeof...(row) - 1>(std::tie(row...));
    const auto related = lane.factor(candidate(lane, row...) * relation);
    return lane.constant(0.5F) * reverse(related);
  }
  ORRERY_INLINE static auto answer(auto& lane, const auto&... row) {
    return lane.factor(candidate(lane, row...));
  }
  ORRERY_INLINE static auto candidate(auto& lane, const auto&... row) {
    const auto [entity, year_amplitude, year_frequency, year_phase, month_amplitude,
                month_frequency, month_phase, day_amplitude, day_frequency, day_phase, relation] =
        std::tie(row...);
    const auto year =
        wave(lane.clock(ClockReading::year), year_amplitude, year_frequency, year_phase);
    const auto month =
        wave(lane.clock(ClockReading::month), month_amplitude, month_frequency, month_phase);
    const auto day = wave(lane.clock(ClockReading::day), day_amplitude, day_frequency, day_phase);
    return lane.splice(0.68F, entity, year + month + day);
  }

 private:
  ORRERY_INLINE static auto wave(const auto& reading, const auto& amplitude, const auto& frequency,
                                 const auto& phase) {
    return amplitude * apply<Sine>(reading * frequency + phase);
  }
};

}  // namespace orrery
