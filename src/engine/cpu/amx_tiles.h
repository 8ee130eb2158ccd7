// Whether a processor that announces AMX also describes its tiles, as oneDNN needs it to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace orrery::cpu {

using CpuidWords = std::array<std::uint32_t, 4>;  // eax, ebx, ecx, edx
using Cpuid = std::function<CpuidWords(std::uint32_t leaf, std::uint32_t part)>;

inline CpuidWords cpuid([[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint32_t part) {
  CpuidWords words{};
#if defined(__x86_64__) || defined(__i386__)
  __cpuid_count(leaf, part, words[0], words[1], words[2], words[3]);
#endif
  return words;
}

// Some virtual machines pass AMX's flags on, but not the leaf that says how large a tile is. oneDNN
// takes that leaf's zeros for tiles without rows, and its first product is an illegal instruction.
inline bool announces_tiles_unseen(const Cpuid& ask = cpuid) {
  constexpr std::uint32_t features = 7, tiles = 0x1d, palette = 1;
  constexpr std::uint32_t amx_tile = 1U << 24;
  const std::uint32_t last_leaf = ask(0, 0)[0];
  if (last_leaf < features || (ask(features, 0)[3] & amx_tile) == 0) return false;
  if (last_leaf < tiles || ask(tiles, 0)[0] < palette) return true;
  const CpuidWords described = ask(tiles, palette);
  const std::uint32_t bytes_per_row = described[1] & 0xffff, count = described[1] >> 16;
  const std::uint32_t rows = described[2] & 0xffff;
  return bytes_per_row == 0 || count == 0 || rows == 0;
}

}  // namespace orrery::cpu
