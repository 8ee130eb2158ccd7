// Scores as JSON, the same in every file; json_scores() of learn/json_fields.h reads them.
#pragma once

#include <nlohmann/json.hpp>

#include "orrery/train.h"

namespace orrery {

inline nlohmann::ordered_json scores_to_json(const Scores& s) {
  return {{"mrr", s.mrr}, {"hits1", s.hits1}, {"hits3", s.hits3}, {"hits10", s.hits10}};
}

}  // namespace orrery
