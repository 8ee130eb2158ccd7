// Which granularity the axis has, where nobody says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/time_axis.h"
#include "facts/date.h"

namespace orrery {

struct CountedDate {
  Date date;
  std::uint64_t facts = 0;
};

struct GranularityChoice {
  Granularity granularity = Granularity::year;
  std::string reason;  // "day: 90,730 facts on 365 days, 249 a day"
};

// The finest precision that at least 90 % of the dated facts have (or a finer one).
Granularity stated_precision(std::span<const CountedDate> dates);

// The stated precision; or the next coarser one, years at most, at which times have facts enough on
// average: of events the square root of their number, 100 at most; of starts and ends of intervals
// two. Where none has, the coarsest with two. Fewer than 50 facts stay as stated.
GranularityChoice choose_granularity(std::span<const CountedDate> dates, bool intervals = false);

}  // namespace orrery
