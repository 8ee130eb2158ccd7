#include "base/folded_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace orrery {
namespace {

struct FoldedRange {
  std::uint32_t first, last;
  std::string_view letters;
};

// Letters that are others with a mark, or two in one; ascending.
constexpr FoldedRange folded_ranges[] = {
    {0xC0, 0xC5, "a"},     {0xC6, 0xC6, "ae"},    {0xC7, 0xC7, "c"},     {0xC8, 0xCB, "e"},
    {0xCC, 0xCF, "i"},     {0xD0, 0xD0, "d"},     {0xD1, 0xD1, "n"},     {0xD2, 0xD6, "o"},
    {0xD8, 0xD8, "o"},     {0xD9, 0xDC, "u"},     {0xDD, 0xDD, "y"},     {0xDE, 0xDE, "th"},
    {0xDF, 0xDF, "ss"},    {0xE0, 0xE5, "a"},     {0xE6, 0xE6, "ae"},    {0xE7, 0xE7, "c"},
    {0xE8, 0xEB, "e"},     {0xEC, 0xEF, "i"},     {0xF0, 0xF0, "d"},     {0xF1, 0xF1, "n"},
    {0xF2, 0xF6, "o"},     {0xF8, 0xF8, "o"},     {0xF9, 0xFC, "u"},     {0xFD, 0xFD, "y"},
    {0xFE, 0xFE, "th"},    {0xFF, 0xFF, "y"},     {0x100, 0x105, "a"},   {0x106, 0x10D, "c"},
    {0x10E, 0x111, "d"},   {0x112, 0x11B, "e"},   {0x11C, 0x123, "g"},   {0x124, 0x127, "h"},
    {0x128, 0x131, "i"},   {0x132, 0x133, "ij"},  {0x134, 0x135, "j"},   {0x136, 0x138, "k"},
    {0x139, 0x142, "l"},   {0x143, 0x14B, "n"},   {0x14C, 0x151, "o"},   {0x152, 0x153, "oe"},
    {0x154, 0x159, "r"},   {0x15A, 0x161, "s"},   {0x162, 0x167, "t"},   {0x168, 0x173, "u"},
    {0x174, 0x175, "w"},   {0x176, 0x178, "y"},   {0x179, 0x17E, "z"},   {0x17F, 0x17F, "s"},
    {0x1A0, 0x1A1, "o"},   {0x1AF, 0x1B0, "u"},   {0x1CD, 0x1CE, "a"},   {0x1CF, 0x1D0, "i"},
    {0x1D1, 0x1D2, "o"},   {0x1D3, 0x1DC, "u"},   {0x1E6, 0x1E7, "g"},   {0x1E8, 0x1E9, "k"},
    {0x1EA, 0x1ED, "o"},   {0x218, 0x219, "s"},   {0x21A, 0x21B, "t"},   {0x300, 0x36F, ""},
    {0x1E0A, 0x1E13, "d"}, {0x1E24, 0x1E2B, "h"}, {0x1E30, 0x1E35, "k"}, {0x1E36, 0x1E3D, "l"},
    {0x1E3E, 0x1E43, "m"}, {0x1E44, 0x1E4B, "n"}, {0x1E58, 0x1E5F, "r"}, {0x1E60, 0x1E69, "s"},
    {0x1E6A, 0x1E71, "t"}, {0x1E80, 0x1E89, "w"}, {0x1E90, 0x1E95, "z"}, {0x1EA0, 0x1EB7, "a"},
    {0x1EB8, 0x1EC7, "e"}, {0x1EC8, 0x1ECB, "i"}, {0x1ECC, 0x1EE3, "o"}, {0x1EE4, 0x1EF1, "u"},
    {0x1EF2, 0x1EF9, "y"},
};

std::optional<std::string_view> letters_of(std::uint32_t code) {
  const auto after = std::ranges::upper_bound(folded_ranges, code, {}, &FoldedRange::first);
  if (after == std::begin(folded_ranges) || code > (after - 1)->last) return {};
  return (after - 1)->letters;
}

// Of Greek and Cyrillic, where capitals stand at fixed distances from small letters.
std::uint32_t small_letter(std::uint32_t code) {
  if (code >= 0x391 && code <= 0x3A9) return code + 0x20;
  if (code >= 0x400 && code <= 0x40F) return code + 0x50;
  if (code >= 0x410 && code <= 0x42F) return code + 0x20;
  return code;
}

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no code point of two or three bytes begins here
};

// All letters above lie among the code points of two and three bytes.
Decoded decoded(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  if ((byte(0) & 0xE0U) == 0xC0U && follows(1))
    return {(byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU), 2};
  if ((byte(0) & 0xF0U) == 0xE0U && follows(1) && follows(2))
    return {(byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU), 3};
  return {};
}

void append_ascii(std::string& out, char c) {
  if (c == '<' || c == '>') return;
  out += c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string folded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded found = decoded(text);
    if (found.bytes == 0) {
      append_ascii(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::uint32_t small = small_letter(found.code);
    if (const auto letters = letters_of(found.code)) {
      out += *letters;
    } else if (small != found.code) {  // all of two bytes
      out += static_cast<char>(0xC0U | small >> 6);
      out += static_cast<char>(0x80U | (small & 0x3FU));
    } else {
      out += text.substr(0, found.bytes);
    }
    text.remove_prefix(found.bytes);
  }
  return out;
}

}  // namespace orrery
