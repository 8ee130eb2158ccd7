// The proleptic Gregorian calendar in integers: days since 1970-01-01.
#pragma once

#include <array>
#include <cstdint>

namespace orrery::calendar {

constexpr std::int64_t seconds_in_day = 86'400;

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

constexpr bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Days of the year before each month, in an ordinary year.
inline constexpr std::array<int, 13> days_before_month = {0,   31,  59,  90,  120, 151, 181,
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

// Days from 0000-01-01 to the first of January: one more for every leap year in between (year 0 is
// one).
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

constexpr std::int64_t day_of(std::int64_t year, int month, int day) {
  return days_before_year(year) + days_before(year, month) + day - 1;
}

// 1970-01-01 was a Thursday: its week, number 0, began three days before.
constexpr std::int64_t week_of_day(std::int64_t day) { return floor_div(day + 3, 7); }
constexpr std::int64_t monday_of_week(std::int64_t week) { return 7 * week - 3; }

// Weeks by ISO 8601: week 1 of a year holds its 4th of January.
constexpr std::int64_t first_week(std::int64_t year) { return week_of_day(day_of(year, 1, 4)); }
constexpr int weeks_in_year(std::int64_t year) {
  return static_cast<int>(first_week(year + 1) - first_week(year));
}

}  // namespace orrery::calendar
