#include "learn/clock.h"

#include "math/lane.h"

namespace orrery {
namespace {

// The day that a week is dated by is its Thursday, as in `label`.
Date date_of(TimePoint point, Granularity granularity) {
  const bool week = granularity == Granularity::week;
  return parse_date(label(week ? 7 * point : point, week ? Granularity::day : granularity)).date;
}

}  // namespace

std::vector<float> clock_of(const Timeline& times, const std::optional<TimeSpan>& axis) {
  std::vector<float> clock(times.rows.size() * clock_readings);
  if (times.rows.empty()) return clock;
  const auto [first, last] =
      axis.value_or(TimeSpan{times.rows.front().first, times.rows.back().first});
  const auto length = static_cast<double>(last - first);
  const std::int64_t first_year = date_of(first, times.granularity).year;
  float* readings = clock.data();
  for (const TimeRow& row : times.rows) {
    const Date date = date_of(row.first, times.granularity);
    const auto set = [&](ClockReading reading, double value) {
      readings[static_cast<int>(reading)] = static_cast<float>(value);
    };
    set(ClockReading::span, length > 0 ? static_cast<double>(row.first - first) / length : 0);
    set(ClockReading::year, static_cast<double>(date.year - first_year));
    set(ClockReading::month, date.month);
    set(ClockReading::day, date.day);
    readings += clock_readings;
  }
  return clock;
}

}  // namespace orrery
