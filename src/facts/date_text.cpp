// Dates that mean the same in any column: ISO 8601 and its kin.
#include <algorithm>
#include <array>

#include "facts/date_calendar.h"
#include "facts/date_scan.h"

namespace orrery {
namespace {

using namespace date_scan;
using Kind = ParsedDate::Kind;

// The last day that databases can write stands for "no end".
bool is_end_of_time(std::string_view text) {
  static constexpr std::array<std::string_view, 4> days = {"9999-12-31", "31.12.9999", "31/12/9999",
                                                           "12/31/9999"};
  if (text == "99991231") return true;
  const bool is_day =
      text.size() == 10 || (text.size() > 10 && (text[10] == 'T' || text[10] == ' '));
  return is_day && std::ranges::find(days, text.substr(0, 10)) != days.end();
}

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view text) {
  constexpr std::size_t longest_word = 9;
  return text.size() <= longest_word && std::ranges::find(words, lower(text)) != words.end();
}

// A year in digits, where '#' reads as 0.
struct YearText {
  std::string_view text;
  bool known = false;  // some digit is given
  std::int64_t value = 0;
};

YearText take_year(std::string_view& rest) {
  YearText year;
  std::size_t size = 0;
  while (size < rest.size() && (is_digit(rest[size]) || rest[size] == '#')) ++size;
  year.text = rest.substr(0, size);
  rest.remove_prefix(size);
  if (size > most_digits) return year;
  for (const char c : year.text) {
    year.known = year.known || c != '#';
    year.value = 10 * year.value + (c == '#' ? 0 : c - '0');
  }
  return year;
}

// A month or a day: `##` is 0 ("not given"), one or two digits are a number, the rest is -1.
// Zeros are "not given" in Wikidata's texts only.
int take_part(std::string_view& rest, bool zeros) {
  if (rest.starts_with("##")) {
    rest.remove_prefix(2);
    return 0;
  }
  const std::string_view digits = take_digits(rest);
  if (digits.empty() || digits.size() > 2) return -1;
  const int value = static_cast<int>(number(digits));
  return value == 0 && !zeros ? -1 : value;
}

ParsedDate week_date(std::int64_t year, std::string_view rest) {
  const std::string_view digits = take_digits(rest);
  if (digits.size() != 2) return {};
  const auto week = number(digits);
  if (week < 1 || week > calendar::weeks_in_year(year)) return {};
  const std::int64_t point = calendar::first_week(year) + week - 1;
  if (rest.empty()) return good(date_at(point, Granularity::week));
  if (rest.size() != 2 || rest[0] != '-' || rest[1] < '1' || rest[1] > '7') return {};
  return good(date_at(calendar::monday_of_week(point) + rest[1] - '1', Granularity::day));
}

ParsedDate quarter_date(std::int64_t year, std::string_view rest) {
  if (rest.size() != 1 || rest[0] < '1' || rest[0] > '4') return {};
  return good(date_at(4 * year + rest[0] - '1', Granularity::quarter));
}

// `01/2020` and `01.2020`: a month.
ParsedDate month_and_year(std::string_view text) {
  const std::string_view month = take_digits(text);
  if (month.empty() || month.size() > 2 || (!take(text, '/') && !take(text, '.'))) return {};
  const std::string_view year = take_digits(text);
  if (year.size() != 4 || !text.empty()) return {};
  const Date date{number(year), static_cast<int>(number(month))};
  return date.month < 1 || date.month > 12 ? ParsedDate() : good(date);
}

ParsedDate parse_iso(std::string_view text) {
  const bool signed_ = text.starts_with('+') || text.starts_with('-');
  std::string_view rest = text.substr(signed_ ? 1 : 0);
  const YearText year = take_year(rest);
  if (year.text.empty() || year.text.size() > most_digits) return {};
  // `19##` is of four digits: what is unknown in longer ones is no year.
  if (year.known && year.text.size() > 4 && year.text.find('#') != std::string_view::npos)
    return {};
  ParsedDate parsed{Kind::date, {text.front() == '-' ? -year.value : year.value}};
  Date& date = parsed.date;
  if (rest.empty() || rest == ".0") return year.known ? parsed : ParsedDate{Kind::unknown, {}};
  // `31-01-20`, `20-Q1` and `80s` could be of any century; nobody writes `97-##-##` for 1997.
  if (!signed_ && year.text.size() < 3 && rest.find('#') == std::string_view::npos) return {};
  if (rest == "s") {
    return year.known && date.year % 10 == 0
               ? good(date_at(calendar::floor_div(date.year, 10), Granularity::decade))
               : ParsedDate();
  }
  const char separator = rest.front();
  // Before a slash stands a year only if it cannot be a day or a month.
  if (separator != '-' && (separator != '/' || year.text.size() < 4) && separator != 'W' &&
      separator != 'Q') {
    return {};
  }
  if (separator == '-' || separator == '/') rest.remove_prefix(1);
  if (take(rest, 'W')) return year.known ? week_date(date.year, rest) : ParsedDate();
  if (take(rest, 'Q')) return year.known ? quarter_date(date.year, rest) : ParsedDate();

  const bool zeros = signed_ && text.find('T') != std::string_view::npos;
  date.month = take_part(rest, zeros);
  if (take(rest, separator)) date.day = take_part(rest, zeros);
  if (date.day < 0) return {};
  Date checked = date;
  if (!year.known) checked.year = 0;  // a leap year: any day may be
  if (!is_in_calendar(checked)) return {};
  if (date.month == 0) date.day = 0;
  // Wikidata writes a midnight after all its dates; it has none finer than a day.
  if (signed_ && rest == "T00:00:00Z") rest = {};
  if (!take_time_of_day(rest, parsed)) return {};
  return year.known ? parsed : ParsedDate{Kind::unknown, {}};
}

}  // namespace

bool date_scan::means_unknown(std::string_view text) {
  if (text.empty()) return true;
  static constexpr std::array<std::string_view, 12> words = {
      "\\n",       "null", "none", "nan", "nat", "infinity",
      "-infinity", "na",   "n/a",  "-",   "?",   "unknown"};
  return is_end_of_time(text) || is_one_of(words, text) || means_still(text);
}

bool date_scan::means_still(std::string_view text) {
  static constexpr std::array<std::string_view, 10> words = {
      "present", "now",   "current", "ongoing", "today",
      "open",    "heute", "offen",   "aktuell", "laufend"};
  return is_one_of(words, text);
}

ParsedDate parse_date(std::string_view text) {
  if (means_unknown(text)) return {Kind::unknown, {}};
  ParsedDate parsed = parse_iso(text);
  if (parsed.kind == Kind::bad) parsed = month_and_year(text);
  if (parsed.kind == Kind::bad) parsed = parse_words(text);
  return open_at_the_end_of_time(parsed);
}

ParsedDate date_scan::open_at_the_end_of_time(const ParsedDate& parsed) {
  const Date& date = parsed.date;
  // In UTC the evening of that day may be the next one.
  const bool is_last = (date.year == 9999 && date.month == 12 && date.day == 31) ||
                       (parsed.zone < 0 && date.year == 10'000 && date.month == 1 && date.day == 1);
  return parsed.known() && is_last ? ParsedDate{Kind::unknown, {}} : parsed;
}

}  // namespace orrery
