// Scores as JSON, the same in metrics, summaries and states.
#pragma once

#include <nlohmann/json.hpp>

#include "orrery/train.h"

namespace orrery {

inline nlohmann::ordered_json scores_to_json(const Scores& s) {
  return {{"mrr", s.mrr}, {"hits1", s.hits1}, {"hits3", s.hits3}, {"hits10", s.hits10}};
}

inline Scores scores_from_json(const nlohmann::json& json) {
  return {json.at("mrr"), json.at("hits1"), json.at("hits3"), json.at("hits10")};
}

}  // namespace orrery
