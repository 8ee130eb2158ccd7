#include "page/plot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "page/markup.h"
#include "page/plot_frame.h"
#include "page/plot_marks.h"
#include "page/sample_report.h"

namespace orrery {
namespace {

// The path commands of a class of marks: one text for each path.
std::vector<std::string> paths_of(const std::string& svg, const std::string& kind) {
  std::vector<std::string> paths;
  for (const std::string& path : all_between(svg, "<path class=\"" + kind + "\"", "/>"))
    paths.push_back(all_between(path, " d=\"", "\"").at(0));
  return paths;
}

std::string drawing_of(Plot::Kind kind, std::vector<Series> series) {
  std::string svg = plot_svg(plot_of(kind, std::move(series)), 1);
  expect_well_formed(svg);
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_EQ(svg.find("inf"), svg.npos);
  return svg;
}

TEST(PlotFrame, NumbersLieInsideTheDrawing) {
  const Plot plot = plot_of(Plot::Kind::line, {{"", {10, 20, 30}, {1, 9, 5}, {0, 2, 0}}});
  const PlotFrame frame = frame_of(plot);
  EXPECT_GT(frame.left, 0);
  EXPECT_LT(frame.right, plot_width);
  EXPECT_GT(frame.across(10), frame.left);
  EXPECT_LT(frame.across(30), frame.right);
  EXPECT_GT(frame.up(11), frame.top);  // with its deviation
  EXPECT_LT(frame.up(1), frame.bottom);
  EXPECT_LT(frame.up(9), frame.up(1));  // up is less on a drawing
}

TEST(PlotFrame, LongLabelsDoNotStandOnEachOther) {
  Plot plot = plot_of(Plot::Kind::line, {{"", {0, 9.9e6}, {1e-4, 1.1e-4}}});
  const PlotFrame frame = frame_of(plot);
  ASSERT_GE(frame.x_ticks.size(), 2U);
  const double distance =
      frame.across(frame.x_ticks[1].value) - frame.across(frame.x_ticks[0].value);
  EXPECT_GT(distance, 9 * 8.0);
}

TEST(PlotFrame, AFewValuesAreMarkedThemselves) {
  const auto marked = [](Plot::Kind kind, std::vector<double> x, bool logarithmic = true) {
    Plot plot = plot_of(kind, {{"", x, x}, {"", x, x}});
    plot.x.logarithmic = logarithmic;
    std::vector<double> values;
    for (const Tick& tick : frame_of(plot).x_ticks) values.push_back(tick.value);
    return values;
  };
  using Values = std::vector<double>;
  EXPECT_EQ(marked(Plot::Kind::line, {8000, 500, 4000}), (Values{500, 4000, 8000}));
  EXPECT_EQ(marked(Plot::Kind::scatter, {500, 4000, 8000}), (Values{500, 1000, 2000, 5000}));
  // On a plain axis the first two would stand on each other.
  EXPECT_EQ(marked(Plot::Kind::line, {1, 2, 500}, false), (Values{0, 100, 200, 300, 400, 500}));
}

TEST(Plot, EverySeriesHasItsOwnMarkerAndDash) {
  std::set<std::string> markers, dashes;
  for (std::size_t i = 0; i < most_series; ++i) {
    markers.insert(marker_path(i, 0, 0, 4));
    dashes.insert(std::string(dash_of(i)));
  }
  EXPECT_EQ(markers.size(), most_series);
  EXPECT_EQ(dashes.size(), most_series);
}

TEST(Plot, SixSeriesAreDrawnAndNamed) {
  std::vector<Series> series;
  for (int i = 0; i < 6; ++i)
    series.push_back({fmt::format("model {}", i), {1, 2}, {1.0 * i, 2.0 * i}});
  for (const auto kind : {Plot::Kind::line, Plot::Kind::bars, Plot::Kind::scatter}) {
    const std::string svg = drawing_of(kind, series), legend = plot_legend(plot_of(kind, series));
    expect_well_formed(legend);
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(count_of(svg, fmt::format("<g class=\"series-{}\">", i + 1)), 1U);
      EXPECT_NE(legend.find(fmt::format("</svg>model {}</li>", i)), legend.npos) << legend;
    }
  }
}

TEST(Plot, ALegendIsThereWhenItTellsSomething) {
  EXPECT_EQ(plot_legend(plot_of(Plot::Kind::line, {{"", {1}, {1}}})), "");
  EXPECT_EQ(plot_legend(plot_of(Plot::Kind::line, {})), "");
  EXPECT_NE(plot_legend(plot_of(Plot::Kind::line, {{"ours", {1}, {1}}})), "");
  EXPECT_EQ(plot_legend(plot_of(Plot::Kind::bars, {{"A caption", {1}, {1}}})), "");
  const std::string two = plot_legend(plot_of(Plot::Kind::line, {{"", {}, {}}, {"", {}, {}}}));
  EXPECT_NE(two.find("series 2"), two.npos);
}

TEST(Plot, ALegendShowsWhatIsDrawn) {
  const Series a{"a", {0, 1}, {1, 2}}, b{"b", {0, 1}, {2, 1}};
  const std::pair<Plot, const char*> cases[] = {{plot_of(Plot::Kind::bars, {a}), "bars"},
                                                {plot_of(Plot::Kind::bars, {a, b}), "area"},
                                                {plot_of(Plot::Kind::scatter, {a}), "cloud"},
                                                {plot_of(Plot::Kind::line, {a}), "marker"}};
  for (const auto& [plot, mark] : cases) {
    EXPECT_EQ(paths_of(plot_legend(plot), mark).size(), plot.series.size()) << mark;
    EXPECT_EQ(paths_of(plot_svg(plot, 1), mark).size(), plot.series.size()) << mark;
  }
}

TEST(Plot, BarsDoNotHideTheGroundTheyStandOn) {
  const Series series{"", {0, 1}, {0, 2}};
  const std::string bars = drawing_of(Plot::Kind::bars, {series});
  EXPECT_GT(bars.rfind("class=\"tick\""), bars.find("class=\"bars\""));
  const std::string line = drawing_of(Plot::Kind::line, {series});
  EXPECT_LT(line.rfind("class=\"tick\""), line.find("class=\"line\""));
}

TEST(Plot, GapsBreakALine) {
  const std::string svg =
      drawing_of(Plot::Kind::line, {{"", {1, 2, 3, 4, 5, 6}, {1, 2, nan_value, 4, infinite, 6}}});
  const auto lines = paths_of(svg, "line"), markers = paths_of(svg, "marker");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(count_of(lines[0], "M"), 1U);  // 4 and 6 stand alone
  EXPECT_EQ(count_of(lines[0], "L"), 1U);
  EXPECT_EQ(count_of(markers.at(0), "M"), 4U);
}

TEST(Plot, LongLinesHaveFewMarkersAndLonePointsAlwaysOne) {
  Series series{"", {}, {}};
  for (int i = 0; i < 500; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 250 || i == 252 ? nan_value : i);
  }
  const std::string svg = drawing_of(Plot::Kind::line, {series});
  EXPECT_LE(count_of(paths_of(svg, "marker").at(0), "M"), 26U);
  EXPECT_EQ(count_of(paths_of(svg, "line").at(0), "M"), 2U);
}

