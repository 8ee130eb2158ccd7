// Plain text tables for people: the first column flush left, the others flush right.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) : rows_{std::move(head)} {}

  // A row has as many cells as the head.
  void add(std::vector<std::string> row);
  std::string text() const;  // lines ending in '\n', two spaces between columns
  std::string markdown() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

inline constexpr const char* no_figure = "—";  // what is not known, or does not apply
std::string percent(double fraction);          // 0.5583 as "55.83"; NaN as no_figure
std::string three_digits(double number);       // 0.5583 as "0.558"; NaN as no_figure

// Counts, 0 or more.
std::string grouped(std::uint64_t count);                         // 17926 as "17,926"
std::string counted(std::uint64_t count, std::string_view noun);  // "1 fact", "2,000 entities"
std::string grouped(std::signed_integral auto count) {
  return grouped(static_cast<std::uint64_t>(count));
}
std::string counted(std::signed_integral auto count, std::string_view noun) {
  return counted(static_cast<std::uint64_t>(count), noun);
}

std::string listed(std::span<const std::string> names);  // "a, b and c"

// Characters, not bytes; wide ones of East Asia count as one (columns_of counts their room).
std::size_t characters_of(std::string_view text);

// A name from a file as it may be shown on a terminal: control characters become '?', those that
// turn the direction of writing among them.
std::string printable(std::string_view name);

}  // namespace orrery
