// An explanation as a JSON value, for those who put it into larger ones.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "orrery/explain.h"

namespace orrery {

nlohmann::ordered_json json_of(const Explanation& explanation);
nlohmann::ordered_json json_of(std::span<const Neighbour> neighbours);

}  // namespace orrery
