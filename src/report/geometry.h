// A relation's geometry as a JSON value and in sentences.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "orrery/geometry.h"

namespace orrery {

// What a reader should know of it, without names of the data.
std::vector<std::string> geometry_sentences(const RelationGeometry& geometry);

nlohmann::ordered_json json_of(const RelationGeometry& geometry);

}  // namespace orrery
