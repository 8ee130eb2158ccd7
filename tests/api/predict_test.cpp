#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "facts/scratch.h"
#include "learn/small_model.h"
#include "orrery/model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::SmallModel;

class Predict : public ::testing::Test {
 protected:
  std::filesystem::path saved(const SmallModel& model) const {
    model.write_to(scratch_.path() / "alone.safetensors");
    return scratch_.path() / "alone.safetensors";
  }

  // Names from best to worst, straight from the engine.
  static std::vector<std::string> sorted_names(SmallModel& model, const QueryPair& queries) {
    std::vector<float> scores(static_cast<std::size_t>(model.header.entities.size()));
    model.engine->score({&queries, 1}, scores);
    std::vector<std::int32_t> ids(scores.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::ranges::stable_sort(ids, std::greater{},
                             [&](std::int32_t id) { return scores[static_cast<std::size_t>(id)]; });
    std::vector<std::string> names;
    for (const auto id : ids) names.push_back(model.header.entities.name(id));
    return names;
  }

  static std::vector<std::string> names_of(const Answers& answers) {
    std::vector<std::string> names;
    for (const Answer& answer : answers) names.push_back(answer.name);
    return names;
  }

  testing::ScratchDirectory scratch_;
};

TEST_F(Predict, AnswersAreABruteForceSortInBothDirections) {
  for (const auto* name : {"bsca", "tcomplex", "tntcomplex"}) {
    SmallModel model(name);
    const Model asked = Model::open(saved(model), {.threads = 1});
    for (std::int32_t time = 0; time < 4; ++time) {
      const std::string year = std::to_string(time);
      EXPECT_EQ(names_of(asked.predict({"e004", "r001", "", year}, {.top = 12})),
                sorted_names(model, {{4, 1, time}, {}, false}));
      // Reciprocal relations follow the three forward ones.
      EXPECT_EQ(names_of(asked.predict({"", "r002", "e007", year}, {.top = 12})),
                sorted_names(model, {{7, 5, time}, {}, false}));
    }
  }
}

TEST_F(Predict, IntervalModelsAreAskedForStartAndEndTogether) {
  SmallModel model("bsca", true);
  const Model asked = Model::open(saved(model), {.threads = 1});
  EXPECT_EQ(names_of(asked.predict({"e004", "r001", "", "2"}, {.top = 12})),
            sorted_names(model, {{4, 1, 2}, {4, 4, 2}, true}));
  EXPECT_EQ(names_of(asked.predict({"", "r001", "e004", "2"}, {.top = 12})),
            sorted_names(model, {{4, 7, 2}, {4, 10, 2}, true}));
}

TEST_F(Predict, ScoresFallAndProbabilitiesAddUp) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  const auto answers = asked.predict({"e001", "r000", "", "1"}, {.top = 12});
  double sum = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    sum += answers[i].probability;
    if (i > 0) {
      EXPECT_LE(answers[i].score, answers[i - 1].score);
      EXPECT_NEAR(answers[i].probability / answers[0].probability,
                  std::exp(answers[i].score - answers[0].score), 1e-6);
    }
  }
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST_F(Predict, TopIsBoundedByWhatThereIs) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  const auto ask = [&](std::size_t top) {
    return asked.predict({"e001", "r000", "", "1"}, {.top = top}).size();
  };
  EXPECT_EQ(ask(0), 0U);
  EXPECT_EQ(ask(1), 1U);
  EXPECT_EQ(ask(std::numeric_limits<std::size_t>::max()), 12U);
}

TEST_F(Predict, TiesStandInTheOrderOfIds) {
  SmallModel model;
  for (std::size_t t = 0; t < model.engine->tables().size(); ++t) {
    const std::vector<float> zeros(static_cast<std::size_t>(model.engine->tables()[t].count) * 16U);
    model.engine->write(t, State::value, zeros);
  }
  const auto answers = Model::open(saved(model)).predict({"e001", "r000", "", "1"}, {.top = 3});
  EXPECT_EQ(names_of(answers), (std::vector<std::string>{"e000", "e001", "e002"}));
  EXPECT_DOUBLE_EQ(answers[0].probability, 1.0 / 12);
}

TEST_F(Predict, UnknownNamesAreRefusedWithSuggestions) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  const auto refusal = [&](const Question& question) {
    return refused([&] { asked.predict(question); });
  };
  EXPECT_TRUE(contains(refusal({"ee04", "r001", "", "1"}), "did you mean \"e004\""));
  EXPECT_TRUE(contains(refusal({"e004", "r0001", "", "1"}), "no relation \"r0001\"; did you mean"));
  EXPECT_TRUE(contains(refusal({"nobody", "r001", "", "1"}), "nor one spelt like it"));
}

TEST_F(Predict, NamesMayDifferInCaseAndAccents) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  EXPECT_EQ(names_of(asked.predict({"É004", "R001", "", "1"})),
            names_of(asked.predict({"e004", "r001", "", "1"})));
}

