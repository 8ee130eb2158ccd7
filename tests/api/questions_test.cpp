// Who, what, when, and is it so: questions against what the engine itself says, and facts that are
// known already.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "facts/scratch.h"
#include "learn/small_model.h"
#include "orrery/model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::ScratchDirectory;
using testing::SmallModel;

class Questions : public ::testing::Test {
 protected:
  Model asked(const SmallModel& model) const {
    model.write_to(scratch_.path() / "model.safetensors");
    return Model::open(scratch_.path() / "model.safetensors", {.threads = 1});
  }

  // Log-odds of the object among all objects and of the subject among all subjects, as "who?" says.
  static double plausibility(const Model& model, const Question& fact) {
    const auto log_odds = [&](const Question& question, const std::string& name) {
      const Answers all = model.predict(question, {.top = 12});
      const double p = std::ranges::find(all.best, name, &Answer::name)->probability;
      return std::log(p / (1 - p));
    };
    return log_odds({fact.subject, fact.relation, "", fact.time}, fact.object) +
           log_odds({"", fact.relation, fact.object, fact.time}, fact.subject);
  }

  static std::vector<std::string> names_of(const Answers& answers) {
    std::vector<std::string> names;
    for (const Answer& answer : answers) names.push_back(answer.name);
    return names;
  }

  // e001 and e002 meet in year 1 (train) and 3 (test), e003 in year 2 (valid); r002 has e004 alone.
  static Dataset facts() {
    return Dataset::from_columns(
        {.subject = {"e001", "e001", "e005", "e001"},
         .relation = {"r000", "r000", "r001", "r002"},
         .object = {"e002", "e006", "e007", "e004"},
         .time = {"1", "0", "2", "0"}},
        {.subject = {"e001"}, .relation = {"r000"}, .object = {"e003"}, .time = {"2"}},
        {.subject = {"e001"}, .relation = {"r000"}, .object = {"e002"}, .time = {"3"}},
        {.granularity = "year"});
  }

  ScratchDirectory scratch_;
};

TEST_F(Questions, AMissingRelationIsRankedByBothDirectionsOfItsFacts) {
  for (const char* const name : {"bsca", "tntcomplex", "de-simple", "ttranse"}) {
    const Model model = asked(SmallModel(name));
    const Answers answers = model.predict({"e004", "", "e007", "2"});
    EXPECT_EQ(answers.asked, "relation");
    std::vector<double> values;
    for (const char* const relation : {"r000", "r001", "r002"})
      values.push_back(plausibility(model, {"e004", relation, "e007", "2"}));
    std::vector<std::size_t> order = {0, 1, 2};
    std::ranges::sort(order, std::greater<>(), [&](std::size_t r) { return values[r]; });
    ASSERT_EQ(answers.size(), 3U) << name;
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(answers[i].name, "r00" + std::to_string(order[i])) << name;
      sum += answers[i].probability;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_NEAR(
        std::log(answers[0].probability / answers[1].probability),
        values[static_cast<std::size_t>(order[0])] - values[static_cast<std::size_t>(order[1])],
        1e-5);
  }
}

TEST_F(Questions, AMissingTimeHasACurveOverAllTimes) {
  const Model model = asked(SmallModel());
  const Answers answers = model.predict({"e004", "r001", "e007", ""}, {.top = 2});
  EXPECT_EQ(answers.asked, "time");
  ASSERT_EQ(answers.curve.size(), 4U);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_FALSE(answers.interval) << "its facts are points in time";
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(answers.curve[i].time, std::to_string(i));
    sum += answers.curve[i].probability;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  const auto best = std::ranges::max_element(answers.curve, {}, &TimeScore::probability);
  EXPECT_EQ(answers[0].name, best->time);
  EXPECT_EQ(answers[0].probability, best->probability);
  EXPECT_NEAR(std::log(answers.curve[3].probability / answers.curve[0].probability),
              plausibility(model, {"e004", "r001", "e007", "3"}) -
                  plausibility(model, {"e004", "r001", "e007", "0"}),
              1e-5);
}

TEST_F(Questions, AMissingTimeOfIntervalsHasALikelyStartAndEnd) {
  const Answers answers = asked(SmallModel("bsca", true)).predict({"e004", "r001", "e007", ""});
  ASSERT_EQ(answers.curve.size(), 4U);
  ASSERT_TRUE(answers.interval);
  EXPECT_LE(std::stoi(answers.interval->start), std::stoi(answers.interval->end));
}

TEST_F(Questions, AFactIsScoredWhereNothingIsMissing) {
  SmallModel model;
  const Model known = asked(model);
  const Answers answers = known.predict({"e004", "r001", "e007", "2"});
  EXPECT_EQ(answers.asked, "fact");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].name, "e007");
  const Answers all = known.predict({"e004", "r001", "", "2"}, {.top = 12});
  const auto same = std::ranges::find(all.best, "e007", &Answer::name);
  EXPECT_NEAR(answers[0].score, same->score, 1e-5);
  EXPECT_NEAR(answers[0].probability, same->probability, 1e-6);
}

