#include "data/cut_facts.h"

#include <gtest/gtest.h>

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
  EXPECT_TRUE(rule.by_time);
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

TEST(CutFacts, LoadingHearsOfEveryOption) {
  DataOptions options;
  EXPECT_FALSE(load_options_of(options).granularity);
  EXPECT_FALSE(load_options_of(options).cut);
  options.granularity = "month";
  options.min_facts = 5;
  options.skip_bad = true;
  options.split = "80/10/10";
  options.split_by = "time";
  options.seed = 9;
  const LoadOptions load = load_options_of(options);
  EXPECT_EQ(load.granularity, Granularity::month);
  EXPECT_EQ(load.min_facts, 5);
  EXPECT_TRUE(load.skip_bad);
  EXPECT_EQ(load.cut->seed, 9U);
  EXPECT_TRUE(load.cut->by_time);
  options.granularity = "century";
  EXPECT_TRUE(contains(refused([&] { load_options_of(options); }), "century"));
}

}  // namespace
}  // namespace orrery
