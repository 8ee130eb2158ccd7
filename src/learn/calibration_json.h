// A calibration as JSON, in a model's metadata.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/calibration.h"

namespace orrery {

std::string calibration_to_json(const Calibration& calibration);
// What is missing or no number is an exception of the JSON library.
Calibration calibration_of_json(const nlohmann::json& json);

}  // namespace orrery
