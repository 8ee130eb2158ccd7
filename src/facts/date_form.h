// Dates whose sense depends on their column: 20200101, 1700000000 and 02/03/2023.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "facts/date.h"

namespace orrery {

enum class DateForm {
  automatic,
  iso,
  compact,            // 20200131, 202001, 20200131T101112
  unix_seconds,       // 1580428800
  unix_milliseconds,  // 1580428800000
  day_month,          // 31/01/2020, 31.01.2020, 31-01-2020
  month_day,          // 01/31/2020
  year,               // integers of any size
  words,              // 3 March 2021
  serial_days,        // 43831, as spreadsheets count days
};
// auto, iso, compact, unix, unix-ms, dmy, mdy, year, words, excel.
std::optional<DateForm> date_form_named(std::string_view name);

// What the texts mean that parse_date cannot know. All other texts mean the same in any column.
struct DateReading {
  enum class Integers {
    years,
    compact,
    seconds,
    milliseconds,
    serial_days
  } integers = Integers::years;
  enum class Order { undecided, day_month, month_day } order = Order::undecided;
  bool both_orders = false;      // undecided, since as many dates tell one as the other
  bool serial_or_count = false;  // undecided: 43831 may be a spreadsheet's day or a plain count
  // Integers that look like another form are refused, unless the form was asked for.
  bool strict = true;
  bool asked = false;  // by a person, who may count in integers of any length
};

ParsedDate parse_date(std::string_view text, const DateReading& reading);
// Why a text that parse_date calls bad is not a date of this column.
std::string problem_of_date(std::string_view text, const DateReading& reading);
// "years", "Unix seconds", …
std::string_view words_for(DateReading::Integers integers);
// `02/03/2023` where nothing says which of the two is the month, and `43831`.
bool is_ambiguous(std::string_view text, const DateReading& reading);

// Times of day that say nothing: where all seconds are 0 dates are of minutes, then of hours, and
// where every time is midnight, as written, of days. Units as fine as `needed` stay.
void drop_unused_units(std::span<ParsedDate> dates, std::optional<Granularity> needed);

// Every distinct text of a column, and how many facts carry it; then the reading of the whole.
class DateColumn {
 public:
  void see(std::string_view text, std::uint64_t facts);
  // By the most facts; for numbers such as 31/01/2020 one part above 12 is enough.
  DateReading reading(DateForm asked = DateForm::automatic) const;
  // The forms that occur, in words: "ISO dates and years".
  std::string forms(const DateReading& reading) const;

 private:
  enum Shape {
    unknown,
    iso,
    words,
    years,         // integers that look like nothing else
    long_years,    // … of more than four digits
    serials,       // … of which spreadsheets count days in such
    compact_days,  // eight or fourteen digits that are a date
    compact_months,
    compact_times,  // 20200131T101112
    seconds,
    milliseconds,
    dotted,
    day_first,
    month_first,
    either_first,
    none,
    shapes
  };
  static Shape shape_of(std::string_view text);
  static std::optional<Shape> numeric_shape(std::string_view text);

  std::array<std::uint64_t, shapes> facts_ = {};
};

}  // namespace orrery
