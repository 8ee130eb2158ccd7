#include "facts/date_form.h"

#include <utility>
#include <vector>

#include "facts/date_numbers.h"
#include "facts/date_scan.h"

namespace orrery {
namespace {

using namespace date_scan;
using Integers = DateReading::Integers;
using Order = DateReading::Order;

constexpr std::size_t fewest_second_digits = 9, fewest_millisecond_digits = 12;
constexpr std::size_t most_year_digits = 4, fewest_suspect_digits = 7;

// Shorter ones could be years or days by mistake; 0 is where the count begins.
bool is_long_enough(std::string_view integer, std::size_t fewest) {
  return digits_of(integer) >= fewest || integer == "0";
}

ParsedDate parse_integer(std::string_view text, std::string_view integer,
                         const DateReading& reading) {
  constexpr std::size_t fewest_strict_seconds = 6;
  switch (reading.integers) {
    case Integers::compact:
      return parse_compact(integer);
    case Integers::seconds:
      if (reading.strict && !is_long_enough(integer, fewest_strict_seconds)) return {};
      if (reading.strict && digits_of(integer) >= fewest_millisecond_digits) return {};
      return parse_unix(text, 1);
    case Integers::milliseconds:
      if (reading.strict && !is_long_enough(integer, fewest_second_digits)) return {};
      if (reading.strict && digits_of(integer) >= fewest_microsecond_digits) return {};
      return parse_unix(text, 1000);
    case Integers::serial_days:
      return parse_serial_days(text);
    default:
      if (reading.serial_or_count && looks_like_serial_days(text)) return {};
      // More digits than any count of steps has: a date or a time in a form that most are not in.
      if (!reading.asked && digits_of(integer) >= fewest_suspect_digits) return {};
      if (reading.strict && digits_of(integer) == 8 && parse_compact(integer).known()) return {};
      return parse_date(integer);
  }
}

bool is_fraction(std::string_view text) {
  const std::size_t dot = text.find('.');
  return dot != std::string_view::npos && !integer_in(text.substr(0, dot)).empty() &&
         all_digits(text.substr(dot + 1)) && dot >= fewest_second_digits;
}

ParsedDate parse_in_column(std::string_view text, const DateReading& reading) {
  if (means_unknown(text)) return {ParsedDate::Kind::unknown, {}};
  if (const std::string_view integer = integer_in(text); !integer.empty())
    return parse_integer(text, integer, reading);
  if (is_fraction(text) && reading.integers == Integers::seconds) return parse_unix(text, 1);
  if (reading.integers == Integers::serial_days) {
    if (const ParsedDate day = parse_serial_days(text); day.known()) return day;
  }
  ParsedDate parsed = parse_date(text);
  if (parsed.kind != ParsedDate::Kind::bad) return parsed;
  const NumericDate numeric = split_numeric(text);
  if (numeric.separator == '.') return parse_numeric(text, true);
  if (numeric.separator != 0) {
    if (reading.order == Order::undecided && numeric.first != numeric.second) return {};
    return parse_numeric(text, reading.order != Order::month_day);
  }
  return parse_compact(text);
}

}  // namespace

std::string_view words_for(DateReading::Integers integers) {
  switch (integers) {
    case Integers::compact:
      return "compact dates (20200131)";
    case Integers::seconds:
      return "Unix seconds";
    case Integers::milliseconds:
      return "Unix milliseconds";
    case Integers::serial_days:
      return "days of a spreadsheet (43831)";
    default:
      return "years";
  }
}

std::optional<DateForm> date_form_named(std::string_view name) {
  static constexpr std::pair<std::string_view, DateForm> forms[] = {
      {"auto", DateForm::automatic},  {"iso", DateForm::iso},
      {"compact", DateForm::compact}, {"unix", DateForm::unix_seconds},
      {"dmy", DateForm::day_month},   {"unix-ms", DateForm::unix_milliseconds},
      {"mdy", DateForm::month_day},   {"year", DateForm::year},
      {"words", DateForm::words},     {"excel", DateForm::serial_days}};
  for (const auto& [known, form] : forms) {
    if (name == known) return form;
  }
  return std::nullopt;
}

ParsedDate parse_date(std::string_view text, const DateReading& reading) {
  return open_at_the_end_of_time(parse_in_column(text, reading));
}

bool is_ambiguous(std::string_view text, const DateReading& reading) {
  if (reading.serial_or_count && looks_like_serial_days(text)) return true;
  return reading.order == Order::undecided && !parse_date(text, reading).known() &&
         parse_numeric(text, true).known();
}

std::optional<DateColumn::Shape> DateColumn::numeric_shape(std::string_view text) {
  const NumericDate numeric = split_numeric(text);
  if (numeric.separator == 0) return {};
  if (numeric.separator == '.') return dotted;
  const bool day = parse_numeric(text, true).known(), month = parse_numeric(text, false).known();
  if (day && month) return either_first;
  if (!day && !month) return none;
  return day ? day_first : month_first;
}

DateColumn::Shape DateColumn::shape_of(std::string_view text) {
  if (means_unknown(text)) return unknown;
  if (const std::string_view integer = integer_in(text); !integer.empty()) {
    const std::size_t digits = digits_of(integer);
    if (parse_compact(integer).known()) return digits == 6 ? compact_months : compact_days;
    if (digits >= fewest_millisecond_digits) return milliseconds;
    if (digits >= fewest_second_digits) return seconds;
    if (looks_like_serial_days(text)) return serials;
    return digits > most_year_digits ? long_years : years;
  }
  if (is_fraction(text)) return seconds;
  if (looks_like_serial_days(text)) return serials;
  const ParsedDate plain = parse_date(text);
  if (plain.kind == ParsedDate::Kind::unknown) return unknown;
  if (plain.known()) return parse_words(text).known() ? words : iso;
  if (const auto shape = numeric_shape(text)) return *shape;
  return parse_compact(text).known() ? compact_times : none;
}

void DateColumn::see(std::string_view text, std::uint64_t facts) {
  facts_[shape_of(text)] += facts;
}

DateReading DateColumn::reading(DateForm asked) const {
  DateReading reading;
  if (facts_[day_first] > facts_[month_first]) reading.order = Order::day_month;
  if (facts_[month_first] > facts_[day_first]) reading.order = Order::month_day;
  reading.both_orders = facts_[day_first] > 0 && facts_[day_first] == facts_[month_first];
  // Six digits are months only where no other integer says that they are just a count.
  const std::uint64_t counts = facts_[years] + facts_[long_years] + facts_[serials];
  const bool months = counts + facts_[seconds] == 0;
  std::uint64_t most = counts + (months ? 0 : facts_[compact_months]);
  const auto prefer = [&](std::uint64_t facts, Integers integers) {
    if (facts <= most) return;
    most = facts;
    reading.integers = integers;
  };
  prefer(facts_[compact_days] + (months ? facts_[compact_months] : 0), Integers::compact);
  prefer(facts_[seconds], Integers::seconds);
  prefer(facts_[milliseconds], Integers::milliseconds);
  // Where integers of more digits than a year has are plain counts, all of them are.
  if (reading.integers == Integers::years) {
    reading.serial_or_count = facts_[serials] > 0 && facts_[serials] == counts;
    reading.strict = facts_[long_years] == 0 && (facts_[serials] == 0 || reading.serial_or_count);
  }

  const auto force = [&reading](Integers integers) {
    reading.integers = integers;
    reading.strict = false;
    reading.asked = true;
    reading.serial_or_count = false;
  };
  switch (asked) {
    case DateForm::compact:
      force(Integers::compact);
      break;
    case DateForm::unix_seconds:
      force(Integers::seconds);
      break;
    case DateForm::unix_milliseconds:
      force(Integers::milliseconds);
      break;
    case DateForm::year:
      force(Integers::years);
      break;
    case DateForm::serial_days:
      force(Integers::serial_days);
      break;
    case DateForm::iso:
    case DateForm::words:
      reading.integers = Integers::years;
      break;
    case DateForm::day_month:
      reading.order = Order::day_month;
      break;
    case DateForm::month_day:
      reading.order = Order::month_day;
      break;
    default:
      break;
  }
  return reading;
}

std::string DateColumn::forms(const DateReading& reading) const {
  std::vector<std::string_view> names;
  const auto add = [&names](std::uint64_t facts, std::string_view name) {
    if (facts > 0) names.push_back(name);
  };
  const std::uint64_t integers = facts_[years] + facts_[long_years] + facts_[serials] +
                                 facts_[compact_days] + facts_[compact_months] + facts_[seconds] +
                                 facts_[milliseconds];
  const bool compact = reading.integers == Integers::compact;
  add(facts_[iso], "ISO dates");
  add(compact ? integers + facts_[compact_times] : facts_[compact_times], "compact dates");
  if (!compact) add(integers, words_for(reading.integers));
  add(facts_[words], "dates in words");
  const std::uint64_t numeric = facts_[day_first] + facts_[month_first] + facts_[either_first];
  add(facts_[dotted], "day.month.year");
  add(numeric, reading.order == Order::month_day ? "month/day/year" : "day/month/year");
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace orrery
