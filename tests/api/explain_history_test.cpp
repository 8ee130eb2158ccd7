// How an explanation tells what the history of a pair adds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "facts/scratch.h"
#include "orrery/add.h"
#include "orrery/explain.h"
#include "orrery/inspect.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;

// The sentences of what history adds to a fact as the answer to "which object?".
std::string history_of(const Model& model, const Dataset& data, const Question& fact) {
  std::string text;
  for (const HistoryTerm& term : explain(model, data, fact, {.most_facts = 0}).object.history)
    text += term.sentence + "\n";
  return text;
}

TrainOptions options_with(const char* history) {
  TrainOptions options;
  options.dim = 16;
  options.epochs = 20;
  options.batch = 67;
  options.threads = 1;
  options.history = history;
  options.history_from = "train";
  return options;
}

class ExplainHistory : public ::testing::Test {
 protected:
  // Whoever visits is hosted, and met, on the same day. Places 0 to 5 visit 6 to 11.
  void SetUp() override {
    FactColumns facts;
    for (std::uint64_t i = 0; i < 80; ++i) {
      const std::string guest = fmt::format("p{}", random_below(1, i, 6));
      const std::string host = fmt::format("p{}", 6 + random_below(2, i, 6));
      const std::string day = fmt::format("2014-01-{:02}", 1 + random_below(3, i, 20));
      append(facts, guest, "visits", host, day);
      append(facts, host, "hosts", guest, day);
      append(facts, guest, "meets", host, day);
    }
    data_ = Dataset::from_columns(facts, {}, {}, days());
    model_ = train(*data_, options_with("near"));
  }
  static void append(FactColumns& facts, const std::string& subject, const std::string& relation,
                     const std::string& object, const std::string& day) {
    facts.subject.push_back(subject);
    facts.relation.push_back(relation);
    facts.object.push_back(object);
    facts.time.push_back(day);
  }
  static DataOptions days() {
    DataOptions reading;
    reading.granularity = "day";
    return reading;
  }
  // With one more fact.
  Model grown(const std::string& subject, const std::string& relation, const std::string& object,
              const std::string& day) const {
    FactColumns facts;
    append(facts, subject, relation, object, day);
    return add(*model_, Dataset::from_columns(facts, {}, {}, days()));
  }
  Question question_of(const Fact& fact) const {
    return {data_->entity_names()[static_cast<std::size_t>(fact.subject)],
            data_->relation_names()[static_cast<std::size_t>(fact.relation)],
            data_->entity_names()[static_cast<std::size_t>(fact.object)], data_->date(fact)};
  }
  std::string said(const Model& model, const Question& fact) const {
    return history_of(model, *data_, fact);
  }

  std::optional<Dataset> data_;
  std::optional<Model> model_;
};

TEST_F(ExplainHistory, NamesTheRelationsThatGoWithIt) {
  const Question visit = question_of(data_->facts(Split::train)[0]);
  const std::string text = said(*model_, visit);
  EXPECT_TRUE(contains(text, "train has them with 'hosts' the other way round, at that time: "))
      << text;
  EXPECT_TRUE(contains(text, "train has them with 'meets', at that time: ")) << text;
  EXPECT_FALSE(contains(text, "companion")) << text;
}

TEST_F(ExplainHistory, NumbersOfARelationAreThoseOfTheTable) {
  const auto all = history_numbers(*model_);
  const Embeddings table = model_->embeddings("history");
  ASSERT_EQ(static_cast<std::int64_t>(all.size()), table.info.rows);
  const auto of_visits = history_numbers(*model_, "Visits");
  ASSERT_EQ(of_visits.size(), 2U);
  for (const bool subject : {false, true}) {
    const HistoryNumbers& one = of_visits[subject ? 1 : 0];
    EXPECT_EQ(one.relation, "visits");
    EXPECT_EQ(one.asked, subject ? "subject" : "object");
    EXPECT_EQ(one.event, "");
    const auto row = std::ranges::find(table.names, subject ? "visits (reciprocal)" : "visits") -
                     table.names.begin();
    // Of sixteen places for companions two are taken.
    ASSERT_EQ(one.numbers.size() + 14, table.row(row).size());
    std::vector<std::string> companions;
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      EXPECT_EQ(one.numbers[i].worth, table.row(row)[i]);
      const std::string& column = model_->card().history_features[i];
      if (column.starts_with("companion"))
        companions.push_back(one.numbers[i].feature);
      else
        EXPECT_EQ(one.numbers[i].feature, column);
    }
    std::ranges::sort(companions);
    EXPECT_EQ(companions, (std::vector<std::string>{"'hosts' the other way round, at that time",
                                                    "'meets', at that time"}));
  }
  EXPECT_TRUE(contains(testing::refused([&] { history_numbers(*model_, "vists"); }), "visits"));
}

