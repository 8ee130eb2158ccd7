#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/caught.h"
#include "page/report.h"
#include "page/sample_report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

TEST(ReportJson, ComesBackExactly) {
  const std::string text = report_json(sample_report()).dump();
  const Report back = report_from_json(Json::parse(text));
  EXPECT_EQ(report_json(back).dump(), text);

  EXPECT_EQ(back.title, sample_report().title);
  ASSERT_EQ(back.blocks.size(), 6U);
  EXPECT_EQ(std::get<Table>(back.blocks[2]).rows, std::get<Table>(sample_report().blocks[2]).rows);
  EXPECT_EQ(std::get<Table>(back.blocks[2]).bold_rows, (std::vector<std::size_t>{1}));
  const auto& line = std::get<Plot>(back.blocks[3]);
  EXPECT_TRUE(line.x.logarithmic);
  EXPECT_FALSE(line.y.logarithmic);
  EXPECT_TRUE(std::isnan(line.series[0].y[1]));
  EXPECT_EQ(line.series[0].y[2], 1.0 / 3);
  EXPECT_EQ(line.series[1].y, (std::vector<double>{-infinite, infinite}));
  EXPECT_EQ(std::get<Plot>(back.blocks[4]).kind, Plot::Kind::bars);
  const auto& cloud = std::get<Plot>(back.blocks[5]);
  EXPECT_EQ(cloud.kind, Plot::Kind::scatter);
  EXPECT_TRUE(std::signbit(cloud.series[0].x[0]));
  EXPECT_EQ(cloud.series[0].x[1], 5e-324);
  EXPECT_EQ(report_html(back), report_html(sample_report()));
  EXPECT_EQ(report_markdown(back), report_markdown(sample_report()));
}

TEST(ReportJson, IsTextWhateverNamesHold) {
  const Report report{"a\xff", {Table{"", {"\xc3"}, {{"\x80"}}}}};
  EXPECT_NO_THROW(report_json(report).dump());
}

std::string message_of(const std::function<void(Json&)>& spoil) {
  Json json = report_json(sample_report());
  spoil(json);
  const Error error = caught([&] { report_from_json(json); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.advice(), "have the report written anew");
  return error.what();
}

void expect_message(const std::function<void(Json&)>& spoil, const std::string& part) {
  const std::string message = message_of(spoil);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(ReportJson, WhatIsBrokenIsNamed) {
  expect_message([](Json& json) { json = Json::array(); },
                 "report must be an object, but is array");
  expect_message([](Json& json) { json.erase("format"); }, "report has no 'format'");
  expect_message([](Json& json) { json["format"] = "orrery-report 9"; }, "'orrery-report 9'");
  expect_message([](Json& json) { json.erase("title"); }, "report has no 'title'");
  expect_message([](Json& json) { json["blocks"] = "x"; }, "report.blocks must be a list");
  expect_message([](Json& json) { json["blocks"][0]["text"] = 3; },
                 "report.blocks[0].text must be a string, but is 3");
  expect_message([](Json& json) { json["blocks"][1]["type"] = "song"; },
                 "report.blocks[1].type is 'song'");
  expect_message([](Json& json) { json["blocks"][2]["rows"][1][0] = nullptr; },
                 "report.blocks[2].rows[1][0] must be a string");
  expect_message([](Json& json) { json["blocks"][2]["bold_rows"][0] = -1; },
                 "report.blocks[2].bold_rows[0] must be a whole number");
  expect_message([](Json& json) { json["blocks"][3]["kind"] = "pie"; },
                 "report.blocks[3].kind is 'pie'");
  expect_message([](Json& json) { json["blocks"][3]["x"]["logarithmic"] = 1; },
                 "report.blocks[3].x.logarithmic must be true or false");
  expect_message([](Json& json) { json["blocks"][3]["series"][0]["y"][2] = "many"; },
                 "report.blocks[3].series[0].y[2] must be a number");
}

TEST(ReportJson, PartsThatDoNotFitAreNamed) {
  expect_message([](Json& json) { json["blocks"][2]["rows"][1].erase(0); },
                 "block 3: row 2 of a table has 1 cells under a head of 2");
  expect_message([](Json& json) { json["blocks"][2]["bold_rows"][0] = 2; },
                 "block 3: row 2 is to be bold in a table of 2 rows");
  expect_message([](Json& json) { json["blocks"][2]["columns"] = Json::array(); },
                 "block 3: a table without columns");
  expect_message([](Json& json) { json["blocks"][3]["series"][0]["y"].erase(0); },
                 "block 4: series 1 of a plot has 3 x and 2 y");
  expect_message([](Json& json) { json["blocks"][3]["series"][0]["deviation"].erase(0); },
                 "block 4: series 1 of a plot has 2 deviations of 3 points");
  expect_message(
      [](Json& json) {
        for (int i = 0; i < 6; ++i)
          json["blocks"][3]["series"].push_back(json["blocks"][3]["series"][0]);
      },
      "block 4: a plot has 8 series");
}

TEST(ReportJson, AReportThatDoesNotHoldTogetherIsNotWritten) {
  const Report report{"", {Table{"", {"a", "b"}, {{"1"}}}}};
  EXPECT_THROW(report_json(report), Error);
  EXPECT_THROW(report_html(report), Error);
  EXPECT_THROW(report_markdown(report), Error);
}

}  // namespace
}  // namespace orrery