TEST_F(Predict, AQuestionLeavesOutOnePart) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  const auto refusal = [&](const Question& question) {
    return refused([&] { asked.predict(question); });
  };
  EXPECT_TRUE(contains(refusal({"", "r000", "", "1"}), "no subject and no object"));
  EXPECT_TRUE(contains(refusal({"e001", "", "", "1"}), "no relation and no object"));
  EXPECT_TRUE(contains(refusal({"e001", "r000", "", ""}), "depend on time"));
}

TEST_F(Predict, DatesOutsideTheRangeGoToTheNearest) {
  const Model asked = Model::open(saved(SmallModel()), {.threads = 1});
  EXPECT_EQ(asked.nearest_time("-44"), "0");
  EXPECT_EQ(asked.nearest_time("2"), "2");
  EXPECT_EQ(asked.nearest_time("1999-12-31"), "3");
  const auto far = asked.predict({"e001", "r000", "", "1999"});
  EXPECT_EQ(names_of(far), names_of(asked.predict({"e001", "r000", "", "3"})));
  for (const auto* bad : {"yesterday", "12/32/1999", "####"}) {
    EXPECT_TRUE(contains(refused([&] {
                           asked.predict({"e001", "r000", "", bad});
                         }),
                         "not a date"))
        << bad;
  }
}

TEST_F(Predict, OnlyModelsThatKnowTimeNeedADate) {
  SmallModel model("complex");
  const Model still = Model::open(saved(model), {.threads = 1});
  const auto answers = still.predict({"e001", "r000", "", ""}, {.top = 12});
  EXPECT_EQ(names_of(answers), sorted_names(model, {{1, 0, 0}, {}, false}));
  EXPECT_EQ(names_of(still.predict({"e001", "r000", "", "3"}, {.top = 12})), names_of(answers));
  const Model moving = Model::open(saved(SmallModel()), {.threads = 1});
  EXPECT_TRUE(contains(refused([&] { moving.predict({"e001", "r000", "", ""}); }), "--time"));
}

TEST_F(Predict, AModelThatHasDivergedGivesNoAnswers) {
  SmallModel model;
  std::vector<float> rows(12 * 16, std::numeric_limits<float>::quiet_NaN());
  model.engine->write(0, State::value, rows);
  const Model asked = Model::open(saved(model), {.threads = 1});
  try {
    asked.predict({"e001", "r000", "", "1"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::model);
    EXPECT_TRUE(contains(error.what(), "diverged") && !contains(error.what(), "damaged"));
  }
  // Nobody knows whether its bytes are those that were written.
  const Model unverified = Model::open(saved(model), {.threads = 1}, false);
  const auto ask = [&] { unverified.predict({"e001", "r000", "", "1"}); };
  EXPECT_TRUE(contains(refused(ask), "or the file, whose checksums were not compared, is damaged"));
}

TEST_F(Predict, ThreadsNeverChangeAnAnswerNorDoCopies) {
  const auto path = saved(SmallModel());
  const Model one = Model::open(path, {.threads = 1});
  const Model moved(one);
  const Model three = Model::open(path, {.threads = 3});
  const Question question{"e001", "r000", "", "1"};
  const auto a = moved.predict(question), b = three.predict(question);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].score, b[i].score);
}

TEST_F(Predict, ADateThatTheModelHasNoTimeForIsNoted) {
  SmallModel model;  // of the years 0 to 3
  model.header.times.rows = {{10, 10, "1970-01-11"},
                             {12, 12, "1970-01-13"},
                             {13, 13, "1970-01-14"},
                             {20, 20, "1970-01-21"}};
  model.header.times.granularity = Granularity::day;
  const Model asked = Model::open(saved(model), {.threads = 1});
  const auto note = [&](const std::string& time) {
    return asked.predict({"e004", "r001", "", time}, {.top = 1}).note;
  };
  EXPECT_EQ(note("1970-01-13"), "");
  EXPECT_EQ(
      note("1970-02-01"),
      "\"1970-02-01\" is 11 days after the last time of the data; 1970-01-21 is answered for");
  EXPECT_EQ(
      note("1970-01-10"),
      "\"1970-01-10\" is 1 day before the first time of the data; 1970-01-11 is answered for");
  EXPECT_EQ(note("1970-01-12"),
            "no training fact is of \"1970-01-12\"; it is answered from its neighbours, 1970-01-11 "
            "and 1970-01-13");
  model.header.times.rows[0] = {0, 10, "1970-01-01..1970-01-11"};
  const Model wide = Model::open(saved(model), {.threads = 1});
  EXPECT_EQ(wide.predict({"e004", "r001", "", "1970"}, {.top = 1}).note,
            "\"1970\" is coarser than a day; 1970-01-01..1970-01-11 is answered for");
  EXPECT_EQ(wide.predict({"e004", "r001", "", "1970-01-01..1970-01-11"}, {.top = 1}).note, "");
}

}  // namespace
}  // namespace orrery
