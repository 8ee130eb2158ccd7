// `--history lifetime`: fitted, stored, asked, explained and resumed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/small_runs.h"
#include "base/random.h"
#include "orrery/add.h"
#include "orrery/dataset.h"
#include "orrery/evaluate.h"
#include "orrery/explain.h"
#include "orrery/mix.h"
#include "orrery/train.h"

namespace orrery {
namespace {

// People are born in one of ten towns, and each joins one of ten clubs twenty years later. Of the
// joinings half are held out: who joined can be told by age alone.
Dataset people_and_clubs() {
  FactColumns splits[3];
  const auto add = [&](int split, int person, const char* relation, const std::string& where,
                       std::uint32_t year) {
    FactColumns& to = splits[split];
    to.subject.push_back("person " + std::to_string(person));
    to.relation.push_back(relation);
    to.object.push_back(where);
    to.time.push_back(std::to_string(year));
  };
  for (int person = 0; person < 600; ++person) {
    const auto key = static_cast<std::uint64_t>(person);
    const std::uint32_t year = 1800 + random_below(1, key, 150);
    const std::uint32_t age = 19 + random_below(2, key, 3);
    const int split = person % 2 == 0 ? 0 : 1 + person / 2 % 2;
    add(0, person, "born in", "town " + std::to_string(random_below(3, key, 10)), year);
    add(split, person, "joins", "club " + std::to_string(random_below(4, key, 10)), year + age);
  }
  return Dataset::from_columns(splits[0], splits[1], splits[2]);
}

TrainOptions lifetime_options(const std::string& history) {
  TrainOptions options;
  options.dim = 16;
  options.batch = 300;
  options.epochs = 5;
  options.threads = 1;
  options.history = history;
  return options;
}

double subject_mrr(const Model& model, const Dataset& data) {
  return evaluate(model, data, {.split = Split::test}).subject.mrr;
}

TEST(Lifetime, TellsWhoIsOfTheAge) {
  const Dataset data = people_and_clubs();
  const Model near = train(data, lifetime_options("near"));
  const Model lifetime = train(data, lifetime_options("lifetime"));
  EXPECT_GT(subject_mrr(lifetime, data), subject_mrr(near, data) + 0.05);
  const Embeddings worth = lifetime.embeddings("history");
  EXPECT_EQ(worth.info.dim, near.embeddings("history").info.dim + 1);
  const auto row = std::ranges::find(worth.names, "joins (reciprocal)") - worth.names.begin();
  EXPECT_GT(worth.row(row).back(), 1);
  EXPECT_TRUE(
      std::ranges::equal(near.embeddings("entity").values, lifetime.embeddings("entity").values));
}

TEST(Lifetime, IsPartOfScoresExplanationsAndMixtures) {
  const Dataset data = people_and_clubs();
  const Model model = train(data, lifetime_options("lifetime"));
  const Fact fact = data.facts(Split::test)[0];
  const Question who{.subject = data.entity_names()[static_cast<std::size_t>(fact.subject)],
                     .relation = "joins",
                     .object = data.entity_names()[static_cast<std::size_t>(fact.object)],
                     .time = data.date(fact)};
  const Explanation found = explain(model, data, who);
  const auto& terms = found.subject.history;
  const auto term =
      std::ranges::find(terms, "its own facts lie around that time", &HistoryTerm::feature);
  ASSERT_NE(term, terms.end());
  EXPECT_GT(term->added, 0.5);
  const std::string in_train = "its other facts in train lie around that time";
  EXPECT_TRUE(testing::contains(term->sentence, in_train)) << term->sentence;
  Question asked = who;
  asked.subject.clear();
  const Answers answers = model.predict(asked, {.top = 10000});
  const auto own = std::ranges::find(answers, who.subject, &Answer::name);
  ASSERT_NE(own, answers.end());
  EXPECT_NEAR(found.subject.score, own->score, 1e-4);
  const auto now = std::ranges::find(found.curve, found.time, &TimeScore::time);
  ASSERT_NE(now, found.curve.end());
  EXPECT_NEAR(now->score, found.object.score, 1e-4);

  const Model plain = train(data, lifetime_options("none"));
  const Model parts[] = {plain, model};
  EXPECT_GT(subject_mrr(mix(parts, data), data), subject_mrr(plain, data) + 0.05);
}

// An addition of another one is no fact of this one.
TEST(Lifetime, WhatWasAddedIsToldFromTrain) {
  const Dataset data = people_and_clubs();
  const Model model = train(data, lifetime_options("lifetime"));
  const Fact fact = data.facts(Split::test)[0];
  const std::string date = data.date(fact);
  const Question who{.subject = data.entity_names()[static_cast<std::size_t>(fact.subject)],
                     .relation = "joins",
                     .object = data.entity_names()[static_cast<std::size_t>(fact.object)],
                     .time = date};
  const auto said_with = [&](const std::string& person) {
    FactColumns facts;
    facts.subject = {person};
    facts.relation = {"born in"};
    facts.object = {"town 1"};
    facts.time = {std::to_string(std::stoi(date) - 20)};
    const Model grown = add(model, Dataset::from_columns(facts, {}, {}));
    std::string text;
    for (const HistoryTerm& term : explain(grown, data, who, {.most_facts = 0}).subject.history)
      text += term.sentence + "\n";
    return text;
  };
  const std::string own = said_with(who.subject), other = said_with("person 0");
  EXPECT_TRUE(testing::contains(own, "its other facts in train and those that were added lie"))
      << own;
  EXPECT_TRUE(testing::contains(other, "its other facts in train lie")) << other;
}

class LifetimeRuns : public testing::SmallRuns {
 protected:
  TrainOptions with_lifetime() const {
    TrainOptions all = rich_options();
    all.history = "lifetime";
    all.history_from = "both";
    return all;
  }
};

TEST_F(LifetimeRuns, ResumedInMidEpochARunEndsInTheSameBytes) {
  testing::train_run(with_lifetime(), at("whole"));
  testing::StopAfter stop(3);
  testing::train_run(with_lifetime(), at("cut"), &stop);
  testing::resume_run(at("cut"));
  expect_same_run("whole", "cut");
}

TEST(Lifetime, AModelFileAnswersAsTheModelInMemoryDid) {
  const Dataset data = people_and_clubs();
  const Model model = train(data, lifetime_options("lifetime"));
  const auto path = std::filesystem::path(::testing::TempDir()) / "lifetime.safetensors";
  model.save(path);
  EXPECT_EQ(subject_mrr(Model::open(path), data), subject_mrr(model, data));
}

}  // namespace
}  // namespace orrery
