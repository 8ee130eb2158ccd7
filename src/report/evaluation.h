// An evaluation as JSON values, for those who put it into larger ones.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "orrery/evaluate.h"

namespace orrery {

nlohmann::ordered_json json_of(const EvaluationScores& evaluation);
nlohmann::ordered_json json_of(std::span<const BreakdownRow> rows, By by);

}  // namespace orrery
