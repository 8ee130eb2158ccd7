#include "facts/date_scan.h"

#include <algorithm>
#include <cctype>

#include "facts/date_calendar.h"

namespace orrery::date_scan {
namespace {

// Years with a time of day: any more would not fit seconds.
constexpr std::int64_t most_timed_year = 999'999;

// Two digits below `bound`, or -1.
int take_two(std::string_view& rest, int bound) {
  if (rest.size() < 2 || !is_digit(rest[0]) || !is_digit(rest[1])) return -1;
  const int value = static_cast<int>(number(rest.substr(0, 2)));
  rest.remove_prefix(2);
  return value < bound ? value : -1;
}

// `10`, `10:11`, `10:11:12`, `10:11:12.5`, `1011`, `101112`; of the hour one digit will do before
// a colon.
bool take_clock(std::string_view& rest, Date& date) {
  if (rest.size() > 1 && is_digit(rest[0]) && rest[1] == ':') {
    date.hour = static_cast<std::int8_t>(rest[0] - '0');
    rest.remove_prefix(1);
  } else {
    date.hour = static_cast<std::int8_t>(take_two(rest, 24));
  }
  if (date.hour < 0) return false;
  const auto part_follows = [&rest] {
    return take(rest, ':') || (!rest.empty() && is_digit(rest[0]));
  };
  if (!part_follows()) return true;
  date.minute = static_cast<std::int8_t>(take_two(rest, 60));
  if (date.minute < 0) return false;
  if (!part_follows()) return true;
  date.second = static_cast<std::int8_t>(take_two(rest, 60));
  if (date.second < 0) return false;
  if (take(rest, '.') || take(rest, ',')) return !take_digits(rest).empty();
  return true;
}

bool take_half_of_day(std::string_view& rest, Date& date) {
  const std::string half = lower(rest.substr(0, std::min<std::size_t>(rest.size(), 2)));
  if (half != "am" && half != "pm") return true;
  if (date.hour < 1 || date.hour > 12) return false;
  rest.remove_prefix(2);
  date.hour = static_cast<std::int8_t>(date.hour % 12 + (half == "pm" ? 12 : 0));
  return true;
}

// `Z`, `UTC`, `GMT`, `+02`, `+0200`, `+02:00`, and after it `[Europe/Paris]`.
bool take_zone(std::string_view& rest, std::int16_t& zone) {
  for (const std::string_view name : {"Z", "z", "UTC", "GMT"}) {
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    return true;
  }
  if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return true;
  const int sign = rest[0] == '-' ? -1 : 1;
  rest.remove_prefix(1);
  const int hours = take_two(rest, 24);
  if (hours < 0) return false;
  int minutes = 0;
  if (take(rest, ':') || (!rest.empty() && is_digit(rest[0]))) minutes = take_two(rest, 60);
  if (minutes < 0) return false;
  zone = static_cast<std::int16_t>(sign * (60 * hours + minutes));
  if (rest.starts_with('[') && rest.ends_with(']')) rest = {};
  return true;
}

void shift_to_utc(ParsedDate& parsed) {
  if (parsed.zone == 0) return;
  Date& date = parsed.date;
  if (date.minute < 0 && parsed.zone % 60 != 0) date.minute = 0;
  const Granularity own = date.finest();
  const std::int64_t seconds = time_point(date, Granularity::second) - 60 * parsed.zone;
  const Date shifted = date_at(seconds, Granularity::second);
  date = {shifted.year, shifted.month, shifted.day, shifted.hour};
  if (own <= Granularity::minute) date.minute = shifted.minute;
  if (own == Granularity::second) date.second = shifted.second;
}

}  // namespace

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::int64_t number(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = 10 * value + (c - '0');
  return value;
}

std::string_view take_digits(std::string_view& rest) {
  std::size_t size = 0;
  while (size < rest.size() && is_digit(rest[size])) ++size;
  const std::string_view digits = rest.substr(0, size);
  rest.remove_prefix(size);
  return digits;
}

bool take(std::string_view& rest, char wanted) {
  if (!rest.starts_with(wanted)) return false;
  rest.remove_prefix(1);
  return true;
}

bool take_time_of_day(std::string_view rest, ParsedDate& parsed) {
  if (rest.empty()) return true;
  Date& date = parsed.date;
  if (!take(rest, 'T') && !take(rest, 't')) {
    take(rest, ',');
    if (!take(rest, ' ')) return false;
  }
  if (date.finest() != Granularity::day || date.year > most_timed_year ||
      date.year < -most_timed_year || !take_clock(rest, date)) {
    return false;
  }
  take(rest, ' ');
  if (!take_half_of_day(rest, date)) return false;
  take(rest, ' ');
  if (!take_zone(rest, parsed.zone) || !rest.empty()) return false;
  shift_to_utc(parsed);
  return true;
}

bool is_in_calendar(const Date& date) {
  if (date.month < 0 || date.month > 12 || date.day < 0) return false;
  return date.day <= (date.month == 0 ? 31 : calendar::days_in_month(date.year, date.month));
}

}  // namespace orrery::date_scan
