// How a model tells when, as text in its file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orrery/when.h"

namespace orrery {

std::string when_to_json(const WhenFit& fit);
// Throws what nlohmann throws where something is missing or of another type.
WhenFit when_of_json(const nlohmann::json& json);

}  // namespace orrery
