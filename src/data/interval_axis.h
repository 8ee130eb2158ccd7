// The time axis of interval facts that hold at every time between their start and their end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/time_axis.h"

namespace orrery {

// What holds only changes at a start and after an end: a row reaches from one such change in train
// to the point before the next one, and rows have no gaps. Neighbouring rows are pooled until each
// has `min_facts` changes. Open ends reach to `horizon`, where there is one.
TimeAxis within_axis(const std::vector<DatedText>& texts, Granularity granularity,
                     std::int64_t min_facts, const std::optional<Date>& horizon);

// All points of a date: a year among days begins on 1 January and ends on 31 December.
TimeSpan span_of(const Date& date, Granularity granularity);

}  // namespace orrery