TEST_F(Questions, ADateBetweenTwoTimesIsAnsweredFromBoth) {
  SmallModel model;
  model.header.times.rows = {{10, 10, "1970-01-11"},
                             {12, 12, "1970-01-13"},
                             {13, 13, "1970-01-14"},
                             {17, 17, "1970-01-18"}};
  model.header.times.granularity = Granularity::day;
  const Model known = asked(model);
  const auto scores = [&](const std::string& date) {
    auto answers = known.predict({"e004", "r001", "", date}, {.top = 12}).best;
    std::ranges::sort(answers, {}, &Answer::name);
    return answers;
  };
  const auto before = scores("1970-01-14"), after = scores("1970-01-18"),
             between = scores("1970-01-15");
  for (std::size_t e = 0; e < 12; ++e)
    EXPECT_NEAR(between[e].score, 0.75 * before[e].score + 0.25 * after[e].score, 1e-5);
  EXPECT_NEAR(std::accumulate(between.begin(), between.end(), 0.0,
                              [](double sum, const Answer& a) { return sum + a.probability; }),
              1, 1e-6);
  // The same where the axis has the date, and train no fact of it.
  model.header.untrained.times = {2};
  const auto untrained = asked(model).predict({"e004", "r001", "", "1970-01-14"}, {.top = 12});
  EXPECT_TRUE(contains(untrained.note, "from its neighbours, 1970-01-13 and 1970-01-18"));
  model.header.untrained.times = {2, 3};
  const auto at_the_edge = asked(model).predict({"e004", "r001", "", "1970-01-18"}, {.top = 12});
  EXPECT_TRUE(contains(at_the_edge.note, "the nearest time, 1970-01-13, is answered for"));
}

TEST_F(Questions, NamesThatTrainNeverHadAreRefusedUnlessAskedFor) {
  SmallModel model;
  model.header.untrained.entities = {4};
  model.header.untrained.relations = {2};
  const Model known = asked(model);
  EXPECT_TRUE(contains(refused([&] {
                         known.predict({"e004", "r001", "", "2"});
                       }),
                       "no training fact has the entity \"e004\""));
  EXPECT_TRUE(contains(refused([&] { known.predict({"e005", "r002", "", "2"}); }), "\"r002\""));
  EXPECT_EQ(known.predict({"e004", "r002", "", "2"}, {.untrained = true}).size(), 10U);
}

TEST_F(Questions, KnownAnswersAreMarkedWithSplitAndTime) {
  const Model known = asked(SmallModel()).with_facts(facts());
  const Answers answers = known.predict({"e001", "r000", "", "1"}, {.top = 12});
  ASSERT_TRUE(answers.looked_up);
  for (const Answer& answer : answers) {
    if (answer.name == "e002") {
      ASSERT_TRUE(answer.known);
      EXPECT_EQ(answer.known->split, Split::train);
      EXPECT_TRUE(answer.known->now);
      EXPECT_EQ(answer.known->time, "1");
    } else if (answer.name == "e003") {
      ASSERT_TRUE(answer.known);
      EXPECT_EQ(answer.known->split, Split::valid);
      EXPECT_FALSE(answer.known->now);
      EXPECT_EQ(answer.known->time, "2");
    } else if (answer.name != "e006") {
      EXPECT_FALSE(answer.known) << answer.name;
    }
    EXPECT_EQ(answer.seen, answer.name == "e002" || answer.name == "e006") << answer.name;
  }
  EXPECT_FALSE(known.predict({"e001", "r000", "", "1"}, {.known = KnownAnswers::show}).looked_up);
  const Answers when = known.predict({"e001", "r000", "e002", ""});
  for (const Answer& time : when)
    EXPECT_EQ(time.known && time.known->now, time.name == "1" || time.name == "3") << time.name;
  const Answers what = known.predict({"e001", "", "e004", "0"});
  for (const Answer& relation : what)
    EXPECT_EQ(relation.known.has_value(), relation.name == "r002") << relation.name;
}

TEST_F(Questions, KnownAnswersOfThisTimeCanBeHidden) {
  const Model known = asked(SmallModel()).with_facts(facts());
  const PredictOptions hide{.top = 12, .known = KnownAnswers::hide};
  const auto hidden = [&](const Question& question) {
    auto all = names_of(known.predict(question, {.top = 12}));
    for (const std::string& name : names_of(known.predict(question, hide))) std::erase(all, name);
    return all;
  };
  EXPECT_EQ(hidden({"e001", "r000", "", "1"}), std::vector<std::string>{"e002"});
  EXPECT_EQ(hidden({"", "r000", "e002", "3"}), std::vector<std::string>{"e001"});
  EXPECT_EQ(hidden({"e001", "r000", "", "0"}), std::vector<std::string>{"e006"});
  EXPECT_EQ(hidden({"e001", "", "e004", "0"}), std::vector<std::string>{"r002"});
  auto times = hidden({"e001", "r000", "e002", ""});
  std::ranges::sort(times);
  EXPECT_EQ(times, (std::vector<std::string>{"1", "3"}));
}

