#include "page/text_width.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace orrery {
namespace {

struct Range {
  char32_t first, last;
};

constexpr std::array joining = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},   Range{0x0610, 0x061A},
    Range{0x064B, 0x065F}, Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E},   Range{0x1AB0, 0x1AFF},
    Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200D}, Range{0x20D0, 0x20FF},   Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0x1F3FB, 0x1F3FF}, Range{0xE0000, 0xE0FFF},
};
constexpr std::array wide = {
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},
    Range{0x2614, 0x2615},   Range{0x26AA, 0x26AB},   Range{0x26BD, 0x26BE},
    Range{0x2705, 0x2705},   Range{0x274C, 0x274C},   Range{0x2753, 0x2755},
    Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},   Range{0xA960, 0xA97F},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F004, 0x1F004},
    Range{0x1F0CF, 0x1F0CF}, Range{0x1F18E, 0x1F19A}, Range{0x1F200, 0x1F265},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F7E0, 0x1F7EB},
    Range{0x1F900, 0x1F9FF}, Range{0x1FA70, 0x1FAFF}, Range{0x20000, 0x3FFFD},
};

template <std::size_t Count>
bool is_in(const std::array<Range, Count>& ranges, char32_t character) {
  const auto after = std::ranges::upper_bound(ranges, character, {}, &Range::first);
  return after != ranges.begin() && character <= (after - 1)->last;
}

struct Character {
  char32_t value = 0;
  std::size_t bytes = 1;

  std::size_t columns() const { return is_in(joining, value) ? 0 : is_in(wide, value) ? 2 : 1; }
};

// Of text that is UTF-8; a byte that is none counts as a character.
Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 1;
  if (bytes == 1 || bytes > text.size()) return {byte(0), 1};
  char32_t value = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {byte(0), 1};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  return {value, bytes};
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = character_at(text);
    columns += character.columns();
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string fitted_text(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::size_t bytes = 0, used = 1;
  while (bytes < text.size()) {
    const Character character = character_at(text.substr(bytes));
    if (used + character.columns() > columns) break;
    used += character.columns();
    bytes += character.bytes;
  }
  return columns == 0 ? std::string() : std::string(text.substr(0, bytes)) + "…";
}

}  // namespace orrery
