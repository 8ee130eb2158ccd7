#include "http/name_index.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

using Names = std::vector<std::string_view>;

const std::vector<std::string> some = {"Barack Obama", "Great Britain", "Market_of_Obar", "Oba",
                                       "Obama",        "Robar",         "Zoë Ångström",   "foobar"};

TEST(NameIndex, BeginningsComeBeforeWordsAndThoseBeforeTheRest) {
  const NameIndex index(some);
  const auto found = index.find("oba", 10);
  EXPECT_EQ(found.names,
            (Names{"Oba", "Obama", "Barack Obama", "Market_of_Obar", "Robar", "foobar"}));
  EXPECT_FALSE(found.more);
}

TEST(NameIndex, CaseAndAccentsMakeNoDifference) {
  const NameIndex index(some);
  for (const char* typed : {"angstrom", "ÅNGSTRÖM", "zoe å", "ZOË"})
    EXPECT_EQ(index.find(typed, 10).names, Names{"Zoë Ångström"}) << typed;
  EXPECT_EQ(index.find("market of", 10).names, Names{"Market_of_Obar"});
}

TEST(NameIndex, AWholeNameIsFound) {
  const NameIndex index(some);
  EXPECT_EQ(*index.exact("Oba"), "Oba");
  EXPECT_EQ(*index.exact("zoe angstrom"), "Zoë Ångström");
  EXPECT_EQ(index.exact("Ob"), nullptr);
}

TEST(NameIndex, TellsWhenThereAreMore) {
  const NameIndex index(some);
  const auto two = index.find("oba", 2);
  EXPECT_EQ(two.names, (Names{"Oba", "Obama"}));
  EXPECT_TRUE(two.more);
  EXPECT_FALSE(index.find("oba", 6).more);
  EXPECT_TRUE(index.find("oba", 5).more);
  const auto all = index.find("", 3);
  EXPECT_EQ(all.names, (Names{"Barack Obama", "Great Britain", "Market_of_Obar"}));
  EXPECT_TRUE(all.more);
  EXPECT_TRUE(index.find("nobody", 3).names.empty());
}

}  // namespace
}  // namespace orrery
