// What a time axis tells the formulas that read the calendar.
#pragma once

#include <vector>

#include "data/timeline.h"

namespace orrery {

// ClockReadings of each time row, by its first point.
std::vector<float> clock_of(const Timeline& times);

}  // namespace orrery