TEST_F(Questions, AnswersCanBeHeldToAListATypeOrAwayFromOne) {
  const Model known = asked(SmallModel()).with_facts(facts());
  const Question whom{"e001", "r000", "", "1"};
  const auto all = names_of(known.predict(whom, {.top = 12}));
  const auto among = [&](const std::vector<std::string>& names) {
    std::vector<std::string> kept;
    for (const std::string& name : all)
      if (std::ranges::find(names, name) != names.end()) kept.push_back(name);
    return kept;
  };
  EXPECT_EQ(names_of(known.predict(whom, {.only = {"e009", "E003"}})), among({"e003", "e009"}));
  EXPECT_EQ(names_of(known.predict(whom, {.seen_only = true})), among({"e002", "e006"}));
  EXPECT_EQ(names_of(known.predict(whom, {.seen_only = true, .only = {"e002", "e003"}})),
            std::vector<std::string>{"e002"});
  EXPECT_EQ(names_of(known.predict(whom, {.top = 12, .without = {all[0], all[5]}})).size(), 10U);
  EXPECT_EQ(names_of(known.predict(whom, {.top = 2, .without = {all[0]}})),
            (std::vector<std::string>{all[1], all[2]}));
  EXPECT_TRUE(contains(refused([&] { known.predict(whom, {.only = {"nobody"}}); }), "nobody"));
  EXPECT_TRUE(contains(refused([&] { asked(SmallModel()).predict(whom, {.seen_only = true}); }),
                       "not at hand"));
}

TEST_F(Questions, ManyQuestionsOfDifferentKindsAreAnsweredInTheirOrder) {
  const Model known = asked(SmallModel()).with_facts(facts());
  const std::vector<Question> questions = {{"e001", "r000", "", "1"},
                                           {"e001", "r000", "e002", ""},
                                           {"", "r001", "e007", "3"},
                                           {"e001", "", "e004", "0"},
                                           {"e001", "r000", "e003", "2"}};
  const auto answers = known.predict(questions);
  ASSERT_EQ(answers.size(), questions.size());
  const char* const parts[] = {"object", "time", "subject", "relation", "fact"};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(answers[i].asked, parts[i]);
    EXPECT_EQ(names_of(answers[i]), names_of(known.predict(questions[i])));
  }
}

TEST_F(Questions, AreReadFromTablesAndJson) {
  const auto read = [&](const std::string& name, const std::string& text) {
    scratch_.write(name, text);
    return read_questions((scratch_.path() / name).string());
  };
  const auto expect_two = [](const std::vector<Question>& questions, std::uint64_t first_line) {
    ASSERT_EQ(questions.size(), 2U);
    EXPECT_EQ(questions[0].subject, "Ada, Countess");
    EXPECT_EQ(questions[0].relation, "meets");
    EXPECT_EQ(questions[0].object, "");
    EXPECT_EQ(questions[0].time, "2014-04-25");
    EXPECT_EQ(questions[0].place.line, first_line);
    EXPECT_EQ(questions[1].subject, "");
    EXPECT_EQ(questions[1].object, "Bo");
  };
  expect_two(read("plain.tsv", "Ada, Countess\tmeets\t?\t2014-04-25\n\tmeets\tBo\t2014-04-26\n"),
             1);
  expect_two(read("titled.csv",
                  "time,object,relation,subject\n2014-04-25,,meets,\"Ada, Countess\"\n"
                  "2014-04-26,Bo,meets,?\n"),
             2);
  expect_two(read("lines.jsonl",
                  R"({"subject": "Ada, Countess", "relation": "meets", "time": "2014-04-25"})"
                  "\n"
                  R"({"relation": "meets", "object": "Bo", "time": "2014-04-26"})"
                  "\n"),
             1);
  EXPECT_TRUE(contains(refused([&] { read("odd.csv", "a,b,c,d,e,f\n1,2,3,4,5,6\n"); }),
                       "no column is a part of a question"));
  EXPECT_TRUE(contains(refused([&] { read("none.tsv", ""); }), "holds no question"));
  const auto wrong = read("wrong.tsv", "e001\tr000\t?\t1\ne001\tnothing\t?\t1\n");
  EXPECT_TRUE(contains(refused([&] { asked(SmallModel()).predict(wrong); }), "wrong.tsv:2:"));
}

}  // namespace
}  // namespace orrery
