#include "page/text_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace orrery {
namespace {

TEST(TextTable, IsMarkdownToo) {
  TextTable table({"model", "MRR"});
  table.add({"a|b", "55.83 ± 0.12"});
  EXPECT_EQ(table.markdown(), "| model | MRR |\n|---|---:|\n| a\\|b | 55.83 ± 0.12 |\n");
}

TEST(TextTable, ARowOfAnotherLengthIsRefused) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.add({"1"}), Error);
}

TEST(TextTable, NumbersAndNames) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(38412000), "38,412,000");
  EXPECT_EQ(grouped(std::uint64_t{38412000}), "38,412,000");
  EXPECT_EQ(counted(0, "fact"), "0 facts");
  EXPECT_EQ(counted(1, "fact"), "1 fact");
  EXPECT_EQ(counted(std::uint64_t{17926}, "fact"), "17,926 facts");
  EXPECT_EQ(counted(1, "entity"), "1 entity");
  EXPECT_EQ(counted(2, "entity"), "2 entities");
  EXPECT_EQ(counted(2, "day"), "2 days");
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(percent(0.558349), "55.83");
  EXPECT_EQ(percent(1), "100.00");
  EXPECT_EQ(printable("tab\there\x7f\xc2\x9b"), "tab?here??");
  EXPECT_EQ(printable("ends in\xc2\xa0"), "ends in\xc2\xa0");
}

}  // namespace
}  // namespace orrery
