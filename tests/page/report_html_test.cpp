#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "page/markup.h"
#include "page/report.h"
#include "page/report_style.h"
#include "page/sample_report.h"

namespace orrery {
namespace {

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

TEST(ReportHtml, IsWellFormed) {
  expect_well_formed(report_html(sample_report()));
  expect_well_formed(report_html({}));
}

TEST(ReportHtml, ReachesForNothingElsewhere) {
  const std::string page = report_html(sample_report());
  EXPECT_FALSE(has(page, "http://"));
  EXPECT_FALSE(has(page, "https://"));
  for (const char* word : {"src=", "url(", "@import", "<script", "<link", "<img"})
    EXPECT_FALSE(has(page, word)) << word;
  EXPECT_TRUE(has(page, "default-src 'none'"));
}

TEST(ReportHtml, NamesFromFilesAreNoMarkup) {
  const std::string page = report_html(sample_report());
  EXPECT_TRUE(
      has(page, "<title>Ours &lt;beside&gt; the paper&#39;s &amp; &quot;more&quot;</title>"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
  EXPECT_TRUE(has(page, "Run <code>orrery compare</code> again; 5 &lt; 6 &amp; so on."));
  const std::string spoiled = "\"><b>\x01\xff\n&";
  expect_well_formed(report_html(
      {spoiled,
       {Heading{spoiled}, Paragraph{spoiled}, Table{spoiled, {spoiled}, {{spoiled}}, {0}},
        Plot{spoiled, Plot::Kind::line, {spoiled}, {spoiled}, {{spoiled, {1}, {1}}}}}}));
}

TEST(ReportHtml, TablesHaveHeadsAndTheirOwnBoxToScrollIn) {
  const std::string page =
      report_html({"", {Table{"A caption", {"model", "MRR"}, {{"a", "1"}, {"b", "2"}}, {1}}}});
  EXPECT_TRUE(has(page, "<figcaption>A caption</figcaption>"));
  EXPECT_TRUE(has(page, "<div class=\"scroll\" tabindex=\"0\" role=\"region\""));
  EXPECT_TRUE(
      has(page, "<tr><th scope=\"col\">model</th><th scope=\"col\">MRR</th></tr>\n</thead>"));
  EXPECT_TRUE(has(page, "<tr><th scope=\"row\">a</th><td>1</td></tr>"));
  EXPECT_TRUE(has(page, "<tr class=\"bold\"><th scope=\"row\">b</th><td>2</td></tr>"));
}

TEST(ReportHtml, ColumnsOfWordsAreReadFromTheLeft) {
  const std::string page = report_html(
      {"",
       {Table{"",
              {"set", "config", "MRR", "seconds", "none"},
              {{"a", "tlt-kge-c", "63.8 (SANe)", "0.1", "—"}, {"b", "", "+0.1", "failed", ""}}}}});
  EXPECT_TRUE(has(page, "<th scope=\"col\" class=\"words\">config</th><th scope=\"col\">MRR</th>"));
  EXPECT_TRUE(has(page, "<th scope=\"row\">a</th><td class=\"words\">tlt-kge-c</td>"));
  for (const char* number : {"63.8 (SANe)", "+0.1", "failed", "—"})
    EXPECT_TRUE(has(page, fmt::format("<td>{}</td>", number))) << number;
  EXPECT_TRUE(has(page, "<td class=\"words\"></td>"));
}

TEST(ReportHtml, LongCellsAreFoldedNotStretched) {
  const std::string options = "3 options: dim = 8000, attention = modulus, dropout = 0.4";
  const std::string page =
      report_html({"", {Table{"", {"a", "b"}, {{options, "1"}, {"x", options}}, {}}}});
  EXPECT_EQ(count_of(page, " class=\"folded\""), 6U);
  EXPECT_TRUE(has(report_style, ".folded { white-space: normal;"));
}

TEST(ReportHtml, HeadsOverNumbersAreFoldedButNoNameOfAnOption) {
  const std::string page = report_html(
      {"",
       {Table{
           "", {"set", "dropout", "lambda-n3", "validation MRR, best"}, {{"", "1", "2", "3"}}}}});
  EXPECT_TRUE(
      has(page, "<th scope=\"col\">dropout</th><th scope=\"col\"><span>lambda-n3</span></th>"));
  EXPECT_TRUE(has(page, "<th scope=\"col\" class=\"tall\">validation MRR, best</th>"));
}

// What browsers have shown to be needed: lines under sticky cells vanish on paper.
TEST(ReportHtml, PaperHasNothingThatScrollsOrSticks) {
  const std::string style = report_style;
  const std::string print = style.substr(style.find("@media print"));
  for (const char* part : {"overflow: visible", "position: static", "html { font-size: 10pt; }"})
    EXPECT_TRUE(has(print, part)) << part;
}

TEST(ReportHtml, TablesTooWideForPaperArePrintedSmaller) {
  const auto page_of = [](std::size_t columns) {
    const std::vector<std::string> row(columns, "63.50 ± 0.01");
    return report_html({"", {Table{"", row, {row}}}});
  };
  EXPECT_TRUE(has(page_of(5), "<table>"));
  EXPECT_TRUE(has(page_of(8), "<table class=\"wide\">"));
  EXPECT_TRUE(has(page_of(9), "<table class=\"wide widest\">"));
}

TEST(ReportHtml, SomeNumbersOfManySayOfHowMany) {
  Series series{"", {}, {}};
  for (int i = 0; i < 150; ++i) {
    series.x.push_back(i);
    series.y.push_back(i);
  }
  const std::string page = report_html({"", {plot_of(Plot::Kind::line, {series})}});
  const auto summaries = all_between(page, "<summary>", "</summary>");
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_TRUE(summaries[0].starts_with("The numbers of ") && summaries[0].ends_with("150 points"));
}

TEST(ReportHtml, PlotsAreDescribedAndTheirNumbersAtHand) {
  const std::string page = report_html(
      {"", {plot_of(Plot::Kind::line, {{"ours", {1, 2}, {3, 4}}}), Plot{"", {}, {}, {}, {}}}});
  EXPECT_EQ(count_of(page, "role=\"img\""), 2U);
  EXPECT_TRUE(has(page, "aria-labelledby=\"plot-1-title plot-1-desc\""));
  EXPECT_TRUE(has(page, "<title id=\"plot-1-title\">A caption</title>"));
  EXPECT_TRUE(has(page, ">Line plot of MRR by epoch; ours: 2 points.</desc>"));
  EXPECT_TRUE(has(page, "<figure class=\"plot\">\n<figcaption>A caption</figcaption>"));
  EXPECT_TRUE(has(page, "<tr><th scope=\"row\">2</th><td>4</td></tr>"));
  EXPECT_EQ(count_of(page, "<details>"), 1U);  // the second has no numbers
  const auto ids = all_between(page, " id=\"", "\"");
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(ReportHtml, LongReportsHaveContents) {
  const Report brief{"", {Heading{"a"}, Heading{"b"}}};
  EXPECT_FALSE(has(report_html(brief), "<nav"));
  const std::string page =
      report_html({"", {Heading{"a"}, Heading{"b"}, Heading{"c"}, Heading{"d"}}});
  for (const auto& target : all_between(page, "href=\"#", "\""))
    EXPECT_TRUE(has(page, "<h2 id=\"" + target + "\">")) << target;
  EXPECT_EQ(count_of(page, "href=\"#"), 4U);
  EXPECT_EQ(count_of(page, "href="), 4U);
}

// Every colour that a plot may ask for, on light, dark and printed ground.
TEST(ReportHtml, TheStyleHasSixColoursForEachGround) {
  const std::string style = report_style;
  for (std::size_t i = 1; i <= most_series; ++i) {
    EXPECT_EQ(count_of(style, fmt::format("--series-{}:", i)), 3U);
    EXPECT_TRUE(has(style, fmt::format(".series-{0} {{ color: var(--series-{0}); }}", i)));
  }
  for (const char* part : {"prefers-color-scheme: dark", "@media print", "overflow-x: auto"})
    EXPECT_TRUE(has(style, part)) << part;
  EXPECT_EQ(count_of(style, "{"), count_of(style, "}"));
}

}  // namespace
}  // namespace orrery
