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

// {"mrr": …, "hits1": …, "hits3": …, "hits10": …}; reading one that lacks a part throws
// nlohmann::json::exception.
nlohmann::ordered_json scores_json(const Scores& scores);
template <class Json>
Scores scores_from_json(const Json& json) {
  return {json.at("mrr"), json.at("hits1"), json.at("hits3"), json.at("hits10")};
}

}  // namespace orrery
