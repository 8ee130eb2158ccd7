// What a time axis tells the formulas that read the calendar.
#pragma once

#include <optional>
#include <vector>

#include "data/timeline.h"

namespace orrery {

// ClockReadings of each time row, by its first point.
// `axis`: the first points of the first and the last time that count, where others came later.
std::vector<float> clock_of(const Timeline& times, const std::optional<TimeSpan>& axis = {});

}  // namespace orrery