TEST(Plot, MarkersOnALogarithmicAxisDoNotCrowd) {
  Series series{"", {}, {}};
  for (int i = 1; i <= 60; ++i) {
    series.x.push_back(5 * i);
    series.y.push_back(i);
  }
  Plot plot = plot_of(Plot::Kind::line, {series});
  const std::size_t evenly = count_of(paths_of(plot_svg(plot, 1), "marker").at(0), "M");
  plot.x.logarithmic = true;
  const std::size_t crowded = count_of(paths_of(plot_svg(plot, 1), "marker").at(0), "M");
  EXPECT_LT(crowded, evenly);
  EXPECT_GE(crowded, 10U);
}

TEST(Plot, NumbersWithoutALogarithmAreGaps) {
  Plot plot = plot_of(Plot::Kind::line, {{"", {1, 10, 100, 1000}, {1, 0, -5, 10}}});
  plot.y.logarithmic = plot.x.logarithmic = true;
  const std::string svg = plot_svg(plot, 1);
  EXPECT_TRUE(paths_of(svg, "line").empty());
  EXPECT_EQ(count_of(paths_of(svg, "marker").at(0), "M"), 2U);
}

TEST(Plot, DeviationsAreBarsAndOfManyPointsABand) {
  const std::string few =
      drawing_of(Plot::Kind::line, {{"", {1, 2, 3}, {5, 5, 5}, {1, 0, nan_value}}});
  EXPECT_EQ(count_of(paths_of(few, "deviation").at(0), "V"), 1U);
  Series series{"", {}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 50 ? nan_value : i);
    series.deviation.push_back(1);
  }
  const std::string many = drawing_of(Plot::Kind::line, {series});
  EXPECT_TRUE(paths_of(many, "deviation").empty());
  EXPECT_EQ(count_of(paths_of(many, "band").at(0), "M"), 2U);
  EXPECT_EQ(count_of(paths_of(many, "band").at(0), "z"), 2U);
}

