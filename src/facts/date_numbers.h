// Dates in numbers that say nothing of what they are: the caller knows.
#pragma once

#include <string_view>

#include "facts/date.h"

namespace orrery::date_scan {

// An integer with a sign, without the `.0` that floating point columns have; else empty.
std::string_view integer_in(std::string_view text);
inline std::size_t digits_of(std::string_view integer) {
  return integer.size() - (integer.starts_with('-') ? 1 : 0);
}
// Milliseconds of so many digits would be dates after the year 5000: they are something finer.
inline constexpr std::size_t fewest_microsecond_digits = 15;

// `20200131`, `202001`, `20200131101112`, `20200131T101112`, `20200131 10:11`, of the years 1000
// to 2999.
ParsedDate parse_compact(std::string_view text);
// Seconds or milliseconds since 1970-01-01; fractions are cut.
ParsedDate parse_unix(std::string_view text, std::int64_t per_second);
// `43831`, `43831.25`: days since 1899-12-30, as spreadsheets count them; from March 1900 to 9999.
ParsedDate parse_serial_days(std::string_view text);
// Of the years 1982 to 2064.
bool looks_like_serial_days(std::string_view text);

// `31/01/2020`, `31.01.2020`, `31-01-2020`, and a time of day after it.
struct NumericDate {
  int first = 0, second = 0;  // 0: the text is something else
  std::int64_t year = 0;
  char separator = 0;
  std::string_view rest;
};
NumericDate split_numeric(std::string_view text);
ParsedDate parse_numeric(std::string_view text, bool day_first);

}  // namespace orrery::date_scan
