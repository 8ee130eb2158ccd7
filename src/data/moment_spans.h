// When the facts of each moment are valid, as dates say it: time rows know no dates but train's.
#pragma once

#include <cstdint>
#include <vector>

#include "data/timeline.h"

namespace orrery {

struct Span {
  static constexpr TimePoint always_before = INT64_MIN, always_after = INT64_MAX;  // open sides
  TimePoint start = always_before, end = always_after;                             // both within

  bool meets(const Span& other) const { return start <= other.end && other.start <= end; }
};

// By moment, in points of the timeline's granularity. Dates that stand the wrong way round do so
// here.
std::vector<Span> moment_spans(const Timeline& times);

}  // namespace orrery
