#include "base/toml_line.h"

#include <gtest/gtest.h>

#include <limits>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

template <class Value>
Value read(const std::string& written) {
  Value value{};
  read_toml_value({"f.toml", 7, "name", written}, value);
  return value;
}

template <class Value>
void expect_refused(const std::string& written) {
  const Error error = caught([&] { read<Value>(written); });
  EXPECT_EQ(error.option(), "name");
  EXPECT_EQ(error.place(), (Place{"f.toml", 7}));
  EXPECT_TRUE(error.message().starts_with("name = " + written + " is not ")) << error.what();
}

TEST(ConfigLine, CommentsBlanksAndCarriageReturnsAreNoText) {
  const auto lines = toml_lines("# all\n\n  a = 1 # one\r\nb=\"x # y\"\t# \"z\"\n\tc = \n", "f");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].name, "a");
  EXPECT_EQ(lines[0].value, "1");
  EXPECT_EQ(lines[0].number, 3U);
  EXPECT_EQ(lines[1].value, "\"x # y\"");
  EXPECT_EQ(lines[2].value, "");
  EXPECT_EQ(lines[2].number, 5U);
}

TEST(ConfigLine, AMarkOfUtf8IsSkippedAndUtf16RefusedByName) {
  const auto lines = toml_lines(
      "\xef\xbb\xbf"
      "a = 1\n",
      "f");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].name, "a");
  EXPECT_TRUE(toml_lines("\xef\xbb\xbf", "f").empty());
  using namespace std::string_view_literals;
  for (const auto text : {"\xff\xfe"
                          "a\0=\0"sv,
                          "\xfe\xff\0a\0="sv, "a\0=\0"sv, "\0a\0="sv, "\xff\xfe"sv})
    EXPECT_EQ(refused([&] { toml_lines(text, "f"); }), "f: is UTF-16; save it as UTF-8");
}

TEST(ConfigLine, WithoutANameOrAnEqualsSignALineIsRefused) {
  EXPECT_EQ(refused([] { toml_lines("a = 1\nnonsense\n", "f"); }),
            "f:2: 'nonsense' is not of the form name = value");
  EXPECT_TRUE(contains(refused([] { toml_lines(" = 4", "f"); }), "f:1:"));
  EXPECT_TRUE(contains(refused([] { toml_lines("[table]", "f"); }), "f:1:"));
}

TEST(ConfigLine, EveryTextComesBack) {
  for (const std::string text : {"", "plain", "a \"quoted\" one", "back\\slash\\",
                                 "two\nlines\tand a tab", "日本 # x = y", " spaces ", "\\n"}) {
    EXPECT_EQ(read<std::string>(toml_value(text)), text);
    const auto lines = toml_lines("t = " + toml_value(text) + " # why\n", "f");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].value, toml_value(text));
  }
  const std::vector<std::string> list = {"a, b", "", "\"", "c]"};
  EXPECT_EQ(read<std::vector<std::string>>(toml_value(list)), list);
  EXPECT_TRUE(read<std::vector<std::string>>("[]").empty());
  EXPECT_EQ(read<std::vector<std::string>>("[ \"a\" , \"b\", ]").size(), 2U);
}

TEST(ConfigLine, EveryNumberComesBackExactly) {
  for (const double number : {0.1, 1e-300, 1.0 / 3, 1e9, -0.0, 0x1.fffffffffffffp+1023, 5e-324})
    EXPECT_EQ(read<double>(toml_value(number)), number);
  EXPECT_EQ(read<double>("3"), 3);
  using Int = std::int64_t;
  for (const Int number : {std::numeric_limits<Int>::min(), Int{0}, Int{-7}})
    EXPECT_EQ(read<Int>(toml_value(number)), number);
  const auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(read<std::uint64_t>(toml_value(most)), most);
  EXPECT_TRUE(read<bool>(toml_value(true)));
  EXPECT_FALSE(read<bool>(toml_value(false)));
}

TEST(ConfigLine, WhatIsNoValueOfTheKindIsRefusedWithItsLine) {
  for (const auto* text : {"plain", "\"open", "\"bad \\x\"", "\"a\" b", "\"ends in \\", "", "1"})
    expect_refused<std::string>(text);
  for (const auto* number : {"", "1.5", "0x10", "1 2", "9223372036854775808", "\"1\"", "+1"})
    expect_refused<std::int64_t>(number);
  for (const auto* number : {"-1", "18446744073709551616", "1e3"})
    expect_refused<std::uint64_t>(number);
  for (const auto* number : {"", "one", "1,5", "1e999"}) expect_refused<double>(number);
  for (const auto* flag : {"", "yes", "1", "TRUE"}) expect_refused<bool>(flag);
  for (const auto* list : {"", "[", "\"a\"", "[a]", "[\"a\" \"b\"]", "[\"a\"", "[,]", "[\"]"})
    expect_refused<std::vector<std::string>>(list);
}

TEST(ConfigLine, AListOfAnythingGivesItsValuesAsWritten) {
  using Texts = std::vector<std::string>;
  const auto elements = [](const std::string& written) {
    return toml_elements({"f.toml", 7, "name", written});
  };
  EXPECT_EQ(elements("[0, 0.1 ,1e-3]"), (Texts{"0", "0.1", "1e-3"}));
  EXPECT_EQ(elements("[ \"a, b\", \"c]\", \"\\\",\", ]"),
            (Texts{"\"a, b\"", "\"c]\"", "\"\\\",\""}));
  EXPECT_TRUE(elements("[]").empty());
  for (const auto* list : {"[1,,2]", "[,]", "[ , 1]", "1, 2", "[1", "", "["})
    EXPECT_TRUE(contains(refused([&] { elements(list); }), "f.toml:7: name = ")) << list;
}

}  // namespace
}  // namespace orrery
