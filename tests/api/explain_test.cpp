#include "orrery/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "api/small_runs.h"
#include "orrery/evaluate.h"
#include "orrery/models.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

class Explain : public testing::SmallRuns {
 protected:
  static Question question_of(const Dataset& data, const Fact& fact, const std::string& time) {
    return {data.entity_names()[static_cast<std::size_t>(fact.subject)],
            data.relation_names()[static_cast<std::size_t>(fact.relation)],
            data.entity_names()[static_cast<std::size_t>(fact.object)], time};
  }
};

// Score and probability of an answer among all of them.
Answer answer_named(const Model& model, const Question& question, const std::string& name) {
  for (const Answer& answer : model.predict(question, {.top = 1000}))
    if (answer.name == name) return answer;
  return {};
}

void expect_whole(const Model& model, const Dataset& data, const Question& fact) {
  const Explanation found = explain(model, data, fact, {.top = 1000, .any_link = true});
  const Answer object =
      answer_named(model, {fact.subject, fact.relation, "", fact.time}, fact.object);
  const Answer subject =
      answer_named(model, {"", fact.relation, fact.object, fact.time}, fact.subject);
  EXPECT_NEAR(found.object.score, object.score, 1e-4);
  EXPECT_NEAR(found.object.probability, object.probability, 1e-5);
  EXPECT_NEAR(found.subject.score, subject.score, 1e-4);
  for (const ExplainedSide* side : {&found.object, &found.subject}) {
    EXPECT_GE(side->filtered_rank, 1);
    EXPECT_LE(side->filtered_rank, side->rank);
    EXPECT_LE(side->rank, side->entities);
    EXPECT_GE(side->filtered_rank + side->known_others, side->rank);
  }
  if (!found.time.empty()) {
    ASSERT_EQ(found.curve.size(), static_cast<std::size_t>(model.card().times));
    const auto now = std::ranges::find(found.curve, found.time, &TimeScore::time);
    ASSERT_NE(now, found.curve.end());
    EXPECT_NEAR(now->score, found.object.score, 1e-4);
    EXPECT_NEAR(now->probability, found.object.probability, 1e-4);
  }
  ASSERT_FALSE(found.supporting.empty()) << found.influence_note;
  EXPECT_EQ(found.influence_note, "");
  for (const InfluentialFact& one : found.supporting) EXPECT_GT(one.influence, 0);
  for (const InfluentialFact& one : found.opposing) EXPECT_LT(one.influence, 0);
  EXPECT_EQ(found.near_subject.size(), ExplainOptions().neighbours);
}

TEST_F(Explain, EveryModelExplainsPoints) {
  const Dataset data = Dataset::open(at("data").string());
  const Fact fact = data.facts(Split::train)[5];
  for (const ModelInfo& info : models()) {
    SCOPED_TRACE(info.name);
    TrainOptions o = options();
    o.model = info.name;
    o.dim = 24;
    const Model model = train(data, o);
    const Question question = question_of(data, fact, data.date(fact));
    expect_whole(model, data, question);
    const Explanation found = explain(model, data, question);
    ASSERT_TRUE(found.known);
    EXPECT_TRUE(found.known->now);
    EXPECT_EQ(found.known->split, Split::train);
    const bool attends = info.name == "bsca" || info.name == "hge";
    EXPECT_EQ(!found.object.attention.empty(), attends);
  }
}

TEST_F(Explain, IntervalsAreExplainedInBothReadings) {
  write_world("intervals", true);
  for (const std::string reading : {"within", "ends"}) {
    SCOPED_TRACE(reading);
    const Dataset data = Dataset::open(at("intervals").string(), {.intervals = reading});
    const Fact fact = data.facts(Split::train)[5];
    for (const std::string name : {"bsca", "tcomplex", "hyte", "de-simple", "tuckertnt"}) {
      SCOPED_TRACE(name);
      TrainOptions o = options();
      o.data.clear();
      o.reading.intervals = reading;
      o.model = name;
      const Model model = train(data, o);
      const std::string start = data.date(fact).substr(0, data.date(fact).find('\t'));
      expect_whole(model, data, question_of(data, fact, start));
      const Explanation found = explain(model, data, question_of(data, fact, start));
      ASSERT_FALSE(found.supporting.empty());
      for (const AttentionWeight& weight : found.object.attention)
        EXPECT_EQ(!weight.event.empty(), reading == "ends");
    }
  }
}

