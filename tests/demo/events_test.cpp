#include "demo/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "data/data_check.h"
#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::ScratchDirectory;

constexpr double small = 0.01;

const EventWorld& small_world() {
  static const EventWorld world = make_event_world(event_shape_like("gdelt", small));
  return world;
}

TEST(EventShapes, AreThoseOfTheBenchmarkSets) {
  const EventShape gdelt = event_shape_like("gdelt");
  EXPECT_EQ(gdelt.facts[0], 2'735'685U);
  EXPECT_EQ(gdelt.facts[1], 341'961U);
  EXPECT_EQ(gdelt.facts[2], 341'961U);
  EXPECT_EQ(gdelt.entities, 500);
  EXPECT_EQ(gdelt.relations, 20);
  EXPECT_EQ(gdelt.days, 366);
  EXPECT_EQ(event_shape_like("icews14").days, 365);
  EXPECT_EQ(event_shape_like("icews05-15").days, 4'017);
  EXPECT_EQ(event_shape_like("icews05-15").entities, 10'488);
}

TEST(EventShapes, KeepTheShareOfFactsAmongAllCombinations) {
  const auto share = [](const EventShape& shape) {
    const double pairs = static_cast<double>(shape.entities) * shape.entities;
    return static_cast<double>(shape.facts[0]) / (pairs * shape.relations * shape.days);
  };
  const EventShape whole = event_shape_like("gdelt"), part = event_shape_like("gdelt", small);
  EXPECT_EQ(part.facts[0], 27'357U);
  EXPECT_NEAR(share(part) / share(whole), 1, 0.1);
}

TEST(EventShapes, RefuseWhatTheyCannotBe) {
  const auto refusal = [](const std::string& set, double scale) {
    return refused([&] { make_event_world(event_shape_like(set, scale)); });
  };
  EXPECT_TRUE(contains(refusal("yago11k", 1), "known are: icews14, icews05-15, gdelt"));
  EXPECT_TRUE(contains(refusal("", 1), "known are"));
  EXPECT_EQ(caught([] { event_shape_like("gdelt", 2); }).option(), "scale");
  for (const double scale : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(contains(refusal("gdelt", scale), "above 0 and at most 1"));
  EXPECT_TRUE(contains(refusal("icews05-15", 1e-4), "take a larger --scale"));
  EventShape crowded = event_shape_like("gdelt", small);
  crowded.entities = 5;
  EXPECT_TRUE(contains(refused([&] { make_event_world(crowded); }), "too many"));
}

class EventWorlds : public ::testing::TestWithParam<const char*> {};

TEST_P(EventWorlds, HaveExactlyTheCountsOfTheirShape) {
  const EventShape shape = event_shape_like(GetParam(), 0.1);
  const EventWorld world = make_event_world(shape, 3);
  std::set<Fact> all;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(world.events[i].size(), shape.facts[i]);
    EXPECT_TRUE(std::ranges::is_sorted(world.events[i], {}, &Fact::when));
    all.insert(world.events[i].begin(), world.events[i].end());
  }
  EXPECT_EQ(all.size(), shape.facts[0] + shape.facts[1] + shape.facts[2]);
  std::set<std::int32_t> entities, relations, days;
  for (const Fact& fact : world.events[0]) {
    entities.insert({fact.subject, fact.object});
    relations.insert(fact.relation);
    days.insert(fact.when);
    EXPECT_NE(fact.subject, fact.object);
  }
  const auto expect_all = [](const std::set<std::int32_t>& used, std::int32_t count) {
    EXPECT_EQ(used.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(*used.begin(), 0);
    EXPECT_EQ(*used.rbegin(), count - 1);
  };
  expect_all(entities, shape.entities);
  expect_all(relations, shape.relations);
  expect_all(days, shape.days);
}

INSTANTIATE_TEST_SUITE_P(Sets, EventWorlds, ::testing::Values("gdelt", "icews14"),
                         [](const auto& set) { return std::string(set.param); });

TEST(EventWorld, IsTheSameForTheSameSeed) {
  const EventShape shape = event_shape_like("gdelt", small);
  const EventWorld again = make_event_world(shape), other = make_event_world(shape, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.events[i], small_world().events[i]);
    EXPECT_NE(other.events[i], small_world().events[i]);
  }
}

TEST(EventWorld, HasFewNamesInManyFacts) {
  const EventWorld& world = small_world();
  std::map<std::int32_t, std::size_t> counts;
  for (const Fact& fact : world.events[0]) {
    ++counts[fact.subject];
    ++counts[fact.object];
  }
  std::vector<std::size_t> mentions;
  for (const auto& [entity, count] : counts) mentions.push_back(count);
  std::ranges::sort(mentions, std::greater{});
  std::size_t tenth = 0;
  for (std::size_t i = 0; i < mentions.size() / 10; ++i) tenth += mentions[i];
  EXPECT_GT(tenth, 2 * world.events[0].size() * 3 / 10);
}

TEST(EventWorld, RepeatsItselfOnOtherDays) {
  std::set<std::array<std::int32_t, 3>> before;
  for (const Fact& fact : small_world().events[0])
    before.insert({fact.subject, fact.relation, fact.object});
  std::size_t repeated = 0;
  for (const Fact& fact : small_world().events[2])
    repeated += before.contains({fact.subject, fact.relation, fact.object}) ? 1 : 0;
  EXPECT_GT(repeated, small_world().events[2].size() / 2);
}

TEST(EventWorld, IsWrittenAsItIs) {
  const ScratchDirectory scratch;
  const EventWorld& world = small_world();
  const auto files = write_event_world(world, scratch.path() / "world");
  ASSERT_EQ(files.size(), 4U);
  const TemporalGraph data = load_facts(scratch.path() / "world");
  for (const Split split : all_splits)
    EXPECT_EQ(data.split(split).size(), world.events[static_cast<int>(split)].size());
  EXPECT_EQ(data.entities.size(), world.shape.entities);
  EXPECT_EQ(data.relations.size(), world.shape.relations);
  EXPECT_EQ(data.times.size(), world.shape.days);
  EXPECT_EQ(data.times.rows.front().label, "2015-04-01");
  // The same again is no harm; another world is not written over it.
  EXPECT_EQ(write_event_world(world, scratch.path() / "world"), files);
  const EventWorld other = make_event_world(world.shape, 9);
  EXPECT_TRUE(
      contains(refused([&] { write_event_world(other, scratch.path() / "world"); }), "left alone"));
}

// As large as the set itself: nothing of it may be assumed to be small.
TEST(EventWorld, OfGdeltsSizeIsWrittenAndRead) {
  const ScratchDirectory scratch;
  {
    const EventWorld world = make_event_world(event_shape_like("gdelt"));
    write_event_world(world, scratch.path());
  }
  const PeakMemory memory;
  const auto before = memory.bytes();
  const TemporalGraph data = load_facts(scratch.path());
  const auto most = memory.bytes();
  const DataCheck check = check_data(data);
  const std::uint64_t facts[] = {2'735'685, 341'961, 341'961};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(check.splits[i].facts, facts[i]);
    EXPECT_EQ(check.splits[i].duplicates, 0U);
    EXPECT_EQ(check.overlaps[i].facts, 0U);
    EXPECT_EQ(check.splits[i].unseen_entity, 0U);
  }
  EXPECT_EQ(check.entities_in_train, 500);
  EXPECT_EQ(check.relations, 20);
  EXPECT_EQ(check.times, 366);
  EXPECT_EQ(data.times.rows.front().label, "2015-04-01");
  EXPECT_EQ(data.times.rows.back().label, "2016-03-31");
  // The facts themselves are 52 MiB.
  if (before && most) {
    EXPECT_LT(*most - *before, std::uint64_t{200} << 20);
  }
}

}  // namespace
}  // namespace orrery
