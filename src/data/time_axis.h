// From the dates that facts carry, as text, to the rows and moments of a Timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/timeline.h"
#include "facts/date.h"

namespace orrery {

// One distinct text of a fact's time: a date, or "start\tend".
struct DatedText {
  std::string text;
  ParsedDate start, end;          // a point has `start` only
  std::uint64_t train_facts = 0;  // how many facts of train carry it
};

struct TimeAxis {
  Timeline timeline;
  std::vector<std::int32_t> moment_of;  // by position in the given dates or texts
};

// Of all dates in the texts.
Granularity coarsest_given(const std::vector<DatedText>& texts);

// Points: a row for each distinct point.
TimeAxis point_axis(std::span<const Date> dates, Granularity granularity);

// Intervals: rows are classes of neighbouring years that hold at least `min_facts` known starts and
// ends of train; a moment is a distinct pair of texts. Years unless told otherwise. A coarse start
// is the first, a coarse end the last point of its period.
TimeAxis interval_axis(const std::vector<DatedText>& texts, std::optional<Granularity> granularity,
                       std::int64_t min_facts);

}  // namespace orrery
