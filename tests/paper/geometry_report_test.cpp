#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "page/report.h"
#include "paper/geometry.h"

namespace orrery {
namespace {

template <class Kind>
std::vector<Kind> blocks_of(const Report& report) {
  std::vector<Kind> found;
  for (const Block& block : report.blocks)
    if (const auto* kind = std::get_if<Kind>(&block)) found.push_back(*kind);
  return found;
}

Geometry example_geometry() {
  Geometry geometry;
  geometry.relation = "Consult";
  geometry.time = "2014-03-29";
  geometry.lanes = 500;
  geometry.sampled_times = 24;
  geometry.times = 365;
  TransformPicture picture;
  picture.joint = {
      .mean = 0.5, .deviation = 0.1, .least = -1, .most = 1, .width = 0.5, .counts = {1, 2, 3, 4}};
  picture.time_mul = picture.transform = picture.angle = picture.rapidity = picture.scale =
      picture.phase = picture.joint;
  picture.distance = 0.25;
  picture.singular = 3;
  geometry.sides = {picture};
  geometry.relations = {{"Consult", 8000, 6400, 0.25, 0.3}, {"Threaten", 40, 0, 0.6, 0.7}};
  geometry.correlations = {{1, 2, -1, -0.9}, {50, 1, 0, 0}};
  return geometry;
}

TEST(GeometryReport, ShowsTheFigureThePolarFormAndAllRelations) {
  const Report report = geometry_report(example_geometry());
  const auto plots = blocks_of<Plot>(report);
  ASSERT_EQ(plots.size(), 3U + 4U + 1U);
  EXPECT_EQ(plots[0].kind, Plot::Kind::bars);
  EXPECT_EQ(plots[0].series.at(0).x, (std::vector<double>{-1, -0.5, 0, 0.5}));
  EXPECT_EQ(plots[0].series.at(0).y, (std::vector<double>{1, 2, 3, 4}));
  const Plot& scatter = plots.back();
  EXPECT_EQ(scatter.kind, Plot::Kind::scatter);
  ASSERT_EQ(scatter.series.size(), 2U);  // many facts, few facts
  EXPECT_EQ(scatter.series[0].x, std::vector<double>{0.8});
  EXPECT_EQ(scatter.series[0].y, std::vector<double>{0.3});

  const auto tables = blocks_of<Table>(report);
  const Table& relations = tables.back();
  ASSERT_EQ(relations.rows.size(), 2U);
  EXPECT_EQ(relations.rows[0],
            (std::vector<std::string>{"Consult", "8,000", "80.00", "0.250", "0.300"}));
  EXPECT_EQ(relations.bold_rows, std::vector<std::size_t>{0});
  for (const Table& table : tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());

  const std::string text = report_markdown(report);
  EXPECT_TRUE(testing::contains(text, "*Consult at 2014-03-29, over all biquaternions*"));
  EXPECT_TRUE(testing::contains(text, "24 of the 365 times"));
  EXPECT_TRUE(testing::contains(text, "3 of its 500 biquaternions are singular"));
  EXPECT_FALSE(report_html(report).empty());
}

TEST(GeometryReport, StartsAndEndsOfIntervalsApart) {
  Geometry geometry = example_geometry();
  geometry.sides.push_back(geometry.sides[0]);
  geometry.sides[0].side = "start";
  geometry.sides[1].side = "end";
  const Report report = geometry_report(geometry);
  EXPECT_EQ(blocks_of<Plot>(report).size(), 2 * 7U + 1U);
  EXPECT_TRUE(testing::contains(report_markdown(report), "rapidity (end)"));
}

TEST(GeometryReport, JsonHoldsAllNumbers) {
  const auto json = geometry_json(example_geometry());
  EXPECT_EQ(json.at("relation"), "Consult");
  EXPECT_EQ(json.at("sampled_times"), 24);
  EXPECT_EQ(json.at("sides").at(0).at("distance"), 0.25);
  EXPECT_EQ(json.at("sides").at(0).at("rapidity").at("counts").size(), 4U);
  EXPECT_EQ(json.at("relations").at(1).at("distance_over_times"), 0.7);
  EXPECT_EQ(json.at("correlations").at(0).at("over_times"), -0.9);
}

}  // namespace
}  // namespace orrery
