// What was understood of the dates of a data set.
#pragma once

#include <cstdint>
#include <string>

namespace orrery {

struct DatesUnderstood {
  std::string forms;          // "compact dates", "ISO dates and years"
  std::string first, last;    // the earliest and the latest date, as precise as the axis
  std::string granularity;    // of the axis
  std::string reason;         // why this one: "day: 90,730 facts on 365 days, 249 a day"
  std::uint64_t facts = 0;    // with a date
  std::uint64_t open = 0;     // interval facts with one side open
  std::uint64_t undated = 0;  // facts without any date, valid at all times
  std::uint64_t coarser = 0;  // facts with a date coarser than the axis, spread over its period
  std::uint64_t finer = 0;    // facts with a date finer than the axis, cut to it
  std::uint64_t not_known_then = 0;  // left out by `as_of`
};

}  // namespace orrery
