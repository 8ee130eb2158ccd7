// Scores of several runs, and scores in JSON.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "orrery/train.h"

namespace orrery {

inline constexpr std::array score_parts = {&Scores::mrr, &Scores::hits1, &Scores::hits3,
                                           &Scores::hits10};

struct ScoreStatistics {
  Scores mean, deviation;  // the deviation of a single run is 0
};
ScoreStatistics statistics_of(std::span<const Scores> runs);

// {"mrr": …, "hits1": …, "hits3": …, "hits10": …}; json_scores() of learn/json_fields.h reads it.
nlohmann::ordered_json scores_json(const Scores& scores);

}  // namespace orrery
