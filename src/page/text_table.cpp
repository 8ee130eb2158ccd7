#include "page/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "page/text_width.h"

namespace orrery {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

void TextTable::add(std::vector<std::string> row) {
  if (row.size() != rows_.front().size()) {
    fail_broken("a table row has {} cells under a head of {}", row.size(), rows_.front().size());
  }
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - columns_of(row[i]), ' ');
      text += i == 0 ? row[i] + space : "  " + space + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const std::string& cell : rows_[r]) {
      text += "| ";
      for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
      text += ' ';
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) text += i == 0 ? "|---" : "|---:";
    text += "|\n";
  }
  return text;
}

std::string percent(double fraction) {
  return std::isnan(fraction) ? no_figure : fmt::format("{:.2f}", 100.0 * fraction);
}

std::string three_digits(double number) {
  return std::isnan(number) ? no_figure : fmt::format("{:.3f}", number);
}

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t place = digits.size(); place > 3;) digits.insert(place -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  const bool changes = noun.ends_with('y') && !noun.ends_with("ay");  // entity, but day
  return changes ? fmt::format("{} {}ies", grouped(count), noun.substr(0, noun.size() - 1))
                 : fmt::format("{} {}s", grouped(count), noun);
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string printable(std::string_view name) {
  std::string shown;
  const auto at = [&](std::size_t i) {
    return i < name.size() ? static_cast<unsigned char>(name[i]) : 0U;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    // U+0080 … U+009F are control characters too: C2 80 … C2 9F in UTF-8.
    const bool second_set = at(i) == 0xC2 && at(i + 1) >= 0x80 && at(i + 1) < 0xA0;
    // U+2028 … U+202E end lines or turn the direction of writing, as U+2066 … U+2069 and U+200E,
    // U+200F do: the rest of the line would follow.
    const bool turns =
        at(i) == 0xE2 && ((at(i + 1) == 0x80 && at(i + 2) >= 0xA8 && at(i + 2) < 0xAF) ||
                          (at(i + 1) == 0x80 && at(i + 2) >= 0x8E && at(i + 2) < 0x90) ||
                          (at(i + 1) == 0x81 && at(i + 2) >= 0xA6 && at(i + 2) < 0xAA));
    const bool control = at(i) < 0x20 || at(i) == 0x7F || second_set || turns;
    shown += control ? '?' : name[i];
    i += turns ? 2 : second_set ? 1 : 0;
  }
  return shown;
}

}  // namespace orrery
