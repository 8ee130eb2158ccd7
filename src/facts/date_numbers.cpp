#include "facts/date_numbers.h"

#include "facts/date_calendar.h"
#include "facts/date_scan.h"

namespace orrery::date_scan {
namespace {

constexpr std::int64_t first_compact_year = 1000, last_compact_year = 2999;

bool is_compact(const Date& date) {
  return date.year >= first_compact_year && date.year <= last_compact_year && date.month > 0 &&
         is_in_calendar(date);
}

}  // namespace

std::string_view integer_in(std::string_view text) {
  if (text.ends_with(".0")) text.remove_suffix(2);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  return all_digits(digits) ? text : std::string_view();
}

ParsedDate parse_compact(std::string_view text) {
  if (const std::string_view integer = integer_in(text); !integer.empty()) text = integer;
  std::string_view rest = text;
  const std::string_view digits = take_digits(rest);
  const bool with_time = digits.size() == 14 && rest.empty();
  if (digits.size() != 6 && digits.size() != 8 && !with_time) return {};
  Date date{number(digits.substr(0, 4)), static_cast<int>(number(digits.substr(4, 2)))};
  if (digits.size() >= 8) {
    date.day = static_cast<int>(number(digits.substr(6, 2)));
    if (date.day == 0) return {};
  }
  if (!is_compact(date)) return {};
  ParsedDate parsed = good(date);
  if (!with_time) return take_time_of_day(rest, parsed) ? parsed : ParsedDate();
  std::string clock("T");
  clock += digits.substr(8);
  return take_time_of_day(clock, parsed) ? parsed : ParsedDate();
}

ParsedDate parse_unix(std::string_view text, std::int64_t per_second) {
  const bool negative = take(text, '-');
  const std::string_view digits = take_digits(text);
  if (digits.empty() || digits.size() > most_digits) return {};
  const bool fraction = take(text, '.') && number(take_digits(text).substr(0, most_digits)) != 0;
  if (!text.empty()) return {};
  // A cut goes down, before 1970 as well.
  std::int64_t value = number(digits);
  constexpr std::int64_t seconds_to_the_year_10000 = 253'402'300'800;
  if (value / per_second >= seconds_to_the_year_10000) return {};
  if (negative) value = -value - (fraction ? 1 : 0);
  return good(date_at(calendar::floor_div(value, per_second), Granularity::second));
}

ParsedDate parse_serial_days(std::string_view text) {
  constexpr std::int64_t first = 61, end = 2'958'466;  // before them there is a day that never was
  const std::string_view digits = take_digits(text);
  if (digits.empty() || digits.size() > 7) return {};
  const std::int64_t serial = number(digits);
  const bool fraction = take(text, '.');
  const std::string_view decimals = take_digits(text);
  if (!text.empty() || fraction == decimals.empty() || serial < first || serial >= end) return {};
  const std::int64_t day = calendar::day_of(1899, 12, 30) + serial;
  if (!fraction || decimals == "0") return good(date_at(day, Granularity::day));
  // To the nearest second: a sheet's fractions are rounded.
  const std::string_view kept = decimals.substr(0, 12);
  std::int64_t whole = 1;
  for (std::size_t i = 0; i < kept.size(); ++i) whole *= 10;
  const std::int64_t seconds = (number(kept) * calendar::seconds_in_day + whole / 2) / whole;
  return good(date_at(day * calendar::seconds_in_day + seconds, Granularity::second));
}

bool looks_like_serial_days(std::string_view text) {
  constexpr std::int64_t first = 30'000, last = 60'000;
  const std::string_view digits = take_digits(text);
  return digits.size() == 5 && number(digits) >= first && number(digits) <= last &&
         (text.empty() || (take(text, '.') && all_digits(text)));
}

NumericDate split_numeric(std::string_view text) {
  NumericDate parts;
  const std::string_view first = take_digits(text);
  if (first.empty() || first.size() > 2 || text.empty()) return {};
  parts.separator = text.front();
  if (parts.separator != '.' && parts.separator != '/' && parts.separator != '-') return {};
  text.remove_prefix(1);
  const std::string_view second = take_digits(text);
  if (second.empty() || second.size() > 2 || !take(text, parts.separator)) return {};
  const std::string_view year = take_digits(text);
  if (year.size() != 4) return {};
  parts.first = static_cast<int>(number(first));
  parts.second = static_cast<int>(number(second));
  parts.year = number(year);
  parts.rest = text;
  return parts;
}

ParsedDate parse_numeric(std::string_view text, bool day_first) {
  const NumericDate parts = split_numeric(text);
  const Date date{parts.year, day_first ? parts.second : parts.first,
                  day_first ? parts.first : parts.second};
  if (date.month == 0 || date.day == 0 || !is_in_calendar(date)) return {};
  ParsedDate parsed = good(date);
  return take_time_of_day(parts.rest, parsed) ? parsed : ParsedDate();
}

}  // namespace orrery::date_scan
