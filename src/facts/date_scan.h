// Small steps that the parsers of dates share: each takes something off the front of a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "facts/date.h"

namespace orrery::date_scan {

// More digits than this could overflow when the year is turned into days.
inline constexpr std::size_t most_digits = 16;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text);
std::string lower(std::string_view text);

// The value of at most `most_digits` digits.
std::int64_t number(std::string_view digits);
// The digits at the front, which may be none.
std::string_view take_digits(std::string_view& rest);
bool take(std::string_view& rest, char wanted);

// Nothing, "null", "infinity", 9999-12-31, …: there is no date, or no end.
bool means_unknown(std::string_view text);
// Of these "present", "today", …: the end of what has not ended, and no start.
bool means_still(std::string_view text);
// The last day that databases can write, in whatever form, is no date.
ParsedDate open_at_the_end_of_time(const ParsedDate& parsed);

// What follows a date: nothing, or 'T' or a space and the time of day, to the end of the text. The
// date gets it in UTC. False: something else follows.
bool take_time_of_day(std::string_view rest, ParsedDate& parsed);

// Is there such a day? Month and day 0 are "not given".
bool is_in_calendar(const Date& date);

inline ParsedDate good(const Date& date) { return {ParsedDate::Kind::date, date}; }

// `3 March 2021`, `March 3, 2021`, `Mar 2021`, `25-Apr-2014`, `431 BC`, with English and German
// names; bad where the text is something else.
ParsedDate parse_words(std::string_view text);

}  // namespace orrery::date_scan
