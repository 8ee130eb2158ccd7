// Scores of several runs.
#pragma once

#include <array>
#include <span>

#include "orrery/train.h"

namespace orrery {

inline constexpr std::array score_parts = {&Scores::mrr, &Scores::hits1, &Scores::hits3,
                                           &Scores::hits10};

struct ScoreStatistics {
  Scores mean, deviation;  // the deviation of a single run is 0
};
ScoreStatistics statistics_of(std::span<const Scores> runs);

}  // namespace orrery
