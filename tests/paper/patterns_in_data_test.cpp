#include "paper/patterns_in_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "facts/scratch.h"

namespace orrery {
namespace {

Dataset load(const std::string& train, const std::string& other) {
  const testing::ScratchDirectory scratch;
  scratch.write("train.txt", train);
  scratch.write("valid.txt", other);
  scratch.write("test.txt", other);
  return Dataset::open(scratch.path().string(), {.granularity = "day"});
}

std::string line(int s, const std::string& relation, int o, int day) {
  return fmt::format("e{:03}\t{}\te{:03}\t2014-01-{:02}\n", s, relation, o, day);
}

TEST(CountReversed, DistinctFactsOfTwoEntities) {
  const std::vector<Fact> facts = {
      {1, 0, 2, 5}, {2, 0, 1, 5},  // both ways
      {1, 0, 3, 5}, {3, 0, 1, 6},  // not at the same time
      {1, 1, 2, 5},                // of another relation
      {1, 0, 2, 5},                // said twice
      {4, 0, 4, 5},                // with itself
  };
  const auto counts = count_reversed(facts, 3);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].facts, 4U);
  EXPECT_EQ(counts[0].reversed, 2U);
  EXPECT_EQ(counts[1].facts, 1U);
  EXPECT_EQ(counts[1].reversed, 0U);
  EXPECT_EQ(counts[2].facts, 0U);
}

// Thirty pairs: one asks, the other answers three days later, a third relation is daily chatter.
TEST(FindPatterns, EvolvingIsWhatComesAfterAndNotBefore) {
  std::string facts;
  for (int i = 0; i < 30; ++i) {
    const int a = 2 * i, b = 2 * i + 1, day = 9 + i % 10;
    facts += line(a, "asks", b, day) + line(b, "answers", a, day + 3);
    for (int d = 1; d <= 28; ++d) facts += line(a, "watches", b, d);
  }
  const DataPatterns found = find_patterns(load(facts, line(0, "asks", 1, 1)));
  ASSERT_EQ(found.evolving.size(), 1U);
  const EvolvingPair& pair = found.evolving[0];
  EXPECT_EQ(pair.cause, 1);   // asks
  EXPECT_EQ(pair.effect, 0);  // answers
  EXPECT_TRUE(pair.turned);
  EXPECT_EQ(pair.lag, 3);
  EXPECT_EQ(pair.facts, 31U);
  EXPECT_EQ(pair.followed, 30U);
  EXPECT_EQ(pair.preceded, 0U);
  EXPECT_TRUE(found.symmetric.empty());
}

TEST(FindPatterns, AnEffectMayRunTheSameWay) {
  std::string facts;
  for (int i = 0; i < 25; ++i) facts += line(i, "intends", 99, 1 + i) + line(i, "does", 99, 2 + i);
  const DataPatterns found = find_patterns(load(facts, line(0, "does", 99, 28)));
  ASSERT_EQ(found.evolving.size(), 1U);
  EXPECT_FALSE(found.evolving[0].turned);
  EXPECT_EQ(found.evolving[0].lag, 1);
}

TEST(FindPatterns, FewFactsSayNothing) {
  std::string facts;
  for (int i = 0; i < 5; ++i) {
    facts += line(i, "asks", 50 + i, 3) + line(50 + i, "answers", i, 5);
    facts += line(i, "meets", 50 + i, 4) + line(50 + i, "meets", i, 4);
  }
  const DataPatterns found = find_patterns(load(facts, line(0, "asks", 1, 1)));
  EXPECT_TRUE(found.symmetric.empty());
  EXPECT_TRUE(found.inverse.empty());
  EXPECT_TRUE(found.evolving.empty());
}

TEST(FindPatterns, SymmetricAndInverseAcrossSplits) {
  std::string train, other;
  for (int i = 0; i < 30; ++i) {
    (i % 3 == 0 ? other : train) += line(i, "meets", 50 + i, 4);
    train += line(50 + i, "meets", i, 4);
    train += line(i, "leads", 50 + i, 7) + line(50 + i, "follows", i, 7);
  }
  const DataPatterns found = find_patterns(load(train, other));
  ASSERT_EQ(found.symmetric.size(), 1U);
  EXPECT_EQ(found.symmetric[0].reversed, 60U);
  ASSERT_EQ(found.inverse.size(), 2U);  // each of the other
}

TEST(FindPatterns, IntervalsGoByTheirStarts) {
  std::string facts;
  for (int i = 0; i < 25; ++i) {
    const int year = 1900 + i;
    facts += fmt::format("e{}\tstudies at\tschool\t{}\t{}\n", i, year, year + 3);
    facts += fmt::format("e{}\tworks at\tschool\t{}\t####\n", i, year + 4);
  }
  const Dataset data = load(facts, "e0\tworks at\tschool\t####\t1950\n");
  const DataPatterns found = find_patterns(data);
  ASSERT_EQ(found.evolving.size(), 1U);
  EXPECT_EQ(found.evolving[0].lag, 4);
  EXPECT_EQ(time_of(data, data.facts(Split::test)[0]), data.times() - 1);  // its end
}

}  // namespace
}  // namespace orrery
