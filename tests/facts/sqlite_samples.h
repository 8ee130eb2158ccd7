// Two small SQLite files, so that the tests need no SQLite to write them: bytes in hexadecimal,
// "zN;" for N zero bytes.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace orrery::testing {

// log(who, what, whom, day) with two rows, and meta(key, value).
inline constexpr std::string_view journal_database =
    "53514c69746520666f726d61742033000200010100402020z3;04z3;03z11;03z3;04z11;01z35;04002e63010"
    "dz3;02017b0001ae017bz267;31020617151501477461626c656d6574616d65746103435245415445205441424"
    "c45206d657461286b65792c2076616c7565295001071713130181077461626c656c6f676c6f670243524541544"
    "5205441424c45206c6f672877686f20746578742c207768617420746578742c2077686f6d20746578742c20646"
    "17920696e7465676572290dz3;0201d20001ea01d2z454;160205151f000442c3a96177726974657320746f013"
    "3518a140105131713044164616d6565747342656e013351890dz4;02z506;";
// a(x, y, z) and b(u, v, w), both empty.
inline constexpr std::string_view two_tables_database =
    "53514c69746520666f726d61742033000200010100402020z3;03z3;03z11;03z3;04z11;01z35;03002e63010"
    "dz3;0201b60001db01b6z326;230206170f0f01377461626c65626203435245415445205441424c45206228752"
    "c762c7729230106170f0f01377461626c65616102435245415445205441424c45206128782c792c7a290dz4;02"
    "z506;0dz4;02z506;";

inline std::string unhex(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    if (text.front() == 'z') {
      const std::size_t end = text.find(';');
      std::size_t zeros = 0;
      std::from_chars(text.data() + 1, text.data() + end, zeros);
      bytes.append(zeros, '\0');
      text.remove_prefix(end + 1);
    } else {
      unsigned byte = 0;
      std::from_chars(text.data(), text.data() + 2, byte, 16);
      bytes.push_back(static_cast<char>(byte));
      text.remove_prefix(2);
    }
  }
  return bytes;
}

}  // namespace orrery::testing
