#include "facts/utf8.h"

#include <fmt/format.h>

#include <cstddef>

namespace orrery {

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    int following = 0;
    // The first byte that follows has a narrower range after some leads: that is what rules out
    // overlong forms (E0, F0), surrogates (ED) and too large code points (F4).
    unsigned char lowest = 0x80, highest = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      following = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      following = 2;
      if (lead == 0xE0) lowest = 0xA0;
      if (lead == 0xED) highest = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      following = 3;
      if (lead == 0xF0) lowest = 0x90;
      if (lead == 0xF4) highest = 0x8F;
    } else {
      return false;
    }
    for (; following > 0; --following) {
      if (i == text.size()) return false;
      const auto next = static_cast<unsigned char>(text[i++]);
      if (next < lowest || next > highest) return false;
      lowest = 0x80;
      highest = 0xBF;
    }
  }
  return true;
}

std::string shown(std::string_view text) {
  constexpr std::size_t most_bytes = 80;
  const bool shortened = text.size() > most_bytes;
  if (shortened) {
    text = text.substr(0, most_bytes);
    // Not in the middle of a character.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) {
      text.remove_suffix(1);
    }
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.remove_suffix(1);
  }
  const bool readable = is_utf8(text);
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !readable)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result.push_back(c);
    }
  }
  return result + (shortened ? "…\"" : "\"");
}

}  // namespace orrery
