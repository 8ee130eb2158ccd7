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

TEST(ReportHtml, PlotsAreDescribedAndTheirNumbersAtHand) {
  const std::string page = report_html(
      {"", {plot_of(Plot::Kind::line, {{"ours", {1, 2}, {3, 4}}}), Plot{"", {}, {}, {}, {}}}});
  EXPECT_EQ(count_of(page, "role=\"img\""), 2U);
  EXPECT_TRUE(has(page, "aria-labelledby=\"plot-1-title plot-1-desc\""));
  EXPECT_TRUE(has(page, "<title id=\"plot-1-title\">A caption</title>"));
  EXPECT_TRUE(has(page, ">Line plot of MRR by epoch; ours: 2 points.</desc>"));
  EXPECT_TRUE(has(page, "<figcaption>A caption</figcaption>"));
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
