#include "report/explanation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "orrery/report.h"
#include "page/text_width.h"

namespace orrery {
namespace {

Explanation sample_explanation() {
  Explanation one;
  one.fact = {"Barack Obama", "Express intent to meet or negotiate", "Malaysia", "2014-04-25"};
  one.time = "2014-04-25";
  one.known = KnownFactOf{Split::valid, false, "2014-04-27"};
  one.object = {"object", 8.1331, 0.129, 2, 1, 1, 7128, {}, {}};
  one.object.attention = {{"time", "real", "", 0.54}, {"relation", "real", "", 0.46}};
  one.object.history = {{"known at another time", -7.1, "train has it at 2012: −7.1"}};
  one.subject = {"subject", 7.7, 0.34, 1, 1, 0, 7128, {}, {}};
  for (int day = 1; day <= 9; ++day)
    one.curve.push_back({"2014-04-0" + std::to_string(day), day / 2.0, day / 20.0});
  one.supporting = {{"Barack Obama", "Express intent to meet or negotiate",
                     "Cabinet / Council of Ministers / Advisors (Malaysia)", "2014-04-25", "",
                     Link::subject_relation, 218.4}};
  one.opposing = {{"China", "Host", "Malaysia", "2009", "2011", Link::object, -0.125}};
  one.related_facts = 5000;
  one.compared_facts = 4000;
  one.near_subject = {{"John Kerry", 0.37}};
  return one;
}

TEST(ExplanationText, FitsTheColumnsAndSaysAllParts) {
  const std::string text = explanation_text(sample_explanation(), {.columns = 80});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 80U) << line;
  for (const char* part :
       {"in valid at another time, 2014-04-27", "which object?", "12.9 %", "7,128",
        "object? real time 54 %, relation 46 %", "train has it at 2012: −7.1",
        "its score from 2014-04-01 to 2014-04-09", "highest: 2014-04-09 (45.0 %)", "+218",
        "subject and relation", "2009 to 2011", "-0.125", "the nearest 4,000 of 5,000",
        "John Kerry 0.37"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_NE(text.find("\n  _.:-"), std::string::npos) << text;
  EXPECT_NE(explanation_text(sample_explanation(), {.blocks = true}).find("▁"), std::string::npos);
}

TEST(ExplanationText, WhatIsNotThereIsNotShown) {
  Explanation bare;
  bare.fact = {"a", "r", "b", ""};
  bare.influence_note = "none has two of its parts";
  const std::string text = explanation_text(bare);
  EXPECT_NE(text.find("(a, r, b)\nnot in the data\n"), std::string::npos) << text;
  EXPECT_NE(text.find("no training facts: none has two"), std::string::npos) << text;
  for (const char* part : {"attention", "history", "its score", "nearest entities", "rests on"})
    EXPECT_EQ(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(ExplanationJson, HasTheDocumentedFields) {
  const auto json = nlohmann::json::parse(explanation_json(sample_explanation()));
  EXPECT_EQ(json["time_row"], "2014-04-25");
  EXPECT_EQ(json["known"]["split"], "valid");
  EXPECT_EQ(json["known"]["now"], false);
  ASSERT_EQ(json["sides"].size(), 2U);
  EXPECT_EQ(json["sides"][0]["asked"], "object");
  EXPECT_EQ(json["sides"][0]["filtered_rank"], 1);
  EXPECT_EQ(json["sides"][0]["attention"][1]["view"], "relation");
  EXPECT_EQ(json["sides"][0]["history"][0]["added"], -7.1);
  EXPECT_FALSE(json["sides"][1].contains("attention"));
  EXPECT_EQ(json["curve"].size(), 9U);
  EXPECT_EQ(json["supporting"][0]["link"], "subject and relation");
  EXPECT_FALSE(json["supporting"][0].contains("end"));
  EXPECT_EQ(json["opposing"][0]["end"], "2011");
  EXPECT_EQ(json["compared_facts"], 4000);
  EXPECT_EQ(json["neighbours"]["subject"][0]["name"], "John Kerry");
  EXPECT_TRUE(json["neighbours"]["object"].empty());
  EXPECT_FALSE(json.contains("note"));
}

}  // namespace
}  // namespace orrery
