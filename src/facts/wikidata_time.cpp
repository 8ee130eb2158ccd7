#include "facts/wikidata_time.h"

#include <algorithm>

namespace orrery {
namespace {

constexpr std::int64_t decade = 8, year = 9, month = 10;
constexpr std::string_view unknown = "####";

// Takes digits off the front.
std::string_view take_digits(std::string_view& text) {
  const auto end =
      std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

// "-05" in front of what follows; "00" is "not given".
std::string_view take_part(std::string_view& text) {
  if (!text.starts_with('-')) return {};
  text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  return digits.size() == 2 && digits != "00" ? digits : std::string_view();
}

}  // namespace

std::string wikidata_date(std::string_view time, std::int64_t precision) {
  const bool before_christ = time.starts_with('-');
  if (before_christ || time.starts_with('+')) time.remove_prefix(1);
  std::string_view digits = take_digits(time);
  while (digits.size() > 4 && digits.front() == '0') digits.remove_prefix(1);
  if (digits.empty() || digits.size() > 16 || precision < decade) return std::string(unknown);
  if (precision == decade) {
    // Decades before Christ have no common notation.
    if (before_christ || digits.size() < 4) return std::string(unknown);
    return std::string(digits.substr(0, digits.size() - 1)) + "0s";
  }
  std::string date(before_christ ? "-" : "");
  date.append(digits);
  if (precision == year) return date;
  const std::string_view month_of_year = take_part(time);
  if (month_of_year.empty()) return date;
  date.append("-").append(month_of_year);
  if (precision == month) return date;
  const std::string_view day = take_part(time);
  if (!day.empty()) date.append("-").append(day);
  return date;
}

}  // namespace orrery
