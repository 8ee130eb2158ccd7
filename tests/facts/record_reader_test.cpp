#include "facts/record_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "facts/scratch.h"
#include "facts/text_source.h"

namespace orrery {
namespace {

using testing::contains;
using testing::TextSource;

LineReader lines_of(std::string text, std::size_t at_once = 1 << 16) {
  return {std::make_unique<TextSource>(std::move(text), at_once), "a text"};
}

std::unique_ptr<RecordReader> read_plain(LineReader lines) {
  return read_table(std::move(lines), {'\t', false});
}
std::unique_ptr<RecordReader> read_quoted(LineReader lines) {
  return read_table(std::move(lines), {',', true});
}

struct Line {
  std::uint64_t number;
  std::vector<std::string> fields;  // or "!" and the problem
  friend bool operator==(const Line&, const Line&) = default;
};

std::vector<Line> all(std::unique_ptr<RecordReader> reader) {
  std::vector<Line> lines;
  Record record;
  while (reader->next(record)) {
    if (record.problem != nullptr) {
      lines.push_back({record.line, {"!", record.problem}});
      continue;
    }
    lines.push_back({record.line, {record.fields.begin(), record.fields.end()}});
  }
  return lines;
}

std::vector<Line> tsv(std::string text) { return all(read_plain(lines_of(std::move(text)))); }
std::vector<Line> csv(std::string text) { return all(read_quoted(lines_of(std::move(text)))); }

using Lines = std::vector<Line>;

TEST(Tsv, SplitsOnTabsAlone) {
  EXPECT_EQ(tsv("a\tb c\td  e\t2014\n"), (Lines{{1, {"a", "b c", "d  e", "2014"}}}));
  EXPECT_EQ(tsv("name\xC2\xA0\t \"x\",y \t\n"), (Lines{{1, {"name\xC2\xA0", " \"x\",y ", ""}}}));
}

TEST(Tsv, TakesOffTheLineEndAndNoMore) {
  EXPECT_EQ(tsv("a\tb\r\nc\td \n\te\r"),
            (Lines{{1, {"a", "b"}}, {2, {"c", "d "}}, {3, {"", "e\r"}}}));
  EXPECT_EQ(tsv("a\r\r\n\n"), (Lines{{1, {"a\r"}}, {2, {}}}));
  EXPECT_EQ(tsv(""), Lines{});
}

TEST(Tsv, SkipsAByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(tsv("\xEF\xBB\xBF"
                "a\n\xEF\xBB\xBF"
                "b\n"),
            (Lines{{1, {"a"}},
                   {2,
                    {"\xEF\xBB\xBF"
                     "b"}}}));
  EXPECT_EQ(tsv("\xEF\xBB"), (Lines{{1, {"\xEF\xBB"}}}));
}

TEST(Table, SelectedColumnsComeInTheOrderAskedFor) {
  for (const bool quotes : {false, true}) {
    auto reader = read_table(lines_of("1|2|3|4|5|6|7|8\na|b\n\n|||||x|\n"), {'|', quotes});
    reader->select(std::vector<std::size_t>{5, 0});
    Record record;
    ASSERT_TRUE(reader->next(record));
    EXPECT_EQ(record.count, 8U);
    EXPECT_EQ(record.fields, (std::vector<std::string_view>{"6", "1"}));
    // What a short line lacks is empty, and the count tells.
    ASSERT_TRUE(reader->next(record));
    EXPECT_EQ(record.count, 2U);
    EXPECT_EQ(record.fields, (std::vector<std::string_view>{"", "a"}));
    ASSERT_TRUE(reader->next(record));
    EXPECT_TRUE(record.blank());
    ASSERT_TRUE(reader->next(record));
    EXPECT_FALSE(record.blank());
    EXPECT_EQ(record.fields, (std::vector<std::string_view>{"x", ""}));
    EXPECT_FALSE(reader->next(record));
  }
}

TEST(Table, SelectingAfterTheFirstRowHoldsFromTheNext) {
  auto reader = read_table(lines_of("a;b;c\n1;\"2;\";3\n"), {';', true});
  Record record;
  ASSERT_TRUE(reader->next(record));
  EXPECT_EQ(record.fields.size(), 3U);
  reader->select(std::vector<std::size_t>{1});
  ASSERT_TRUE(reader->next(record));
  EXPECT_EQ(record.fields, (std::vector<std::string_view>{"2;"}));
}

TEST(Tsv, AnyBlockSizeGivesTheSameLines) {
  std::string text;
  Lines expected;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string field(random_below(1, i, 40), static_cast<char>('a' + i % 26));
    text += field + "\t" + field + "\n";
    expected.push_back({i + 1, {field, field}});
  }
  for (const std::size_t at_once : {1, 2, 3, 17, 1000}) {
    EXPECT_EQ(all(read_plain(lines_of(text, at_once))), expected) << at_once;
  }
}

TEST(Tsv, LinesAcrossManyBlocks) {
  // Twelve megabytes: the reader's buffer is refilled in the middle of lines.
  std::string text;
  const std::size_t count = 30'000;
  for (std::size_t i = 0; i < count; ++i) {
    text += std::to_string(i) + "\t" + std::string(400, 'x') + "\n";
  }
  auto reader = read_plain(lines_of(std::move(text), 1'000'003));
  Record record;
  std::size_t i = 0;
  for (; reader->next(record); ++i) {
    ASSERT_EQ(record.count, 2U);
    ASSERT_EQ(record.fields[0], std::to_string(i));
    ASSERT_EQ(record.fields[1].size(), 400U);
    ASSERT_EQ(record.line, i + 1);
  }
  EXPECT_EQ(i, count);
}

TEST(Tsv, AFileWithoutLineEndsIsRefused) {
  const Error error = caught([] { tsv("a\tb\n" + std::string(9'000'000, 'x')); });
  EXPECT_EQ(error.place(), (Place{"a text", 2}));
  EXPECT_TRUE(contains(error.message(), "the line is longer")) << error.what();
}

TEST(Csv, PlainAndQuotedFields) {
  EXPECT_EQ(csv("a,b c,,d\n"), (Lines{{1, {"a", "b c", "", "d"}}}));
  EXPECT_EQ(csv("\"a,b\",\"say \"\"hi\"\"\",\"\",x\r\n"),
            (Lines{{1, {"a,b", "say \"hi\"", "", "x"}}}));
  EXPECT_EQ(csv("\"\"\"\",\"a\"\"\",\"\"\"b\"\n"), (Lines{{1, {"\"", "a\"", "\"b"}}}));
  EXPECT_EQ(csv("a,\n,b"), (Lines{{1, {"a", ""}}, {2, {"", "b"}}}));
  EXPECT_EQ(csv("\xEF\xBB\xBF\"a\",b\n"), (Lines{{1, {"a", "b"}}}));
}

TEST(Csv, SpacesAroundAFieldAreNotPartOfIt) {
  EXPECT_EQ(csv(" a , b c ,d\n"), (Lines{{1, {"a", "b c", "d"}}}));
  EXPECT_EQ(csv("a, \"b, c\" , \" d \"\n"), (Lines{{1, {"a", "b, c", " d "}}}));
  EXPECT_EQ(csv("a\xC2\xA0,\xC2\xA0 b\n"), (Lines{{1, {"a\xC2\xA0", "\xC2\xA0 b"}}}));
  EXPECT_EQ(csv("a,  \n  \n"), (Lines{{1, {"a", ""}}, {2, {}}}));
}

TEST(Csv, QuotedFieldsHoldLineEnds) {
  const std::string text = "\"one\ntwo\r\nthree\",b\nc,d\n\"\n\",\"\"\"\n\"\"\"\ne,f";
  const Lines expected = {
      {1, {"one\ntwo\r\nthree", "b"}}, {4, {"c", "d"}}, {5, {"\n", "\"\n\""}}, {8, {"e", "f"}}};
  EXPECT_EQ(csv(text), expected);
  for (const std::size_t at_once : {1, 2, 5}) {
    EXPECT_EQ(all(read_quoted(lines_of(text, at_once))), expected) << at_once;
  }
}

TEST(Csv, AFaultCostsItsOwnLineOnly) {
  const Lines stray = csv("5\" disk,b\nc,d\n");
  ASSERT_EQ(stray.size(), 2U);
  EXPECT_TRUE(contains(stray[0].fields[1], "inside an unquoted field"));
  EXPECT_EQ(stray[1], (Line{2, {"c", "d"}}));

  const Lines after = csv("\"a\"x,b\nc,d\n");
  ASSERT_EQ(after.size(), 2U);
  EXPECT_TRUE(contains(after[0].fields[1], "after the closing quote"));
  EXPECT_EQ(after[1], (Line{2, {"c", "d"}}));

  const Lines escaped = csv("\"a \\\"b\\\" c\",d\n\"C:\\\",e\n");
  ASSERT_EQ(escaped.size(), 2U);
  EXPECT_TRUE(contains(escaped[0].fields[1], "a quote after a backslash ends the field"));
  EXPECT_EQ(escaped[1], (Line{2, {"C:\\", "e"}}));

  const Lines open = csv("a,b\n\"c,d\ne,f\ng,h\n");
  ASSERT_EQ(open.size(), 4U);
  EXPECT_EQ(open[1].number, 2U);
  EXPECT_TRUE(contains(open[1].fields[1], "never closed"));
  EXPECT_EQ(open[2], (Line{3, {"e", "f"}}));
  EXPECT_EQ(open[3], (Line{4, {"g", "h"}}));
}

TEST(Csv, AnOpenQuoteDoesNotSwallowALargeFile) {
  std::string text = "\"open,b\n";
  for (int i = 0; i < 600'000; ++i) text += "c,d\n";
  const Lines lines = csv(text);
  ASSERT_EQ(lines.size(), 600'001U);
  EXPECT_TRUE(contains(lines[0].fields[1], "never closed"));
  EXPECT_EQ(lines.back(), (Line{600'001, {"c", "d"}}));
}

TEST(Csv, WhatIsQuotedComesBack) {
  // Random fields of awkward characters, written as RFC 4180 says.
  const std::string_view alphabet = "a,\"\n\r \t";
  std::string text;
  std::vector<std::vector<std::string>> expected;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::vector<std::string> fields;
    for (std::uint64_t j = 0; j < 4; ++j) {
      std::string field = "f", quoted = "\"f";
      for (std::uint32_t k = random_below(7, 4 * i + j, 6); k > 0; --k) {
        const char c = alphabet[random_below(8 + k, 4 * i + j, alphabet.size())];
        field += c;
        quoted += c == '"' ? "\"\"" : std::string(1, c);
      }
      fields.push_back(field);
      text += quoted + (j < 3 ? "\"," : "\"\n");
    }
    expected.push_back(fields);
  }
  const Lines lines = all(read_quoted(lines_of(text, 1001)));
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].fields, expected[i]);
}

}  // namespace
}  // namespace orrery
