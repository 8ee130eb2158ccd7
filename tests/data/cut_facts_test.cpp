#include "data/cut_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <set>

#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

// Ten facts on each of the first of so many months, their dates in no order.
std::vector<Fact> facts_of_months(int months) {
  std::vector<Fact> facts;
  for (int i = 0; i < 10 * months; ++i) facts.push_back({i, 0, i + 1, (7 * i) % months});
  return facts;
}
Date month_of(const Fact& fact) { return {2014, fact.when + 1, 1}; }

std::set<int> months_in(const std::vector<Fact>& facts) {
  std::set<int> months;
  for (const Fact& fact : facts) months.insert(fact.when);
  return months;
}

TEST(CutFacts, SharesAreThreeNumbers) {
  const CutRule rule = cut_rule("80/12.5/7.5", "time", 9);
  EXPECT_EQ(rule.shares, (std::array{80.0, 12.5, 7.5}));
  EXPECT_EQ(rule.by, CutBy::time);
  EXPECT_EQ(rule.seed, 9U);
  for (const auto* wrong : {"80", "80/20", "80/10/10/", "80/10/10/5", "a/b/c", "80 10 10", "/10/10",
                            "80/-10/30", "80//20", "80.5.5.5", "80/10/10 ", "0/1/1", "inf/1/1", ""})
    EXPECT_TRUE(contains(refused([&] { cut_rule(wrong, "random", 1); }), "80/10/10")) << wrong;
  EXPECT_TRUE(contains(refused([&] { cut_rule("80/10/10", "date", 1); }), "--split-by"));
}

TEST(CutFacts, ByTimeTheEarliestAreTrainAndADateStaysTogether) {
  const auto splits = cut_facts(facts_of_months(12), cut_rule("70/15/15", "time", 1), month_of);
  EXPECT_EQ(months_in(splits[0]), (std::set{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(months_in(splits[1]), (std::set{8, 9}));
  EXPECT_EQ(months_in(splits[2]), (std::set{10, 11}));
  EXPECT_EQ(splits[0].size(), 80U);
  EXPECT_TRUE(std::ranges::is_sorted(splits[0], {}, &Fact::subject)) << "the order of the list";
}

TEST(CutFacts, ASplitMayBeLeftEmptyOnlyIfThatIsAsked) {
  const auto all = cut_facts(facts_of_months(2), cut_rule("1/0/0", "random", 1), month_of);
  EXPECT_EQ(all[0].size(), 20U);
  EXPECT_TRUE(all[1].empty() && all[2].empty());
  // One date cannot be cut.
  EXPECT_TRUE(contains(
      refused([&] { cut_facts(facts_of_months(1), cut_rule("80/10/10", "time", 1), month_of); }),
      "at least one fact"));
}

// Facts of one (subject, relation) pair on so many months.
void add_pair(std::vector<Fact>& facts, int subject, std::initializer_list<int> months) {
  for (const int month : months)
    facts.push_back({subject, 0, static_cast<std::int32_t>(facts.size()), month});
}

TEST(CutFacts, TheLastFactOfAPairIsTestAndTheOneBeforeValid) {
  std::vector<Fact> facts;
  add_pair(facts, 1, {3, 1, 2});
  add_pair(facts, 2, {5});
  add_pair(facts, 3, {7, 6});
  const auto splits = cut_facts(facts, cut_rule("20/40/40", "last", 1), month_of);
  EXPECT_EQ(splits[2], (std::vector<Fact>{facts[0], facts[4]}));
  EXPECT_EQ(splits[1], std::vector<Fact>{facts[2]});
  EXPECT_EQ(splits[0], (std::vector<Fact>{facts[1], facts[3], facts[5]}));
}

TEST(CutFacts, SharesBoundTheLastFacts) {
  std::vector<Fact> facts;
  for (int subject = 0; subject < 100; ++subject) add_pair(facts, subject, {1, 0, 3, 2, 3});
  const auto cut = [&](std::uint64_t seed) {
    return cut_facts(facts, cut_rule("90/5/5", "last", seed), month_of);
  };
  const auto splits = cut(1);
  EXPECT_EQ(splits[2].size(), 25U);
  EXPECT_EQ(splits[1].size(), 25U);
  EXPECT_EQ(splits, cut(1));
  EXPECT_NE(splits, cut(2)) << "which pairs give is drawn";
  std::set<int> gave;
  for (const Fact& fact : splits[2]) {
    EXPECT_EQ(fact.when, 3);
    EXPECT_EQ(fact.object % 5, 4) << "of one date the last of the list";
    gave.insert(fact.subject);
  }
  EXPECT_EQ(gave.size(), 25U);
  EXPECT_EQ(cut_facts(facts, cut_rule("90/10/0", "last", 1), month_of)[1].size(), 50U);
  EXPECT_EQ(cut_facts(facts, cut_rule("1/1/1", "last", 1), month_of)[2].size(), 100U)
      << "a pair gives one";
}

TEST(CutFacts, WithoutPairsThereAreNoLastFacts) {
  EXPECT_TRUE(contains(
      refused([&] { cut_facts(facts_of_months(2), cut_rule("80/10/10", "last", 1), month_of); }),
      "at least one fact"));
  for (const auto* by : {"random", "time", "last"})
    EXPECT_TRUE(cut_facts({}, cut_rule("80/10/10", by, 1), month_of)[0].empty());
}

TEST(CutFacts, LoadingHearsOfEveryOption) {
  DataOptions options;
  EXPECT_FALSE(load_options_of(options).granularity);
  EXPECT_FALSE(load_options_of(options).cut);
  options.granularity = "month";
  options.dates = "unix-ms";
  options.coarse_dates = "spread";
  options.undated = "always";
  options.as_of = "2021-06";
  options.min_facts = 5;
  options.skip_bad = true;
  options.split = "80/10/10";
  options.split_by = "time";
  options.seed = 9;
  const LoadOptions load = load_options_of(options);
  EXPECT_EQ(load.granularity, Granularity::month);
  EXPECT_EQ(load.dates, DateForm::unix_milliseconds);
  EXPECT_TRUE(load.spread_coarse_dates);
  EXPECT_TRUE(load.undated_always);
  EXPECT_EQ(load.as_of, (Date{2021, 6}));
  EXPECT_EQ(load.min_facts, 5);
  EXPECT_TRUE(load.skip_bad);
  EXPECT_EQ(load.cut->seed, 9U);
  EXPECT_EQ(load.cut->by, CutBy::time);
  options.granularity = "century";
  EXPECT_TRUE(contains(refused([&] { load_options_of(options); }), "century"));
  for (const DataOptions& wrong : {DataOptions{.dates = "ymd"}, DataOptions{.as_of = "then"}})
    EXPECT_FALSE(caught([&] { load_options_of(wrong); }).option().empty());
}

}  // namespace
}  // namespace orrery