// In a model of starts and ends a relation goes with the start or the end of another.
TEST(ExplainHistoryOfEnds, NamesStartsAndEnds) {
  FactColumns facts;
  const auto append = [&](const std::string& subject, const char* relation,
                          const std::string& object, std::uint32_t from, std::uint32_t to) {
    facts.subject.push_back(subject);
    facts.relation.push_back(relation);
    facts.object.push_back(object);
    facts.time.push_back(std::to_string(from));
    facts.end.push_back(std::to_string(to));
  };
  for (std::uint64_t i = 0; i < 80; ++i) {
    const std::string person = fmt::format("p{}", i), club = fmt::format("c{}", i % 7);
    const std::uint32_t from = 1900 + random_below(1, i, 20);
    append(person, "joins", club, from, from + 30);
    append(person, "leads", club, from + 10, from + 30);
  }
  DataOptions reading;
  reading.intervals = "ends";
  const Dataset data = Dataset::from_columns(facts, {}, {}, reading);
  const Model model = train(data, options_with("near"));
  const auto numbers = history_numbers(model, "joins");
  ASSERT_EQ(numbers.size(), 4U);
  const std::string ends = "the end of 'leads', at that time";
  for (const HistoryNumbers& one : numbers)
    EXPECT_EQ(std::ranges::count(one.numbers, ends, &HistoryNumber::feature),
              one.event == "end" ? 1 : 0)
        << one.asked << " " << one.event;
  const Question joins{"p0", "joins", "c0", facts.end[0]};
  EXPECT_TRUE(contains(history_of(model, data, joins), "train has them with " + ends))
      << history_of(model, data, joins);
}

// Everybody is in a club twice; asked in the midst of the second time, only the first is another.
TEST(ExplainHistoryOfEnds, WhatHoldsThenIsNotAnotherTime) {
  FactColumns facts;
  for (std::uint64_t i = 0; i < 60; ++i)
    for (const std::uint32_t from : {1900U, 1910U}) {
      facts.subject.push_back(fmt::format("p{}", i));
      facts.relation.emplace_back("joins");
      facts.object.push_back(fmt::format("c{}", i % 7));
      facts.time.push_back(std::to_string(from));
      facts.end.push_back(std::to_string(from + 6));
    }
  DataOptions reading;
  reading.intervals = "ends";
  const Dataset data = Dataset::from_columns(facts, {}, {}, reading);
  const std::string text =
      history_of(train(data, options_with("relation")), data, {"p0", "joins", "c0", "1910"});
  EXPECT_TRUE(contains(text, "train has it at 1900, and ")) << text;
  EXPECT_TRUE(contains(text, "train has it at 1906, and ")) << text;
  EXPECT_FALSE(contains(text, "1916")) << text;
}

TEST_F(ExplainHistory, SaysWhichFactsWereAdded) {
  // Guests never visited each other.
  const Question alone{"p0", "visits", "p1", "2014-01-03"};
  ASSERT_EQ(said(*model_, alone), "");
  const std::string known = said(grown("p0", "visits", "p1", "2014-01-20"), alone);
  EXPECT_TRUE(contains(known, "what was added has it at 2014-01-20, and ")) << known;
  EXPECT_FALSE(contains(known, "train")) << known;
  const std::string near = said(grown("p1", "hosts", "p0", "2014-01-03"), alone);
  EXPECT_TRUE(contains(near, "what was added has them with 'hosts' the other way round")) << near;
  EXPECT_TRUE(contains(near, "what was added has them with another relation, reversed, at that"))
      << near;
  EXPECT_FALSE(contains(near, "train")) << near;
}

TEST_F(ExplainHistory, TellsTrainFromWhatWasAdded) {
  Question elsewhen = question_of(data_->facts(Split::train)[0]);
  const Model model = grown(elsewhen.subject, elsewhen.relation, elsewhen.object, "2014-02-10");
  elsewhen.time = "2014-02-10";
  const std::string at_that_time = said(model, elsewhen);
  EXPECT_TRUE(contains(at_that_time, "train has it at ")) << at_that_time;
  EXPECT_FALSE(contains(at_that_time, "added")) << "what is asked is left out\n" << at_that_time;
  elsewhen.time = "2014-01-01";
  const std::string both = said(model, elsewhen);
  EXPECT_TRUE(contains(both, "train has it at 2014-01-")) << both;
  EXPECT_TRUE(contains(both, ", what was added at 2014-02-10, and ")) << both;
}

}  // namespace
}  // namespace orrery
