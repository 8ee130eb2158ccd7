// The marks of one series inside a plot's frame, as SVG.
#pragma once

#include <string>

#include "page/plot_frame.h"

namespace orrery {

std::string draw_series(const Plot& plot, std::size_t number, const PlotFrame& frame);

// The same marks in small, for the legend.
std::string draw_sample(const Plot& plot, std::size_t number);

}  // namespace orrery
