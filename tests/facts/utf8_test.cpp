#include "facts/utf8.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(Utf8, AcceptsEveryWidth) {
  for (const char* text :
       {"", "plain", "Szymon Bogumi\xC5\x82", "a\xC2\xA0", "\xE2\x82\xAC", "\xED\x9F\xBF",
        "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesEveryFault) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xC2x", "\xE0\x80\xAF", "\xE0\x9F\xBF",
        "\xE2\x82", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF0\x90\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", "ok\xFEok"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Shown, QuotesShortensAndEscapes) {
  EXPECT_EQ(shown("plain"), "\"plain\"");
  EXPECT_EQ(shown("Bogumi\xC5\x82"), "\"Bogumi\xC5\x82\"");
  EXPECT_EQ(shown("a\tb\x1b[0m"), "\"a\\x09b\\x1b[0m\"");
  EXPECT_EQ(shown("bad\xFF"), "\"bad\\xff\"");
  const std::string shortened = shown(std::string(79, 'a') + "\xC5\x82 and more");
  EXPECT_EQ(shortened, "\"" + std::string(79, 'a') + "…\"");
  EXPECT_TRUE(is_utf8(shortened));
}

}  // namespace
}  // namespace orrery
