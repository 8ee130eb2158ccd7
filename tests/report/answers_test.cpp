#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "orrery/report.h"

namespace orrery {
namespace {

using testing::contains;

const Question whom{.subject = "Ada", .relation = "meets", .object = "", .time = "2014-04-25"};

Answers two_answers() {
  Answers answers{
      .asked = "object", .time = "2014-04-25", .note = "", .looked_up = true, .best = {}};
  answers.best.push_back({.name = "Bo, \"the\" Elder",
                          .score = 3.5,
                          .probability = 0.75,
                          .calibrated = 0.6,
                          .known = {},
                          .seen = true});
  answers.best.push_back({.name = "Cy",
                          .score = 1.25,
                          .probability = 0.125,
                          .calibrated = 0.1,
                          .known = KnownFactOf{Split::valid, false, "2014-05-01"},
                          .seen = false});
  return answers;
}

TEST(AnswersReport, JsonHasTheWordsOfEveryDoor) {
  const auto json = nlohmann::json::parse(answers_json({&whom, 1}, std::vector{two_answers()}));
  EXPECT_EQ(json.at("asked"), "object");
  EXPECT_EQ(json.at("subject"), "Ada");
  EXPECT_EQ(json.at("time_row"), "2014-04-25");
  EXPECT_FALSE(json.contains("object") || json.contains("note") || json.contains("curve"));
  EXPECT_EQ(json.at("answers").at(0).at("calibrated"), 0.6);
  EXPECT_TRUE(json.at("answers").at(0).at("known").is_null());
  const auto& known = json.at("answers").at(1).at("known");
  EXPECT_EQ(known.at("split"), "valid");
  EXPECT_EQ(known.at("now"), false);
  EXPECT_EQ(known.at("time"), "2014-05-01");
}

TEST(AnswersReport, WhatWasNotLookedUpOrCalibratedIsLeftOut) {
  Answers answers = two_answers();
  answers.looked_up = false;
  answers.best[0].calibrated = std::numeric_limits<double>::quiet_NaN();
  const auto json = nlohmann::json::parse(answers_json({&whom, 1}, std::vector{answers}));
  for (const char* const absent : {"known", "seen", "calibrated"})
    EXPECT_FALSE(json.at("answers").at(0).contains(absent)) << absent;
}

TEST(AnswersReport, SeveralQuestionsAreAListAndACurveIsWhole) {
  Answers when{.asked = "time", .time = "", .note = "", .best = {}};
  when.curve = {{"2013", 1, 0.25}, {"2014", 2, 0.75}};
  when.interval = LikelyInterval{"2013", "2014"};
  const std::vector<Question> questions = {whom,
                                           {.subject = "Ada", .relation = "meets", .object = "Bo"}};
  const auto json =
      nlohmann::json::parse(answers_json(questions, std::vector{two_answers(), when}));
  ASSERT_EQ(json.size(), 2U);
  EXPECT_EQ(json.at(1).at("curve").size(), 2U);
  EXPECT_EQ(json.at(1).at("curve").at(1).at("probability"), 0.75);
  EXPECT_EQ(json.at(1).at("interval").at("start"), "2013");
  EXPECT_TRUE(contains(answers_text(questions[1], when), "most likely from 2013 to 2014"));
}

TEST(AnswersReport, TextShowsMarksAndTheQuestion) {
  const std::string text = answers_text(whom, two_answers());
  for (const char* const part :
       {"(Ada, meets, ?, 2014-04-25)", "75.0 %", "60.0 %", "valid, 2014-05-01", "never"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(AnswersReport, CsvQuotesWhatNeedsIt) {
  const std::string csv = answers_csv({&whom, 1}, std::vector{two_answers()});
  EXPECT_EQ(std::ranges::count(csv, '\n'), 3);
  EXPECT_TRUE(
      contains(csv, "1,Ada,meets,,2014-04-25,object,1,\"Bo, \"\"the\"\" Elder\",3.5,0.75,0.6,"))
      << csv;
}

}  // namespace
}  // namespace orrery
