// Which units of a column's times of day say something.
#include <algorithm>

#include "facts/date_form.h"

namespace orrery {
namespace {

bool has_time_of_day(const ParsedDate& date) { return date.known() && date.date.hour >= 0; }

// The day and the time of day before they were turned into UTC.
Date as_written(const ParsedDate& parsed) {
  return date_at(time_point(parsed.date, Granularity::second) + 60 * parsed.zone,
                 Granularity::second);
}

bool is_midnight(const Date& date) {
  return date.hour == 0 && date.minute == 0 && date.second == 0;
}

Granularity finest_used(std::span<const ParsedDate> dates) {
  Granularity used = Granularity::hour;
  bool midnight = true;
  for (const ParsedDate& parsed : dates) {
    if (!has_time_of_day(parsed)) continue;
    if (parsed.date.second > 0) return Granularity::second;
    if (parsed.date.minute > 0) used = Granularity::minute;
    midnight = midnight && is_midnight(as_written(parsed));
  }
  return midnight ? Granularity::day : used;
}

}  // namespace

void drop_unused_units(std::span<ParsedDate> dates, std::optional<Granularity> needed) {
  const Granularity used = std::min(finest_used(dates), needed.value_or(Granularity::decade));
  if (used == Granularity::second) return;
  for (ParsedDate& parsed : dates) {
    if (!has_time_of_day(parsed)) continue;
    Date& date = parsed.date;
    date.second = Date::not_given;
    if (used >= Granularity::hour) date.minute = Date::not_given;
    if (used < Granularity::day) continue;
    const Date written = as_written(parsed);
    date = {written.year, written.month, written.day};
    parsed.zone = 0;
  }
}

}  // namespace orrery
