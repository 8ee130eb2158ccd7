// Where the CPU engine puts a row's reals.
#include "engine/cpu/layout.h"

#include <gtest/gtest.h>

#include <set>

namespace orrery::cpu {
namespace {

constexpr int algebra_sizes[] = {1, 2, 3, 4, 8};
constexpr int most_lanes = 70;

TEST(RowLayout, GivesEveryRealAPlaceOfItsOwn) {
  for (const int components : algebra_sizes)
    for (int lanes = 1; lanes <= most_lanes; ++lanes)
      for (const bool padded : {false, true}) {
        const RowLayout layout{components, lanes, padded};
        std::set<std::size_t> places;
        for (int c = 0; c < components; ++c)
          for (int l = 0; l < lanes; ++l) places.insert(layout.at(c, l));
        ASSERT_EQ(places.size(), static_cast<std::size_t>(components * lanes));
        ASSERT_LT(*places.rbegin(), layout.floats()) << components << " × " << lanes;
      }
}

// Products run over whole rows: of a lane that is alone in its block they once made sixteen.
TEST(RowLayout, EndsWithinACacheLineOfTheLastReal) {
  for (const int components : algebra_sizes)
    for (int lanes = 1; lanes <= most_lanes; ++lanes) {
      const std::size_t floats = RowLayout{components, lanes}.floats();
      const auto reals = static_cast<std::size_t>(components * lanes);
      ASSERT_GE(floats, reals);
      ASSERT_LT(floats, reals + line_floats) << components << " × " << lanes;
      ASSERT_EQ(floats % line_floats, 0U);
    }
}

TEST(RowLayout, OfWholeBlocksIsTheSameWithAndWithoutPadding) {
  for (const int components : algebra_sizes)
    for (const int lanes : {16, 32, 64}) {
      const RowLayout narrow{components, lanes}, padded{components, lanes, true};
      ASSERT_EQ(narrow.floats(), padded.floats());
      for (int c = 0; c < components; ++c)
        for (int l = 0; l < lanes; ++l) {
          ASSERT_EQ(narrow.at(c, l), padded.at(c, l));
          ASSERT_EQ(narrow.at(c, l),
                    static_cast<std::size_t>(l / 16 * 16 * components + c * 16 + l % 16));
        }
    }
}

// Lines that lie pages apart share a place in the cache: products of 1,024 reals a row were slower
// than those of 1,040.
TEST(RowLayout, RowsNeverLieWholePagesApart) {
  for (const int lanes : {128, 256, 512, 129}) {
    const RowLayout layout{8, lanes};
    EXPECT_NE(layout.floats() % 1024, 0U) << lanes;
    EXPECT_LE(layout.width(), layout.floats());
    EXPECT_LT(layout.floats(), static_cast<std::size_t>(8 * lanes) + 2 * line_floats);
  }
  EXPECT_EQ((RowLayout{8, 128}.width()), 1024U);
  EXPECT_EQ(spaced(8'192), 8'208U);
  EXPECT_EQ(spaced(8'193), 8'208U);
  EXPECT_EQ(spaced(7'128), 7'136U);
}

}  // namespace
}  // namespace orrery::cpu
