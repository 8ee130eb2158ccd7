#include "engine/cpu/amx_tiles.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace orrery::cpu {
namespace {

using Leaves = std::map<std::pair<std::uint32_t, std::uint32_t>, CpuidWords>;

bool unseen(const Leaves& leaves) {
  return announces_tiles_unseen([&](std::uint32_t leaf, std::uint32_t part) {
    const auto found = leaves.find({leaf, part});
    return found == leaves.end() ? CpuidWords{} : found->second;
  });
}

constexpr std::uint32_t amx = 1U << 24;
constexpr CpuidWords eight_tiles{(1024U << 16) | 8192, (8U << 16) | 64, 16, 0};

TEST(AmxTiles, AreFineWhereTheyAreDescribed) {
  EXPECT_FALSE(unseen(
      {{{0, 0}, {0x20}}, {{7, 0}, {0, 0, 0, amx}}, {{0x1d, 0}, {1}}, {{0x1d, 1}, eight_tiles}}));
}

TEST(AmxTiles, AreNoMatterWhereThereIsNoAmx) {
  EXPECT_FALSE(unseen({{{0, 0}, {0x20}}, {{7, 0}, {0, 0, 0, ~amx}}}));
  EXPECT_FALSE(unseen({{{0, 0}, {6}}, {{7, 0}, {0, 0, 0, amx}}}));
  EXPECT_FALSE(unseen({}));
}

TEST(AmxTiles, AreUnseenWhereAVirtualMachineHidesTheirLeaf) {
  EXPECT_TRUE(unseen({{{0, 0}, {0x1c}}, {{7, 0}, {0, 0, 0, amx}}}));
  EXPECT_TRUE(unseen({{{0, 0}, {0x20}}, {{7, 0}, {0, 0, 0, amx}}}));
  EXPECT_TRUE(unseen({{{0, 0}, {0x20}}, {{7, 0}, {0, 0, 0, amx}}, {{0x1d, 0}, {1}}}));
  // A leaf beyond the last one is answered with what the last one says.
  EXPECT_TRUE(unseen(
      {{{0, 0}, {0x1c}}, {{7, 0}, {0, 0, 0, amx}}, {{0x1d, 0}, {1}}, {{0x1d, 1}, eight_tiles}}));
}

}  // namespace
}  // namespace orrery::cpu
