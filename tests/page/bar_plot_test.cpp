#include "page/bar_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "page/text_width.h"

namespace orrery {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

TEST(BarPlot, StandsOnAnAxisWithItsLargestValue) {
  const auto lines = lines_of(bar_plot({0, 3, 6}, "2014", "2016", {.columns = 80}));
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines[0], "         6 |            #####");
  EXPECT_EQ(lines[3], "           |      ##### #####");
  EXPECT_EQ(lines[6], "         0 +------------------");
  EXPECT_EQ(lines[7], "            2014          2016");
}

TEST(BarPlot, BlocksShowEighthsOfALine) {
  const auto lines = lines_of(bar_plot({48, 1, 4}, "a", "b", {.columns = 16, .blocks = true}));
  EXPECT_EQ(lines[5], "           │█▁▄");
  EXPECT_EQ(lines[0], "        48 │█");
}

TEST(BarPlot, FitsEveryWidth) {
  for (const bool blocks : {false, true}) {
    for (const std::size_t columns : {0U, 1U, 13U, 20U, 40U, 80U, 200U}) {
      const TextForm form{.columns = columns, .blocks = blocks};
      const std::vector<double> values(bars_that_fit(form), 7);
      const std::string text = bar_plot(values, "1", "2", form);
      EXPECT_EQ(is_ascii(text), !blocks);
      for (const std::string& line : lines_of(text))
        EXPECT_LE(columns_of(line), std::max<std::size_t>(columns, 15)) << columns;
    }
  }
}

TEST(BarPlot, SmallValuesAreSeenAndOddOnesDoNoHarm) {
  const auto lines = lines_of(bar_plot({1e9, 1, 0}, "a", "b", {.columns = 16}));
  EXPECT_EQ(lines[5], "           |##") << "one fact is not none";
  EXPECT_EQ(bar_plot({}, "a", "b", {}), "");
  EXPECT_EQ(lines_of(bar_plot({0, 0}, "a", "b", {})).size(), 8U);
  EXPECT_EQ(lines_of(bar_plot({5}, "only", "only", {})).back(), "            only");
}

}  // namespace
}  // namespace orrery