TEST_F(Explain, FilteredRanksAreThoseOfTheEvaluation) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, options());
  const Evaluation judged = evaluate(model, data);
  const auto facts = data.facts(Split::test);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Explanation found =
        explain(model, data, question_of(data, facts[i], data.date(facts[i])), {.most_facts = 0});
    EXPECT_EQ(static_cast<double>(found.object.filtered_rank), rank_of(judged.ranks[2 * i]));
    EXPECT_EQ(static_cast<double>(found.subject.filtered_rank), rank_of(judged.ranks[2 * i + 1]));
  }
}

TEST_F(Explain, LinksAreWhatFactsHaveInCommon) {
  const Dataset data =
      Dataset::from_columns({{"a", "a", "b", "a", "c", "a", "b"},
                             {"r", "q", "q", "r", "r", "q", "q"},
                             {"b", "b", "a", "c", "b", "c", "c"},
                             {"2001", "2002", "2003", "2004", "2005", "2006", "2007"}});
  TrainOptions o;
  o.dim = 16;
  o.epochs = 3;
  o.threads = 1;
  const Model model = train(data, o);
  const Explanation found =
      explain(model, data, {"a", "r", "b", "2001"}, {.top = 100, .any_link = true});
  std::map<std::string, Link> links;
  for (const auto* list : {&found.supporting, &found.opposing})
    for (const InfluentialFact& one : *list) links[one.time] = one.link;
  const std::map<std::string, Link> expected = {{"2001", Link::fact},
                                                {"2002", Link::pair},
                                                {"2003", Link::inverse},
                                                {"2004", Link::subject_relation},
                                                {"2005", Link::object_relation},
                                                {"2006", Link::subject},
                                                {"2007", Link::object}};
  EXPECT_EQ(links, expected);
  EXPECT_EQ(found.related_facts, 7U);
  EXPECT_EQ(explain(model, data, {"a", "r", "b", "2001"}).related_facts, 5U);
  const Explanation few = explain(model, data, {"a", "r", "b", "2001"}, {.most_facts = 2});
  EXPECT_EQ(few.compared_facts, 2U);
  EXPECT_EQ(few.related_facts, 5U);
}

TEST_F(Explain, WhatIsMissingOrUnknownIsRefused) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, options());
  const auto refusal = [&](const Question& fact) {
    return refused([&] { explain(model, data, fact); });
  };
  EXPECT_TRUE(contains(refusal({"e01", "r1", "", "2014-01-02"}), "object is missing"));
  EXPECT_TRUE(contains(refusal({"", "r1", "e02", "2014-01-02"}), "subject is missing"));
  EXPECT_TRUE(contains(refusal({"e01", "", "e02", "2014-01-02"}), "relation is missing"));
  EXPECT_TRUE(contains(refusal({"e01", "r1", "e02", ""}), "time is missing"));
  EXPECT_TRUE(contains(refusal({"e1", "r1", "e02", "2014-01-02"}), "e1"));
  EXPECT_TRUE(contains(refusal({"e01", "r9", "e02", "2014-01-02"}), "r9"));
  EXPECT_TRUE(contains(refusal({"e01", "r1", "e02", "soon"}), "is not a date"));
  EXPECT_TRUE(contains(refused([&] { nearest(model, "nobody", 3); }), "nobody"));
}

