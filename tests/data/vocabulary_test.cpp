#include "data/vocabulary.h"

#include <gtest/gtest.h>

#include "base/spelling.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

Vocabulary countries() {
  return Vocabulary({"<Barack_Obama>", "Angela Merkel", "Citizen (India)",
                     "Foreign Affairs (France)", "France", "Germany", "North Korea", "South Korea",
                     "Xi Jinping"});
}

TEST(Vocabulary, FindsExactNamesOnly) {
  const Vocabulary names = countries();
  for (std::int32_t i = 0; i < names.size(); ++i) EXPECT_EQ(names.find(names.name(i)), i);
  EXPECT_FALSE(names.find("france"));
  EXPECT_FALSE(names.find("France "));
  EXPECT_FALSE(names.find(""));
  EXPECT_FALSE(Vocabulary().find("France"));
}

TEST(Vocabulary, RefusesUnsortedAndRepeatedNames) {
  EXPECT_THROW(Vocabulary({"b", "a"}), Error);
  EXPECT_THROW(Vocabulary({"a", "a"}), Error);
}

TEST(Vocabulary, SuggestsByCaseTyposAndWords) {
  const Vocabulary names = countries();
  EXPECT_EQ(names.suggestions("france").front(), "France");
  EXPECT_EQ(names.suggestions("Grmany").front(), "Germany");
  EXPECT_EQ(names.suggestions("Xi Jnipnig").front(), "Xi Jinping");
  EXPECT_EQ(names.suggestions("barack obama").front(), "<Barack_Obama>");
  EXPECT_EQ(names.suggestions("Merkel").front(), "Angela Merkel");
  EXPECT_EQ(names.suggestions("Foreign Minister France").front(), "Foreign Affairs (France)");
  EXPECT_EQ(names.suggestions("Korea").size(), 2U);
  EXPECT_EQ(names.suggestions("Korea", 1).size(), 1U);
  EXPECT_TRUE(names.suggestions("zzzzzz").empty());
}

TEST(Vocabulary, RequireNamesTheNearest) {
  const Vocabulary names = countries();
  EXPECT_EQ(names.require("France", "entity"), 4);
  const Error error = caught([&] { names.require("Frnace", "entity"); });
  EXPECT_EQ(error.message(), "there is no entity \"Frnace\"");
  EXPECT_EQ(error.advice(), "did you mean \"France\"?");
  EXPECT_TRUE(
      contains(refused([&] { names.require("zzzzzz", "relation"); }), "relation \"zzzzzz\""));
}

TEST(EditDistance, CountsEditsAndExchanges) {
  EXPECT_EQ(edit_distance("", "", 5), 0U);
  EXPECT_EQ(edit_distance("abc", "abc", 5), 0U);
  EXPECT_EQ(edit_distance("abc", "", 5), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3U);
  EXPECT_EQ(edit_distance("ab", "ba", 5), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("a", "abcdefgh", 2), 3U);
}

}  // namespace
}  // namespace orrery
