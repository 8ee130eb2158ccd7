#include "facts/date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace orrery {
namespace {

// More digits than this could overflow when the year is turned into days.
constexpr std::size_t most_year_digits = 16;

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

constexpr bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Days of the year before each month, in an ordinary year.
constexpr std::array<int, 13> days_before_month = {0,   31,  59,  90,  120, 151, 181,
                                                   212, 243, 273, 304, 334, 365};

constexpr int days_before(std::int64_t year, int month) {
  return days_before_month[static_cast<std::size_t>(month - 1)] +
         (month > 2 && is_leap(year) ? 1 : 0);
}

constexpr int days_in_month(std::int64_t year, int month) {
  return days_before_month[static_cast<std::size_t>(month)] -
         days_before_month[static_cast<std::size_t>(month - 1)] +
         (month == 2 && is_leap(year) ? 1 : 0);
}

// Days from 0000-01-01 to the first of January, proleptic Gregorian: one more for every leap year
// in between (year 0 is one).
constexpr std::int64_t days_before_year_since_zero(std::int64_t year) {
  return 365 * year + ceil_div(year, 4) - ceil_div(year, 100) + ceil_div(year, 400);
}

constexpr std::int64_t days_before_year(std::int64_t year) {
  return days_before_year_since_zero(year) - days_before_year_since_zero(1970);
}

constexpr std::int64_t year_of_day(std::int64_t day) {
  const std::int64_t since_zero = day + days_before_year_since_zero(1970);
  constexpr std::int64_t days_in_400_years = 146'097;
  const std::int64_t cycle = floor_div(since_zero, days_in_400_years);
  std::int64_t year = 400 * cycle + (since_zero - cycle * days_in_400_years) / 366;
  while (days_before_year(year + 1) <= day) ++year;
  return year;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A month or a day: `##` is 0 ("not given"), one or two digits are a number, the rest is -1.
int parse_part(std::string_view text) {
  if (text == "##") return 0;
  if (text.empty() || text.size() > 2 || !std::all_of(text.begin(), text.end(), is_digit)) {
    return -1;
  }
  int value = 0;
  for (const char c : text) value = 10 * value + (c - '0');
  return value == 0 ? -1 : value;
}

// Takes the text up to the next '-' off the front of `rest`; false when nothing is left.
bool take_part(std::string_view& rest, bool& more, std::string_view& part) {
  if (!more) return false;
  const std::size_t dash = rest.find('-');
  part = rest.substr(0, dash);
  more = dash != std::string_view::npos;
  rest = more ? rest.substr(dash + 1) : std::string_view();
  return true;
}

}  // namespace

Granularity Date::finest() const {
  if (month == 0) return Granularity::year;
  return day == 0 ? Granularity::month : Granularity::day;
}

ParsedDate parse_date(std::string_view text) {
  using Kind = ParsedDate::Kind;
  if (text.empty()) return {Kind::unknown, {}};
  const bool before_christ = text.front() == '-';
  std::string_view rest = text.substr(before_christ ? 1 : 0);

  bool more = true;
  std::string_view year_text, month_text, day_text;
  take_part(rest, more, year_text);
  const bool has_month = take_part(rest, more, month_text);
  const bool has_day = take_part(rest, more, day_text);
  if (more || year_text.empty() || year_text.size() > most_year_digits) return {};

  Date date;
  bool known = false;
  for (const char c : year_text) {
    if (!is_digit(c) && c != '#') return {};
    known = known || c != '#';
    date.year = 10 * date.year + (c == '#' ? 0 : c - '0');
  }
  if (before_christ) date.year = -date.year;

  date.month = has_month ? parse_part(month_text) : 0;
  if (date.month < 0 || date.month > 12) return {};
  date.day = has_day ? parse_part(day_text) : 0;
  const int most_days = date.month == 0 || !known ? 31 : days_in_month(date.year, date.month);
  if (date.day < 0 || date.day > most_days) return {};
  if (date.month == 0) date.day = 0;
  if (!known) return {Kind::unknown, {}};
  return {Kind::date, date};
}

TimePoint time_point(const Date& date, Granularity granularity) {
  const int month = std::max(date.month, 1);
  switch (granularity) {
    case Granularity::year:
      return date.year;
    case Granularity::month:
      return 12 * date.year + month - 1;
    default:
      break;
  }
  const std::int64_t day =
      days_before_year(date.year) + days_before(date.year, month) + std::max(date.day, 1) - 1;
  // 1970-01-01 was a Thursday: its week began three days before.
  return granularity == Granularity::day ? day : floor_div(day + 3, 7);
}

std::string label(TimePoint point, Granularity granularity) {
  switch (granularity) {
    case Granularity::year:
      return fmt::format("{}", point);
    case Granularity::month: {
      const std::int64_t year = floor_div(point, 12);
      return fmt::format("{}-{:02}", year, point - 12 * year + 1);
    }
    case Granularity::week: {
      // A week belongs to the year of its Thursday (ISO 8601), and Thursdays are multiples of 7.
      const std::int64_t thursday = 7 * point;
      const std::int64_t year = year_of_day(thursday);
      return fmt::format("{}-W{:02}", year, (thursday - days_before_year(year)) / 7 + 1);
    }
    default:
      break;
  }
  const std::int64_t year = year_of_day(point);
  const int day_of_year = static_cast<int>(point - days_before_year(year));
  int month = 12;
  while (days_before(year, month) > day_of_year) --month;
  return fmt::format("{}-{:02}-{:02}", year, month, day_of_year - days_before(year, month) + 1);
}

std::string_view name_of(Granularity granularity) {
  switch (granularity) {
    case Granularity::day:
      return "day";
    case Granularity::week:
      return "week";
    case Granularity::month:
      return "month";
    default:
      return "year";
  }
}

std::optional<Granularity> granularity_named(std::string_view name) {
  for (const Granularity granularity :
       {Granularity::day, Granularity::week, Granularity::month, Granularity::year}) {
    if (name == name_of(granularity)) return granularity;
  }
  return std::nullopt;
}

}  // namespace orrery
