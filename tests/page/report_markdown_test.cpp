#include <gtest/gtest.h>

#include "page/markup.h"
#include "page/plot.h"
#include "page/report.h"
#include "page/sample_report.h"

namespace orrery {
namespace {

std::string markdown_of(Block block) { return report_markdown({"", {std::move(block)}}); }

TEST(ReportMarkdown, PutsAnEmptyLineBetweenBlocks) {
  EXPECT_EQ(report_markdown({"Title", {Heading{"One"}, Paragraph{"Text."}, Heading{"Two"}}}),
            "# Title\n\n## One\n\nText.\n\n## Two\n");
  EXPECT_EQ(report_markdown({}), "");
}

TEST(ReportMarkdown, TableRowsToFindFirstAreBold) {
  EXPECT_EQ(markdown_of(Table{"Percent", {"model", "MRR"}, {{"a|b", "1"}, {"c", ""}}, {1}}),
            "*Percent*\n\n| model | MRR |\n|---|---:|\n| a\\|b | 1 |\n| **c** |  |\n");
  EXPECT_EQ(markdown_of(Table{"", {"a"}, {}}), "| a |\n|---|\n");
}

TEST(ReportMarkdown, APlotIsATableOfItsPoints) {
  EXPECT_EQ(markdown_of(plot_of(Plot::Kind::line, {{"a", {1, 2}, {0.25, nan_value}, {0.012, 0}},
                                                   {"b", {2, 3}, {1.0 / 3, 5}}})),
            "*A caption* (MRR)\n\n| epoch | a | b |\n|---|---:|---:|\n"
            "| 1 | 0.250 ± 0.012 |  |\n| 2 | — ± 0.000 | 0.333 |\n| 3 |  | 5.000 |\n");
}

TEST(ReportMarkdown, NumbersOfAColumnShareTheirDecimals) {
  const auto column = [](std::vector<double> y) {
    std::vector<double> x(y.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    std::string text;
    for (const auto& row : points_table(plot_of(Plot::Kind::line, {{"", x, y}})).rows)
      text += row[1] + " ";
    return text;
  };
  EXPECT_EQ(column({59.97, 60, -6.5}), "59.97 60.00 -6.50 ");
  EXPECT_EQ(column({0.5, 60, 0}), "0.5 60.0 0.0 ");
  EXPECT_EQ(column({12345, 3, 0}), "12345 3 0 ");
  EXPECT_EQ(column({1234.56, 1, infinite}), "1234.56 1.00 ∞ ");
  EXPECT_EQ(column({1e-7, 0.5, 12345678.5}), "1e-07 0.5 1.23457e+07 ");
}

TEST(ReportMarkdown, OneSeriesWithoutANameIsCalledAfterItsAxis) {
  EXPECT_EQ(markdown_of(plot_of(Plot::Kind::bars, {{"", {0, 1}, {3, 4}}})),
            "*A caption*\n\n| epoch | MRR |\n|---|---:|\n| 0 | 3 |\n| 1 | 4 |\n");
  EXPECT_EQ(markdown_of(Plot{"", Plot::Kind::line, {}, {}, {{"", {0}, {3}}}}),
            "| x | y |\n|---|---:|\n| 0 | 3 |\n");
}

TEST(ReportMarkdown, ALineMayComeBackToTheSamePlace) {
  EXPECT_EQ(markdown_of(plot_of(Plot::Kind::line, {{"", {1, 1}, {3, 4}}})),
            "*A caption*\n\n| epoch | MRR |\n|---|---:|\n| 1 | 3 |\n| 1 | 4 |\n");
}

TEST(ReportMarkdown, AScatterListsItsPointsOneByOne) {
  EXPECT_EQ(markdown_of(plot_of(Plot::Kind::scatter, {{"a", {2, 1}, {3, 4}}, {"b", {1}, {5}}})),
            "*A caption*\n\n| series | epoch | MRR |\n|---|---:|---:|\n"
            "| a | 2 | 3 |\n| a | 1 | 4 |\n| b | 1 | 5 |\n");
}

TEST(ReportMarkdown, OfManyPointsSomeAreShownAndTheLast) {
  Series series{"", {}, {}};
  for (int i = 0; i < 1000; ++i) {
    series.x.push_back(i);
    series.y.push_back(2 * i);
  }
  const std::string text = markdown_of(plot_of(Plot::Kind::line, {series}));
  EXPECT_NE(text.find("(101 of 1000 points)"), std::string::npos) << text.substr(0, 80);
  EXPECT_EQ(count_of(text, "\n"), 105U);
  EXPECT_NE(text.find("| 999 | 1998 |\n"), std::string::npos);
}

TEST(ReportMarkdown, NamesStayNames) {
  const std::string text = report_markdown(sample_report());
  EXPECT_NE(text.find("**\\<script\\>alert('x')\\</script\\>**"), std::string::npos) << text;
  EXPECT_NE(text.find("`orrery compare`"), std::string::npos);
}

}  // namespace
}  // namespace orrery
