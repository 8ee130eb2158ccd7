// What tells the series of a plot apart without colour: a marker and a dash for each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

// SVG path commands of a series' marker around a point.
std::string marker_path(std::size_t series, double x, double y, double radius);

std::string_view dash_of(std::size_t series);  // an SVG dash array; the first is solid

}  // namespace orrery
