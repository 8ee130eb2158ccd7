// Scores as JSON, the same in every file; json_scores() of page/json_fields.h reads them.
#pragma once

#include <nlohmann/json.hpp>

#include "orrery/scores.h"

namespace orrery {

// {"queries": …, "mrr": …, "hits1": …, "hits3": …, "hits10": …}, in fractions; queries where known.
inline nlohmann::ordered_json scores_to_json(const Scores& s) {
  nlohmann::ordered_json json;
  if (s.queries > 0) json["queries"] = s.queries;
  for (const ScorePart& part : score_parts) json[std::string(part.name)] = s.*part.value;
  return json;
}

}  // namespace orrery
