// The table of endpoints as OpenAPI 3.0.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "http/endpoints.h"

namespace orrery {

nlohmann::ordered_json openapi(std::span<const Endpoint> endpoints, const ServeLimits& limits,
                               bool wants_token);

}  // namespace orrery
