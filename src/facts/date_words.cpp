// Dates with the names of months, and years before Christ.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "facts/date_scan.h"

namespace orrery::date_scan {
namespace {

constexpr std::size_t most_words = 8;

// The month of a name or of its first letters; 0: none.
int month_named(const std::string& word) {
  static constexpr std::array<std::pair<std::string_view, int>, 20> names = {
      {{"january", 1}, {"januar", 1},    {"jänner", 1},   {"february", 2}, {"februar", 2},
       {"march", 3},   {"märz", 3},      {"maerz", 3},    {"april", 4},    {"may", 5},
       {"mai", 5},     {"june", 6},      {"juni", 6},     {"july", 7},     {"juli", 7},
       {"august", 8},  {"september", 9}, {"october", 10}, {"oktober", 10}, {"november", 11}}};
  if (word == "december" || word == "dezember" || word == "dec" || word == "dez") return 12;
  if (word == "sept") return 9;
  if (word == "mär" || word == "mrz") return 3;
  for (const auto& [name, month] : names) {
    if (word == name || (word.size() == 3 && name.starts_with(word))) return month;
  }
  return 0;
}

bool is_weekday(const std::string& word) {
  static constexpr std::array<std::string_view, 14> names = {
      "monday", "tuesday",  "wednesday", "thursday",   "friday",  "saturday", "sunday",
      "montag", "dienstag", "mittwoch",  "donnerstag", "freitag", "samstag",  "sonntag"};
  return std::ranges::any_of(names, [&word](std::string_view name) {
    return name == word || (word.size() >= 2 && word.size() <= 3 && name.starts_with(word));
  });
}

// Words and numbers between spaces, commas, dots and dashes; `Ä` becomes small.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == ',' || c == '.' || c == '-' || c == '/') {
      if (!words.back().empty()) words.emplace_back();
    } else if (text.substr(i).starts_with("Ä")) {
      words.back() += "ä";
      ++i;
    } else {
      words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool ends_era(std::vector<std::string>& words, bool& before_christ) {
  const auto drop = [&words](std::size_t count) { words.resize(words.size() - count); };
  const std::size_t size = words.size();
  if (size >= 2 && words[size - 1] == "chr" && (words[size - 2] == "v" || words[size - 2] == "n")) {
    before_christ = words[size - 2] == "v";
    drop(2);
    return true;
  }
  if (size >= 1 && (words.back() == "bc" || words.back() == "bce")) {
    before_christ = true;
    drop(1);
    return true;
  }
  if (size >= 1 && (words.back() == "ad" || words.back() == "ce")) {
    drop(1);
    return true;
  }
  return false;
}

// 1 to 31, as in `3`, `03`, `3rd`; 0: none.
int day_in(std::string_view word) {
  const std::string_view digits = take_digits(word);
  if (digits.empty() || digits.size() > 2) return 0;
  if (!word.empty() && word != "st" && word != "nd" && word != "rd" && word != "th") return 0;
  return static_cast<int>(number(digits));
}

// Where a time of day begins: at the space before the first `h:` or `hh:`.
std::size_t clock_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return text.size();
  const std::size_t space = text.rfind(' ', colon);
  return space == std::string_view::npos ? text.size() : space;
}

}  // namespace

ParsedDate parse_words(std::string_view text) {
  const std::size_t clock = clock_in(text);
  std::string_view day_text = text.substr(0, clock);
  if (day_text.ends_with(',')) day_text.remove_suffix(1);
  std::vector<std::string> words = words_of(day_text);
  if (words.empty() || words.size() > most_words) return {};
  if (text.front() == ' ' || text.back() == ' ') return {};
  if (is_weekday(words.front())) words.erase(words.begin());

  bool before_christ = false;
  const bool era = ends_era(words, before_christ);
  if (words.empty() || !all_digits(words.back()) || words.back().size() > most_digits) return {};
  Date date{number(words.back())};
  // A year of two digits could be of any century.
  if (!era && words.back().size() < 3) return {};
  if (before_christ) date.year = -date.year;
  words.pop_back();
  if (words.empty()) return era && clock == text.size() ? good(date) : ParsedDate();

  if (words.size() > 2) return {};
  for (const std::string& word : words) {
    if (const int month = month_named(word); month != 0 && date.month == 0) {
      date.month = month;
    } else if (const int day = day_in(word); day != 0 && date.day == 0) {
      date.day = day;
    } else {
      return {};
    }
  }
  ParsedDate parsed = good(date);
  if (date.month == 0 || !is_in_calendar(date)) return {};
  return take_time_of_day(text.substr(clock), parsed) ? parsed : ParsedDate();
}

}  // namespace orrery::date_scan
