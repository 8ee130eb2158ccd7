// What the page of a data check is made of: sentences, counts per time, suspicions, leaks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "data/data_check.h"
#include "data/fact_sentence.h"
#include "data/load.h"
#include "data/time_counts.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::ScratchDirectory;
using Lines = std::vector<std::string>;

TemporalGraph graph_of(const std::string& train, const std::string& test = {},
                       DateForm dates = DateForm::automatic) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", train);
  if (!test.empty()) scratch.write("test.txt", test);
  LoadOptions options;
  options.dates = dates;
  if (test.empty()) options.cut = cut_rule("100/0/0", "random", 1);
  return load_facts(scratch.path(), options);
}

TEST(FactSentence, SaysWhen) {
  EXPECT_EQ(example_sentences(graph_of("Ada\tmeets\tBen\t2014-04-25\n"), 5),
            Lines{"Ada meets Ben, on 2014-04-25"});
  EXPECT_EQ(example_sentences(graph_of("Ada\tmeets\tBen\t2014\n"), 5),
            Lines{"Ada meets Ben, in 2014"});
  EXPECT_EQ(example_sentences(graph_of("Ada\tworks for\tAcme\t2016\t2019\nA\tr\tB\t2016\t\n"
                                       "A\tr\tC\t####\t2019\nA\tr\tD\t2016-02-03\t2016-02-03\n"
                                       "A\tr\tE\t2016\t2016\n"),
                              5),
            (Lines{"Ada works for Acme, from 2016 to 2019", "A r B, from 2016 on",
                   "A r C, until 2019", "A r D, on 2016-02-03", "A r E, in 2016"}));
}

TEST(FactSentence, ExamplesAreOfManyRelations) {
  std::string train;
  for (int i = 0; i < 100; ++i) train += fmt::format("a\tmost\tb{}\t2014\n", i);
  for (int r = 0; r < 3; ++r) train += fmt::format("a\tr{}\tb\t2014\na\tr{}\tc\t2014\n", r, r);
  const Lines examples = example_sentences(graph_of(train), 5);
  ASSERT_EQ(examples.size(), 5U);
  for (const auto* relation : {" most ", " r0 ", " r1 ", " r2 "})
    EXPECT_TRUE(std::ranges::any_of(examples, [&](const std::string& line) {
      return testing::contains(line, relation);
    })) << relation;
  EXPECT_EQ(example_sentences(graph_of("a\tr\tb\t2014\n"), 5).size(), 1U);
}

TEST(TimeCounts, PointsAreCountedInEqualStretches) {
  const TemporalGraph data =
      graph_of("a\tr\tb\t2010\na\tr\tc\t2010\na\tr\tb\t2011\na\tr\tb\t2013\na\tr\tb\t2019\n");
  const auto years = count_per_time(data, 100);
  ASSERT_EQ(years.size(), 10U) << "years without facts too";
  EXPECT_EQ(years[0].facts, 2U);
  EXPECT_EQ(years[2].facts, 0U);
  EXPECT_EQ(years[9].first, "2019");
  const auto few = count_per_time(data, 3);
  ASSERT_EQ(few.size(), 3U);
  EXPECT_EQ(few[0].first + " " + few[0].last, "2010 2013");
  EXPECT_EQ(few[0].facts, 4U);
  EXPECT_EQ(few[2].last, "2019");
  EXPECT_EQ(few[2].facts, 1U);
  EXPECT_TRUE(count_per_time(data, 0).empty());
  const std::string longest = "a\tr\tb\t-9999999999999999\na\tr\tb\t7\na\tr\tb\t9999999999999999\n";
  EXPECT_EQ(count_per_time(graph_of(longest, {}, DateForm::year), 50).size(), 50U)
      << "an axis as long as can be";
}

TEST(TimeCounts, FactsOfEveryWeekAreCountedByWeeks) {
  const TemporalGraph data =
      graph_of("a\tr\tb\t2022-01-03\na\tr\tb\t2022-01-10\na\tr\tb\t2022-01-24\n");
  const auto weeks = count_per_time(data, 100);
  ASSERT_EQ(weeks.size(), 4U);
  EXPECT_EQ(weeks[1].first + " " + weeks[1].last, "2022-01-10 2022-01-16");
  EXPECT_EQ(weeks[2].facts, 0U);
  EXPECT_EQ(weeks[3].last, "2022-01-24");
  ASSERT_EQ(count_per_time(data, 3).size(), 2U) << "two weeks each";
}

TEST(TimeCounts, IntervalsCountWhereverTheyAreValid) {
  const auto counts = count_per_time(
      graph_of("a\tr\tb\t2010\t2012\na\tr\tc\t2011\t\na\tr\td\t\t2010\na\tr\te\t2013\t2011\n"),
      100);
  std::vector<std::uint64_t> facts;
  for (const TimeCount& one : counts) facts.push_back(one.facts);
  EXPECT_EQ(facts, (std::vector<std::uint64_t>{2, 2, 2, 2}));
}

TEST(TimeCounts, OfFactsWithoutAnyDate) {
  const ScratchDirectory scratch;
  LoadOptions options = load_options_of({.undated = "always", .intervals = "within"});
  const TemporalGraph data = load_facts(scratch.write("facts.txt", "a\tr\tb\nb\tr\tc\n"), options);
  const auto counts = count_per_time(data, 100);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].first, "always");
  EXPECT_EQ(counts[0].facts, 2U);
  EXPECT_EQ(example_sentences(data, 1), Lines{"a r b, always"});
  EXPECT_EQ(check_data(data).first_time, "always");
}

