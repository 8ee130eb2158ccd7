// Why a text is no date of its column.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "facts/date_form.h"
#include "facts/date_numbers.h"
#include "facts/date_scan.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

using namespace date_scan;
using Integers = DateReading::Integers;
using Order = DateReading::Order;

constexpr std::size_t fewest_nanosecond_digits = 18;

bool is_day_in_some_order(std::string_view text) {
  return std::ranges::any_of(
      std::array{parse_date(text), parse_numeric(text, true), parse_numeric(text, false)},
      [](const ParsedDate& parsed) { return parsed.known() && parsed.date.hour < 0; });
}

// `31/01/20`, `Jan 20`, `03-Mar-21 10:15`, `20-01-31`, `80s`: with a century it would be a date.
bool has_two_digit_year(std::string_view text) {
  std::string_view day = text.substr(0, text.find(':'));
  if (day.size() < text.size()) day = day.substr(0, day.find_last_of(" T"));
  if (day.size() < 3) return false;
  const std::string_view front = day.substr(0, 2), back = day.substr(day.size() - 2);
  const std::string_view rest = day.substr(2), before = day.substr(0, day.size() - 2);
  return (all_digits(front) && !is_digit(rest.front()) &&
          is_day_in_some_order(fmt::format("20{}", day))) ||
         (all_digits(back) && !is_digit(before.back()) &&
          is_day_in_some_order(fmt::format("{}20{}", before, back)));
}

std::string ambiguity_of(std::string_view text, const DateReading& reading) {
  if (looks_like_serial_days(text))
    return fmt::format("{} may be a day as spreadsheets count them ({}) or a plain count",
                       shown(text), text_of(parse_serial_days(text).date));
  return fmt::format("{} may be day/month/year or month/day/year, and {}", shown(text),
                     reading.both_orders
                         ? "as many dates of the data can only be the one as can only be the other"
                         : "no date in the data has a part above 12 that would tell");
}

}  // namespace

std::string problem_of_date(std::string_view text, const DateReading& reading) {
  const std::string_view integer = integer_in(text);
  if (is_ambiguous(text, reading)) return ambiguity_of(text, reading);
  if (reading.integers == Integers::milliseconds && digits_of(integer) >= fewest_microsecond_digits)
    return fmt::format(
        "{} looks like Unix time in {}; only seconds and milliseconds are read", shown(text),
        digits_of(integer) < fewest_nanosecond_digits ? "microseconds" : "nanoseconds");
  if (!integer.empty())
    return fmt::format("{} does not fit: the integers of this column are {}", shown(text),
                       words_for(reading.integers));
  if (has_two_digit_year(text))
    return fmt::format("{} has a year of two digits, which could be of any century", shown(text));
  const NumericDate numeric = split_numeric(text);
  if (numeric.separator != 0 && reading.order != Order::undecided)
    return fmt::format("{} is not a date in the order of this column, {}", shown(text),
                       reading.order == Order::day_month ? "day/month/year" : "month/day/year");
  return fmt::format(
      "{} is not a date; 2014-04-25, 2014-04-25T10:11:12+02:00, 2014-04, 2014, -431, 3 March 2021 "
      "and "
      "19## are",
      shown(text));
}

}  // namespace orrery
