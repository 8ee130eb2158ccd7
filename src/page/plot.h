// A plot as a figure of an HTML page: an SVG drawing that takes its colours from the page's style.
#pragma once

#include <string>

#include "page/report.h"

namespace orrery {

// `number` tells the plots of a page apart.
std::string plot_svg(const Plot& plot, std::size_t number);

// A list beside the drawing, where it covers no data; empty where nothing is to be told apart.
std::string plot_legend(const Plot& plot);

// x and a column for each series; a scatter's points one by one. Of many rows only some.
Table points_table(const Plot& plot);

}  // namespace orrery
