#include "facts/date.h"

#include <fmt/format.h>

#include <algorithm>

#include "facts/date_calendar.h"

namespace orrery {
namespace {

using namespace calendar;

// Seconds of years beyond this do not fit 64 bits; points saturate there.
constexpr std::int64_t most_year_in_seconds = 100'000'000'000;

constexpr std::int64_t seconds_in(Granularity granularity) {
  switch (granularity) {
    case Granularity::second:
      return 1;
    case Granularity::minute:
      return 60;
    case Granularity::hour:
      return 3600;
    default:
      return seconds_in_day;
  }
}

Date date_of_day(std::int64_t number) {
  const std::int64_t year = year_of_day(number);
  const int day_of_year = static_cast<int>(number - days_before_year(year));
  int month = 12;
  while (days_before(year, month) > day_of_year) --month;
  return {year, month, day_of_year - days_before(year, month) + 1};
}

std::int64_t day_number(const Date& date) {
  return day_of(date.year, std::max(date.month, 1), std::max(date.day, 1));
}

}  // namespace

Granularity Date::finest() const {
  if (period) return *period;
  if (month == 0) return Granularity::year;
  if (day == 0) return Granularity::month;
  if (hour < 0) return Granularity::day;
  if (minute < 0) return Granularity::hour;
  return second < 0 ? Granularity::minute : Granularity::second;
}

TimePoint time_point(const Date& date, Granularity granularity) {
  switch (granularity) {
    case Granularity::decade:
      return floor_div(date.year, 10);
    case Granularity::year:
      return date.year;
    case Granularity::quarter:
      return 4 * date.year + (std::max(date.month, 1) - 1) / 3;
    case Granularity::month:
      return 12 * date.year + std::max(date.month, 1) - 1;
    case Granularity::week:
      return week_of_day(day_number(date));
    case Granularity::day:
      return day_number(date);
    default:
      break;
  }
  Date near = date;
  near.year = std::clamp(date.year, -most_year_in_seconds, most_year_in_seconds);
  const auto part = [](std::int8_t value) { return std::max<std::int64_t>(value, 0); };
  const std::int64_t seconds = seconds_in_day * day_number(near) + 3600 * part(date.hour) +
                               60 * part(date.minute) + part(date.second);
  return floor_div(seconds, seconds_in(granularity));
}

TimePoint last_time_point(const Date& date, Granularity granularity) {
  const Granularity own = date.finest();
  if (own <= granularity) return time_point(date, granularity);
  // The next period of the date's own precision begins one point later.
  return time_point(date_at(time_point(date, own) + 1, own), granularity) - 1;
}

Date date_at(TimePoint point, Granularity granularity) {
  switch (granularity) {
    case Granularity::decade: {
      Date date{10 * point};
      date.period = granularity;
      return date;
    }
    case Granularity::year:
      return {point};
    case Granularity::quarter: {
      const std::int64_t year = floor_div(point, 4);
      Date date{year, static_cast<int>(3 * (point - 4 * year)) + 1, 1};
      date.period = granularity;
      return date;
    }
    case Granularity::month: {
      const std::int64_t year = floor_div(point, 12);
      return {year, static_cast<int>(point - 12 * year) + 1};
    }
    case Granularity::week: {
      Date date = date_of_day(monday_of_week(point));
      date.period = granularity;
      return date;
    }
    case Granularity::day:
      return date_of_day(point);
    default:
      break;
  }
  const std::int64_t in_day = seconds_in_day / seconds_in(granularity);
  const std::int64_t day = floor_div(point, in_day);
  const std::int64_t seconds = (point - day * in_day) * seconds_in(granularity);
  Date date = date_of_day(day);
  date.hour = static_cast<std::int8_t>(seconds / 3600);
  if (granularity != Granularity::hour) date.minute = static_cast<std::int8_t>(seconds / 60 % 60);
  if (granularity == Granularity::second) date.second = static_cast<std::int8_t>(seconds % 60);
  return date;
}

std::string text_of(const Date& date) {
  // Two digits before anything else would not say the century.
  const auto padded = [](std::int64_t year) {
    return year >= 0 && year < 100 ? fmt::format("{:04}", year) : fmt::format("{}", year);
  };
  const std::string year = padded(date.year);
  const std::string day = fmt::format("{}-{:02}-{:02}", year, date.month, date.day);
  switch (date.finest()) {
    case Granularity::decade:
      return year + 's';
    case Granularity::year:
      return fmt::format("{}", date.year);
    case Granularity::quarter:
      return fmt::format("{}-Q{}", year, (date.month - 1) / 3 + 1);
    case Granularity::month:
      return fmt::format("{}-{:02}", year, date.month);
    case Granularity::week: {
      // A week belongs to the year of its Thursday (ISO 8601).
      const std::int64_t week = week_of_day(day_number(date));
      const std::int64_t thursday = year_of_day(7 * week);
      return fmt::format("{}-W{:02}", padded(thursday), week - first_week(thursday) + 1);
    }
    case Granularity::day:
      return day;
    case Granularity::hour:
      return fmt::format("{}T{:02}", day, date.hour);
    case Granularity::minute:
      return fmt::format("{}T{:02}:{:02}", day, date.hour, date.minute);
    default:
      return fmt::format("{}T{:02}:{:02}:{:02}", day, date.hour, date.minute, date.second);
  }
}

std::string label(TimePoint point, Granularity granularity) {
  return text_of(date_at(point, granularity));
}

std::string_view name_of(Granularity granularity) {
  static constexpr std::array<std::string_view, all_granularities.size()> names = {
      "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"};
  return names[static_cast<std::size_t>(granularity)];
}

std::optional<Granularity> granularity_named(std::string_view name) {
  for (const Granularity granularity : all_granularities) {
    if (name == name_of(granularity)) return granularity;
  }
  return std::nullopt;
}

}  // namespace orrery
