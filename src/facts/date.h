// Dates, and their points on an integer axis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

// From fine to coarse.
enum class Granularity : std::uint8_t {
  second,
  minute,
  hour,
  day,
  week,
  month,
  quarter,
  year,
  decade
};

inline constexpr std::array all_granularities = {
    Granularity::second,  Granularity::minute, Granularity::hour,
    Granularity::day,     Granularity::week,   Granularity::month,
    Granularity::quarter, Granularity::year,   Granularity::decade};

// Seconds, minutes, hours, days or weeks since 1970-01-01 in UTC (weeks start on Monday), months
// or quarters since year 0, the year itself, or the year divided by ten.
// Plain integers are years: the axis does not care what they count.
using TimePoint = std::int64_t;

struct Date {
  static constexpr std::int8_t not_given = -1;

  std::int64_t year = 0;
  int month = 0;                                                         // 0: not given
  int day = 0;                                                           // 0: not given
  std::int8_t hour = not_given, minute = not_given, second = not_given;  // UTC
  // A week, quarter or decade: its first day is what the members above say.
  std::optional<Granularity> period = {};

  Granularity finest() const;  // by what is given

  friend bool operator==(const Date&, const Date&) = default;
};

struct ParsedDate {
  enum class Kind : std::uint8_t { date, unknown, bad } kind = Kind::bad;
  Date date;
  std::int16_t zone = 0;  // minutes that the written time of day was ahead of UTC

  bool known() const { return kind == Kind::date; }
};

// Texts that mean the same in any column: ISO 8601 dates, times of day, weeks and quarters, years
// (integers of any size), `19##`, words (`3 March 2021`) and what means "unknown". All other forms
// need the column: facts/date_form.h.
ParsedDate parse_date(std::string_view text);

// What is not given counts as the first: 2014 is its first day, hour, second.
TimePoint time_point(const Date& date, Granularity granularity);
// … and here as the last: 2014 is its last day. A date that is finer than asked for is just cut.
TimePoint last_time_point(const Date& date, Granularity granularity);

// "2014-04-25T10:11:12", "2014-04-25T10:11", "2014-04-25T10", "2014-04-25", "2014-W17", "2014-04",
// "2014-Q2", "2014", "2010s": parse_date reads each of them as the same point.
std::string label(TimePoint point, Granularity granularity);
// The date with all that is given.
std::string text_of(const Date& date);
// The date that begins at a point.
Date date_at(TimePoint point, Granularity granularity);

std::string_view name_of(Granularity granularity);
std::optional<Granularity> granularity_named(std::string_view name);

}  // namespace orrery
