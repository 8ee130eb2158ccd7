#include "facts/encoding.h"

#include <gtest/gtest.h>

#include "facts/fact_reader.h"
#include "facts/scratch.h"
#include "facts/text_source.h"

namespace orrery {
namespace {

using testing::contains;
using testing::TextSource;
using namespace std::string_literals;

Utf8Text converted(std::string bytes, std::size_t at_once = 1 << 16) {
  auto source = std::make_unique<TextSource>(std::move(bytes), at_once);
  return as_utf8(std::make_unique<HeadBytes>(std::move(source)), "f.csv");
}

std::string all_of(Utf8Text text, std::size_t at_once = 1 << 16) {
  std::string all, block(at_once, '\0');
  while (const std::size_t got = text.bytes->read(block)) all += block.substr(0, got);
  return all;
}

std::string utf16(std::u16string_view text, bool big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

TEST(Encoding, Utf16WithAMarkIsConverted) {
  const std::u16string wide = u"a;Zürich;東京;𝄞;\n";
  const std::string narrow = "a;Zürich;東京;𝄞;\n";
  for (const bool big : {false, true}) {
    const std::string bytes = utf16(u"\uFEFF" + wide, big);
    for (const std::size_t at_once : {1, 2, 3, 1000}) {
      Utf8Text text = converted(bytes, at_once);
      EXPECT_EQ(name_of(text.encoding), big ? "UTF-16BE" : "UTF-16LE");
      EXPECT_EQ(all_of(std::move(text), at_once), narrow);
    }
  }
  // Longer than the blocks in which it is converted.
  std::u16string many;
  std::string expected;
  for (int i = 0; i < 50'000; ++i) {
    many += u"é𝄞";
    expected += "é𝄞";
  }
  EXPECT_EQ(all_of(converted(utf16(u"\uFEFF" + many, false)), 1001), expected);
}

TEST(Encoding, TheMarkOfUtf8IsLeftOut) {
  EXPECT_EQ(all_of(converted("\xEF\xBB\xBF"
                             "a")),
            "a");
  EXPECT_EQ(all_of(converted("")), "");
}

TEST(Encoding, DamagedUtf16IsRefused) {
  for (const std::string& damaged :
       {utf16(u"\uFEFFab", false) + "x", utf16(u"\uFEFFa\xD800", false),
        utf16(u"\uFEFF\xDC00", true), utf16(u"\uFEFF\xD800z", true)}) {
    const Error error = caught([&] { all_of(converted(damaged)); });
    EXPECT_TRUE(contains(error.message(), "UTF-16 text is damaged")) << error.what();
    EXPECT_EQ(error.place(), Place{"f.csv"});
  }
}

TEST(Encoding, WhatCannotBeToldIsRefusedByName) {
  const auto refused = [](const std::string& bytes) {
    return testing::refused([&] { converted(bytes); });
  };
  EXPECT_TRUE(contains(refused(utf16(u"a,r,b,2014\n", false)),
                       "UTF-16 without a byte order mark; convert it: iconv -f UTF-16LE -t UTF-8"));
  EXPECT_TRUE(contains(refused(utf16(u"a,r,b,2014\n", true)), "iconv -f UTF-16BE"));
  EXPECT_TRUE(contains(refused("\xFF\xFE\0\0a\0\0\0"s), "is UTF-32"));
}

TEST(Encoding, Windows1252IsRefusedWithTheLine) {
  const Error error = caught([] { converted("s,p,o,date\na,r,M\xFCller,2014\n"); });
  EXPECT_EQ(error.place(), (Place{"f.csv", 2}));
  EXPECT_TRUE(contains(error.message(), "\"M\\xfcller\" is not UTF-8")) << error.message();
  EXPECT_TRUE(contains(error.message(), "Windows-1252"));
  EXPECT_TRUE(contains(error.advice(), "iconv -f WINDOWS-1252 -t UTF-8 f.csv >"));
  // A stray byte in a text of UTF-8 is a matter of its line.
  EXPECT_EQ(all_of(converted("a,r,Müller,2014\nb,r,M\xFCller,2014\n")).size(), 33U);
  EXPECT_EQ(all_of(converted("a\tr\t\xFF\t2014\n")), "a\tr\t\xFF\t2014\n");
}

TEST(Encoding, FactsComeOutOfUtf16) {
  const testing::ScratchDirectory scratch;
  const auto path = scratch.write(
      "f.csv", utf16(u"\uFEFFSubjekt;Beziehung;Objekt;Datum\nJürg;kennt;b;2014\n", true));
  SetColumns set;
  FactReader reader(path, set);
  ASSERT_EQ(reader.next(), FactReader::Outcome::fact);
  EXPECT_EQ(reader.fact().subject, "Jürg");
  EXPECT_EQ(reader.understood().encoding, "UTF-16BE");
}

TEST(Encoding, NamesAsAShellTakesThem) {
  EXPECT_EQ(in_shell("d/f-1_a.csv"), "d/f-1_a.csv");
  EXPECT_EQ(in_shell("my facts.csv"), "'my facts.csv'");
  EXPECT_EQ(in_shell("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace orrery