const Suspicion* suspicion(const DataCheck& check, const std::string& what) {
  const auto found = std::ranges::find(check.suspicions, what, &Suspicion::what);
  return found == check.suspicions.end() ? nullptr : &*found;
}

TEST(Suspicions, AreCountedAndShown) {
  std::string train = "Acme Inc\truns\tx\t2014\t2016\nAcme Inc.\truns\tx\t2015\t2014\n";
  for (int i = 0; i < 7; ++i) train += fmt::format("e{}\tis\te{}\t2014\t2015\n", i, i);
  train += "e1\tis\te1\t2014\t2015\nx\tonce\ty\t2014\t\n";
  const DataCheck check = check_data(graph_of(train));
  ASSERT_NE(suspicion(check, "ends_before_start"), nullptr);
  EXPECT_EQ(suspicion(check, "ends_before_start")->examples,
            Lines{"Acme Inc. runs x, from 2015 to 2014"});
  ASSERT_NE(suspicion(check, "self_loop"), nullptr);
  EXPECT_EQ(suspicion(check, "self_loop")->count, 8U);
  EXPECT_EQ(suspicion(check, "self_loop")->examples.size(), 5U);
  ASSERT_NE(suspicion(check, "duplicate"), nullptr);
  EXPECT_EQ(suspicion(check, "duplicate")->examples, Lines{"e1 is e1, from 2014 to 2015"});
  ASSERT_NE(suspicion(check, "one_off_relation"), nullptr);
  EXPECT_EQ(suspicion(check, "one_off_relation")->examples, Lines{"once"});
  ASSERT_NE(suspicion(check, "similar_entities"), nullptr);
  EXPECT_EQ(suspicion(check, "similar_entities")->examples, Lines{"Acme Inc | Acme Inc."});
  EXPECT_EQ(suspicion(check, "similar_relations"), nullptr);
  EXPECT_TRUE(check.one_list);
  EXPECT_TRUE(check_data(graph_of("a\tr\tb\t2014\nb\tr\ta\t2015\n")).suspicions.empty());
}

TEST(Leaks, AreCountedByKind) {
  const DataCheck points =
      check_data(graph_of("a\tr\tb\t2014\nb\tr\tc\t2014\nc\tr\tb\t2014\nd\tr\ta\t2015\n",
                          "a\tr\tb\t2015\na\tr\tb\t2014\nb\tr\ta\t2014\na\tr\td\t2014\n"));
  const SplitCheck& test = points.splits[2];
  EXPECT_EQ(test.at_another_time, 1U);
  EXPECT_EQ(test.at_shared_time, 1U);
  EXPECT_EQ(test.reversed_in_train, 1U);
  EXPECT_FALSE(points.one_list);
}

TEST(Leaks, OfIntervalsKnowOverlaps) {
  const DataCheck check = check_data(graph_of("a\tr\tb\t2001\t2005\nc\tr\td\t2001\t\n",
                                              "a\tr\tb\t2003\t2009\na\tr\tb\t2007\t2009\n"
                                              "c\tr\td\t2010\t2011\nd\tr\tc\t2001\t2002\n"));
  EXPECT_EQ(check.splits[2].at_shared_time, 2U);
  EXPECT_EQ(check.splits[2].at_another_time, 1U);
}

TEST(Leaks, KnowInverseRelations) {
  std::string train, test;
  for (int i = 0; i < 20; ++i) {
    train += fmt::format("a{}\thosts\tb{}\t2014\n", i, i);
    (i < 3 ? test : train) += fmt::format("b{}\tvisits\ta{}\t2014\n", i, i);
  }
  const DataCheck check = check_data(graph_of(train, test + "b9\tvisits\ta8\t2014\n"));
  EXPECT_EQ(check.splits[2].inverse_in_train, 3U);
  EXPECT_EQ(check.splits[2].reversed_in_train, 0U);
}

TEST(NamesInSplits, AreCountedBothWays) {
  const DataCheck check =
      check_data(graph_of("a\tr\tb\t2014\nb\ts\tc\t2015\n", "a\tr\tnew\t2014\na\tq\tb\t2016\n"));
  EXPECT_EQ(check.entity_spread.only_in_train, 1U);
  EXPECT_EQ(check.entity_spread.never_in_train, 1U);
  EXPECT_EQ(check.entity_spread.examples, Lines{"new"});
  EXPECT_EQ(check.relation_spread.examples, Lines{"q"});
  EXPECT_EQ(check.relation_spread.only_in_train, 1U);
  EXPECT_EQ(check.time_spread.examples, Lines{"2016"});
}

TEST(DataCheckPage, OneFactIsEnough) {
  const DataCheck check = check_data(graph_of("a\tr\tb\t2014\n"));
  EXPECT_EQ(check.facts_per_time.size(), 1U);
  EXPECT_EQ(check.examples.size(), 1U);
  EXPECT_EQ(check.profiles.size(), 1U);
  EXPECT_TRUE(check.warnings.empty());
}

}  // namespace
}  // namespace orrery
