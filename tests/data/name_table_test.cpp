#include "data/name_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"

namespace orrery {
namespace {

TEST(NameTable, NumbersInOrderOfFirstSight) {
  NameTable table;
  EXPECT_EQ(table.find("a"), NameTable::absent);
  EXPECT_EQ(table.add("a"), 0);
  EXPECT_EQ(table.add(""), 1);
  EXPECT_EQ(table.add(std::string_view("a\0", 2)), 2);
  EXPECT_EQ(table.find("a"), 0);
  EXPECT_EQ(table.find(""), 1);
  EXPECT_EQ(table.find(std::string_view("a\0", 2)), 2);
  EXPECT_EQ(table.find(std::string_view("a\0\0", 3)), NameTable::absent);
  EXPECT_EQ(table.name(2), std::string_view("a\0", 2));
  EXPECT_EQ(table.size(), 3);
}

TEST(NameTable, AgreesWithAMapThroughManyGrowths) {
  NameTable table;
  std::map<std::string, std::int32_t> truth;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    const std::string name = "name " + std::to_string(random_below(3, i, 20'000)) +
                             std::string(random_below(4, i, 3), 'x');
    std::int32_t id = table.find(name);
    const auto known = truth.find(name);
    ASSERT_EQ(id, known == truth.end() ? NameTable::absent : known->second);
    if (id == NameTable::absent) truth[name] = table.add(name);
  }
  ASSERT_EQ(table.size(), static_cast<std::int32_t>(truth.size()));
  for (const auto& [name, id] : truth) EXPECT_EQ(table.name(id), name);
}

}  // namespace
}  // namespace orrery
