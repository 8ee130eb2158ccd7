// Answers as a JSON value, for those who put it into larger ones.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "orrery/predict.h"

namespace orrery {

nlohmann::ordered_json json_of(const Question& question, const Answers& answers);

}  // namespace orrery
