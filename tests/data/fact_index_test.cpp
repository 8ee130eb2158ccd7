#include "data/fact_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/random_graph.h"

namespace orrery {
namespace {

using testing::random_graph;

std::vector<FactIndex::Entry> by_hand(const TemporalGraph& data, std::int32_t entity, Side side) {
  std::vector<FactIndex::Entry> entries;
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split)) {
      if ((side == Side::subject ? fact.subject : fact.object) != entity) continue;
      entries.push_back(
          {fact.relation, side == Side::subject ? fact.object : fact.subject, split, fact.when});
    }
  std::ranges::sort(entries);
  return entries;
}

TEST(FactIndex, HoldsEveryFactOfEverySplitByBothOfItsEntities) {
  for (const bool intervals : {false, true}) {
    const TemporalGraph data = random_graph(7, intervals, 90);
    const FactIndex index(data);
    std::size_t facts = 0;
    for (std::int32_t e = 0; e < data.entities.size(); ++e)
      for (const Side side : {Side::subject, Side::object}) {
        const auto found = index.facts_of(e, side);
        EXPECT_TRUE(std::ranges::equal(found, by_hand(data, e, side))) << e;
        facts += found.size();
        for (std::int32_t r = 0; r < data.relations.size(); ++r)
          EXPECT_EQ(index.facts_of(e, side, r).size(), static_cast<std::size_t>(std::ranges::count(
                                                           found, r, &FactIndex::Entry::relation)));
      }
    std::size_t wanted = 0;
    for (const Split split : all_splits) wanted += 2 * data.split(split).size();
    EXPECT_EQ(facts, wanted);
  }
}

TEST(FactIndex, OnlyTrainSaysWhatARelationWasSeenWith) {
  TemporalGraph data = random_graph(7, false, 90);
  data.facts[static_cast<int>(Split::train)] = {{2, 1, 5, 0}, {2, 1, 4, 1}, {0, 1, 5, 0}};
  data.facts[static_cast<int>(Split::test)] = {{7, 1, 8, 0}};
  const FactIndex index(data);
  const auto seen = [&](Side side) {
    const auto ids = index.seen_with(1, side);
    return std::vector<std::int32_t>(ids.begin(), ids.end());
  };
  EXPECT_EQ(seen(Side::subject), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(seen(Side::object), (std::vector<std::int32_t>{4, 5}));
  EXPECT_TRUE(index.is_seen_with(1, Side::object, 4));
  EXPECT_FALSE(index.is_seen_with(1, Side::object, 8));
  EXPECT_FALSE(index.is_seen_with(0, Side::object, 4));
}

}  // namespace
}  // namespace orrery