// Against a walk over all facts.
TEST_F(Explain, TheFactsOfAnEntityAreThoseOfAllSplits) {
  const Dataset data = Dataset::open(at("data").string());
  const Model bare = train(data, options());
  EXPECT_TRUE(contains(refused([&] { facts_of(bare, "e01", 3); }), "no facts"));
  const Model model = bare.with_facts(data);
  EXPECT_TRUE(contains(refused([&] { facts_of(model, "nobody", 3); }), "nobody"));
  const std::int32_t entity = *data.find_entity("e01");
  std::multiset<std::string> expected, found;
  for (const Split split : all_splits)
    for (const Fact& fact : data.facts(split))
      if (fact.subject == entity || fact.object == entity)
        expected.insert(fmt::format("{} {} {} {} {}",
                                    data.entity_names()[static_cast<std::size_t>(fact.subject)],
                                    data.relation_names()[static_cast<std::size_t>(fact.relation)],
                                    data.entity_names()[static_cast<std::size_t>(fact.object)],
                                    data.date(fact), name_of(split)));
  const FactsOfEntity facts = facts_of(model, "e01", 1000);
  std::string last = "9999";
  for (const DatedFact& fact : facts.latest) {
    found.insert(fmt::format("{} {} {} {} {}", fact.subject, fact.relation, fact.object, fact.time,
                             name_of(fact.split)));
    EXPECT_LE(fact.time, last);
    last = fact.time;
  }
  EXPECT_GT(expected.size(), 10U);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(facts_of(model, "e01", 2).latest.size(), 2U);
  EXPECT_EQ(facts_of(model, "e01", 2).total, expected.size());
}

TEST_F(Explain, ADateBeyondTheAxisIsFlagged) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, options());
  const Explanation found = explain(model, data, {"e01", "r1", "e02", "2031-01-01"});
  EXPECT_EQ(found.time, model.time_names().back());
  EXPECT_TRUE(contains(found.note, "after the last time"));
}

TEST_F(Explain, NearestEntitiesAreABruteForceSort) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, options());
  const Embeddings rows = model.embeddings("entity");
  const auto product = [&](std::int64_t a, std::int64_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.row(a).size(); ++i)
      sum += double{rows.row(a)[i]} * double{rows.row(b)[i]};
    return sum;
  };
  const auto found = nearest(model, rows.names[3], 1000);
  ASSERT_EQ(found.size(), rows.names.size() - 1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto id = std::ranges::find(rows.names, found[i].name) - rows.names.begin();
    ASSERT_NE(id, 3);
    EXPECT_NEAR(found[i].similarity, product(3, id) / std::sqrt(product(3, 3) * product(id, id)),
                1e-6);
    EXPECT_LE(found[i].similarity, i > 0 ? found[i - 1].similarity : 1.000001);
  }
}

TEST_F(Explain, HistorySaysWhatItAdded) {
  TrainOptions o = options();
  o.history = "relation";
  o.history_from = "train";
  o.epochs = 20;
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, o);
  const Embeddings worth = model.embeddings("history");
  std::size_t seen = 0;
  for (const Fact& fact : data.facts(Split::train)) {
    const Explanation found =
        explain(model, data, question_of(data, fact, data.date(fact)), {.most_facts = 0});
    for (const HistoryTerm& term : found.object.history) {
      ++seen;
      EXPECT_FLOAT_EQ(static_cast<float>(term.added), worth.row(fact.relation)[0]);
      EXPECT_TRUE(contains(term.sentence, "train has it at 2014-01-"));
      EXPECT_TRUE(contains(term.sentence, term.added < 0 ? "does not repeat" : "repeats"));
    }
  }
  EXPECT_GT(seen, 10U);
}

TEST_F(Explain, TheNumberOfThreadsChangesNothing) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, options());
  const Fact fact = data.facts(Split::train)[5];
  const Question question = question_of(data, fact, data.date(fact));
  const auto told = [&](std::int64_t threads) {
    std::vector<double> numbers;
    const Explanation found = explain(model.on({.threads = threads}), data, question);
    for (const InfluentialFact& one : found.supporting) numbers.push_back(one.influence);
    for (const InfluentialFact& one : found.opposing) numbers.push_back(one.influence);
    for (const TimeScore& time : found.curve) numbers.push_back(time.score);
    return numbers;
  };
  EXPECT_GT(told(1).size(), 10U);
  EXPECT_EQ(told(1), told(3));
}

}  // namespace
}  // namespace orrery
