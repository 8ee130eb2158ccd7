// Text dates to points on an integer axis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

enum class Granularity { day, week, month, year };

// Days or weeks since 1970-01-01 (weeks start on Monday), months since year 0, or the year itself.
// Plain integers are years: the axis does not care what they count.
using TimePoint = std::int64_t;

struct Date {
  std::int64_t year = 0;
  int month = 0;  // 0: not given
  int day = 0;    // 0: not given

  Granularity finest() const;  // day, month or year, by what is given
};

// `2014-04-25`, `2014-04`, `2014`, `-431`, `-431-05-01`, integers, `19##-##-##` ('#' reads as 0 in
// a year; `##` is "not given" elsewhere), `####…` and the empty text: unknown.
struct ParsedDate {
  enum class Kind { date, unknown, bad } kind = Kind::bad;
  Date date;
};
ParsedDate parse_date(std::string_view text);

// A missing month or day counts as the first.
TimePoint time_point(const Date& date, Granularity granularity);
std::string label(TimePoint point,
                  Granularity granularity);  // "2014-04-25", "2014-W17", "2014-04", "2014"

std::string_view name_of(Granularity granularity);
std::optional<Granularity> granularity_named(std::string_view name);

}  // namespace orrery
