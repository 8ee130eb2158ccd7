#include "base/sha1.h"

#include <bit>
#include <cstdint>

namespace orrery {
namespace {

using State = ShaBlocks<5>::State;

void compress_block(State& state, const std::byte* bytes) {
  std::uint32_t w[80];
  for (int i = 0; i < 16; ++i) w[i] = sha_word(bytes + 4 * i);
  for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);

  std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  const auto rounds = [&](int begin, std::uint32_t constant, auto mixed) {
    for (int i = begin; i < begin + 20; ++i) {
      const std::uint32_t next = std::rotl(a, 5) + mixed(b, c, d) + e + constant + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
  };
  using Word = std::uint32_t;
  const auto choice = [](Word x, Word y, Word z) { return z ^ (x & (y ^ z)); };
  const auto parity = [](Word x, Word y, Word z) { return x ^ y ^ z; };
  const auto majority = [](Word x, Word y, Word z) { return (x & y) | (z & (x | y)); };
  rounds(0, 0x5a827999, choice);
  rounds(20, 0x6ed9eba1, parity);
  rounds(40, 0x8f1bbcdc, majority);
  rounds(60, 0xca62c1d6, parity);

  const State worked = {a, b, c, d, e};
  for (std::size_t i = 0; i < 5; ++i) state[i] += worked[i];
}

void compress(State& state, const std::byte* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += 64) compress_block(state, bytes);
}

}  // namespace

Sha1::Sha1() : blocks_({0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, compress) {}

}  // namespace orrery
