// What was added to a model, as its metadata hold it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "orrery/model.h"

namespace orrery {

std::string additions_to_json(std::span<const Addition> additions);
// What is not as written is an exception of the JSON library.
std::vector<Addition> additions_of_json(const nlohmann::json& json);

}  // namespace orrery
