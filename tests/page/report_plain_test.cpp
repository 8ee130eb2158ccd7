#include "page/report_plain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "facts/scratch.h"
#include "page/plot.h"
#include "page/text_table.h"
#include "page/text_width.h"

namespace orrery {
namespace {

using testing::contains;

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("\xC3\xA9"), 1U);                          // é
  EXPECT_EQ(columns_of("e\xCC\x81"), 1U);                         // e and a joining accent
  EXPECT_EQ(columns_of("\xE6\x9D\xB1\xE4\xBA\xAC"), 4U);          // Tokyo
  EXPECT_EQ(columns_of("\xF0\x9F\x98\x80"), 2U);                  // an emoji
  EXPECT_EQ(columns_of("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"), 4U);  // Hebrew
  EXPECT_EQ(columns_of("\xFF\xC3"), 2U) << "no UTF-8: byte by byte";
  EXPECT_EQ(columns_of(""), 0U);
}

TEST(TextWidth, CutsBetweenCharacters) {
  EXPECT_EQ(fitted_text("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted_text("abcdef", 4), "abc…");
  EXPECT_EQ(fitted_text("\xE6\x9D\xB1\xE4\xBA\xAC", 3), "\xE6\x9D\xB1…");
  EXPECT_EQ(fitted_text("\xE6\x9D\xB1\xE4\xBA\xAC", 2), "…");
  EXPECT_EQ(fitted_text("abc", 0), "");
}

TEST(TextWidth, NothingThatTurnsOrBreaksALineIsPrinted) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"), "a?[31mb?");
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b\xE2\x81\xA6"
                      "c\xE2\x80\x8F"
                      "d\xE2\x80\xA8"),
            "a?b?c?d?");
  EXPECT_EQ(printable("\xE2\x80\x9Cq\xE2\x80\x9D \xE2\x80\xA6"),
            "\xE2\x80\x9Cq\xE2\x80\x9D \xE2\x80\xA6");
  EXPECT_EQ(printable("\xE2\x80"), "\xE2\x80") << "cut short";
}

TEST(ReportPlain, TablesStandInColumnsWhateverTheScript) {
  const Report report{
      "", {Table{"", {"name", "facts"}, {{"\xE6\x9D\xB1\xE4\xBA\xAC", "1"}, {"ab\x1b", "22"}}}}};
  EXPECT_EQ(report_plain(report), "name  facts\n\xE6\x9D\xB1\xE4\xBA\xAC      1\nab?      22\n");
}

TEST(ReportPlain, IsFittedToItsWidth) {
  const std::string name(90, 'n');
  const Report report{"Title",
                      {Heading{"Part"}, Paragraph{"words `that` go on and on for long"},
                       Table{"", {"a name", "some facts", "also said"}, {{name, "1,000", name}}}}};
  const std::string text = report_plain(report, {.columns = 30});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 30U) << line;
  EXPECT_TRUE(contains(text, "Title\n\nPart\nwords that go on and on for\nlong\n")) << text;
  EXPECT_TRUE(contains(text, "  1,000  ")) << "numbers stay whole";
  EXPECT_TRUE(contains(report_plain(report, {.columns = 30, .wraps = false}), name));
}

Plot marked_bars() {
  return {.caption = "facts",
          .kind = Plot::Kind::bars,
          .x = {.label = "time", .marks = {{0, "2014"}, {1, "<2015>"}}},
          .y = {.label = "facts"},
          .series = {{.name = "", .x = {0, 1}, .y = {3, 4}}}};
}

TEST(ReportPlain, DrawsBars) {
  const std::string text = report_plain({"", {marked_bars()}});
  EXPECT_TRUE(contains(text, "facts\n         4 |")) << text;
  EXPECT_TRUE(contains(text, "2014  <2015>\n")) << text;
}

TEST(ReportPlain, MarksNameThePlacesOfEveryForm) {
  const Report report{"", {marked_bars()}};
  const std::string svg = plot_svg(marked_bars(), 1);
  EXPECT_TRUE(contains(svg, ">2014</text>") && contains(svg, ">&lt;2015&gt;</text>")) << svg;
  EXPECT_EQ(points_table(marked_bars()).rows[1][0], "<2015>");
  EXPECT_EQ(report_json(report_from_json(report_json(report))), report_json(report));
  EXPECT_EQ(report_json(report)["blocks"][0]["x"]["marks"].size(), 2U);
}

}  // namespace
}  // namespace orrery