TEST(Plot, ADeviationBelowALogarithmicAxisEndsAtItsFoot) {
  Plot plot = plot_of(Plot::Kind::line, {{"", {1, 2}, {1, 10}, {5, 0}}});
  plot.y.logarithmic = true;
  const auto bars = paths_of(plot_svg(plot, 1), "deviation");
  EXPECT_NE(bars.at(0).find(fmt::format(" {:.1f}V", frame_of(plot).bottom)), std::string::npos);
}

TEST(Plot, BarsAreAdjacent) {
  const auto bars = bars_of({"", {2, 0, 1}, {30, 10, 20}}, false);
  ASSERT_EQ(bars.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bars[i].left, static_cast<double>(i));
    EXPECT_EQ(bars[i].right, static_cast<double>(i) + 1);  // the last as wide as the one before
    EXPECT_EQ(bars[i].height, 10.0 * static_cast<double>(i + 1));
  }
  EXPECT_EQ(bars_of({"", {1, 10}, {1, 1}}, true).back().right, 100);
  EXPECT_EQ(bars_of({"", {5}, {1}}, false).back().right, 6);
  EXPECT_TRUE(bars_of({"", {nan_value}, {1}}, false).empty());
}

TEST(Plot, AGapInAHistogramIsNoBar) {
  const std::string svg =
      drawing_of(Plot::Kind::bars, {{"", {0, 1, 2}, {3, nan_value, -2}, {1, 1, 0}}});
  EXPECT_EQ(count_of(paths_of(svg, "bars").at(0), "z"), 2U);
  EXPECT_EQ(count_of(paths_of(svg, "deviation").at(0), "V"), 1U);
}

TEST(Plot, OddDataIsDrawnWithoutFault) {
  for (const auto kind : {Plot::Kind::line, Plot::Kind::bars, Plot::Kind::scatter}) {
    drawing_of(kind, {{"one", {5}, {0.55}, {0.02}}});
    drawing_of(kind, {{"constant", {1, 2, 3}, {7, 7, 7}}, {"", {}, {}}});
    drawing_of(kind, {{"one place", {1, 1, 1}, {1, 2, 3}}});
    drawing_of(kind, {{"zero", {0, 0}, {0, 0}}});
    drawing_of(kind, {{"extremes", {-1e308, 1e308, 5e-324, 1}, {1e308, -1e308, 1, 5e-324}}});
    drawing_of(kind, {{"wide deviation", {1, 2}, {1, 2}, {1e308, infinite}}});
    drawing_of(kind, {{std::string(300, 'x'), {1}, {1}}});
  }
}

TEST(Plot, WithoutPointsItSaysSo) {
  for (const std::vector<Series>& series :
       {std::vector<Series>{}, {{"a", {}, {}}}, {{"a", {nan_value}, {1}}}}) {
    const std::string svg = drawing_of(Plot::Kind::line, series);
    EXPECT_NE(svg.find("no points to draw"), svg.npos);
  }
}

TEST(Plot, ALabelThatIsTooLongIsCut) {
  Plot plot = plot_of(Plot::Kind::line, {{"", {1}, {1}}});
  plot.caption.clear();
  plot.y.label.clear();
  for (int i = 0; i < 100; ++i) plot.y.label += "ü";
  const std::string svg = plot_svg(plot, 1);
  const auto labels = all_between(svg, "<text class=\"label\"", "</text>");
  EXPECT_NE(labels.at(0).find("üü…"), std::string::npos);
  EXPECT_EQ(count_of(labels.at(0), "ü"), 55U);
}

}  // namespace
}  // namespace orrery
