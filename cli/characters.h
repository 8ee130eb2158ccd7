// Text is cut between characters, of which one may be several bytes of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery {

// Where the character begins that byte `at` of `text` belongs to; `at` itself in what is no UTF-8.
inline std::size_t character_begin(std::string_view text, std::size_t at) {
  constexpr std::size_t most_bytes = 4;
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  std::size_t begin = at;
  while (begin > 0 && at - begin < most_bytes && continues(begin)) --begin;
  return continues(begin) ? at : begin;
}

}  // namespace orrery
