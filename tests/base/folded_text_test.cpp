#include "base/folded_text.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(FoldedText, CaseAccentsUnderscoresAndBracketsMakeNoDifference) {
  EXPECT_EQ(folded("<Barack_OBAMA>"), "barack obama");
  EXPECT_EQ(folded("São Tomé"), "sao tome");
  EXPECT_EQ(folded("Łódź"), "lodz");
  EXPECT_EQ(folded("Straße Øresund Æsir Þór"), "strasse oresund aesir thor");
  EXPECT_EQ(folded("Nguyễn Đình"), "nguyen dinh");
  EXPECT_EQ(folded("e\u0301"), "e") << "a letter and its accent as two code points";
}

TEST(FoldedText, OtherScriptsKeepTheirLettersAndLoseTheirCase) {
  EXPECT_EQ(folded("ΑΘΗΝΑ"), "αθηνα");
  EXPECT_EQ(folded("МОСКВА Ёлка"), "москва ёлка");
  EXPECT_EQ(folded("北京 🌍 القاهرة"), "北京 🌍 القاهرة");
}

TEST(FoldedText, BytesThatAreNoTextStay) {
  EXPECT_EQ(folded("\xC3"), "\xC3");
  EXPECT_EQ(folded("a\xFF\xE2\x82"), "a\xFF\xE2\x82");
  EXPECT_EQ(folded(""), "");
}

}  // namespace
}  // namespace orrery
