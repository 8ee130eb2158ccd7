#include "data/activity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "data/random_graph.h"

namespace orrery {
namespace {

using testing::random_graph;

// A graph of points over many times.
TemporalGraph long_graph(std::uint64_t seed, std::int32_t times) {
  TemporalGraph data = random_graph(seed, false, 400);
  data.times.rows.clear();
  data.times.moments.clear();
  data.times.moment_names.clear();
  for (std::int32_t i = 0; i < times; ++i) {
    data.times.rows.push_back({i, i, std::to_string(i)});
    data.times.moments.push_back({i, i});
    data.times.moment_names.push_back(std::to_string(i));
  }
  std::uint64_t draw = 0;
  for (auto& split : data.facts)
    for (Fact& fact : split)
      fact.when =
          static_cast<std::int32_t>(random_below(seed, ++draw, static_cast<std::uint32_t>(times)));
  return data;
}

// The slow truth: every fact of train is looked at for every number.
double by_hand(const TemporalGraph& data, std::size_t kind, std::size_t window, const Fact& asked,
               std::int32_t time) {
  const auto [s, r, o, when] = asked;
  const std::function<bool(const Fact&)> shares[] = {
      [=](const Fact& f) { return f.subject == s && f.object == o; },
      [=](const Fact& f) { return f.subject == o && f.object == s; },
      [=](const Fact& f) { return f.subject == s && f.relation == r && f.object == o; },
      [=](const Fact& f) { return f.subject == o && f.relation == r && f.object == s; },
      [=](const Fact& f) { return f.subject == s && f.relation == r; },
      [=](const Fact& f) { return f.object == o && f.relation == r; },
      [=](const Fact& f) { return f.subject == s; },
      [=](const Fact& f) { return f.object == o; },
      [=](const Fact& f) { return f.subject == o; },
      [=](const Fact& f) { return f.object == s; },
      [=](const Fact& f) { return f.relation == r; }};
  const auto [nearest, farthest] = activity_window(window);
  const auto within = [&](std::int32_t other) {
    const std::int32_t distance = std::abs(other - time);
    return nearest <= distance && distance <= farthest;
  };
  double all = 0, inside = 0, wide = 0;
  for (const Fact& fact : data.split(Split::train)) {
    if (!shares[kind](fact)) continue;
    all += 1;
    inside += within(fact.when) ? 1 : 0;
  }
  for (std::int32_t t = 0; t < data.times.size(); ++t) wide += within(t) ? 1 : 0;
  return std::log((inside + 0.05) / (all * wide / data.times.size() + 0.05));
}

TEST(Activity, IsWhatEveryFactOfTrainSays) {
  for (const std::int32_t times : {1, 9, 80}) {
    const TemporalGraph data = long_graph(3, times);
    const FactIndex index(data);
    for (const Fact& fact :
         {data.split(Split::train)[0], data.split(Split::test)[0], Fact{4, 1, 4, 0}}) {
      const Activity activity(index, times, fact.subject, fact.relation, fact.object);
      for (std::int32_t t = 0; t < times; ++t) {
        const Activity::Features found = activity.at(t);
        for (std::size_t kind = 0; kind < Activity::kinds; ++kind)
          for (std::size_t w = 0; w < Activity::windows; ++w)
            ASSERT_NEAR(found[kind * Activity::windows + w], by_hand(data, kind, w, fact, t), 1e-12)
                << activity_name(kind) << " at " << t;
      }
    }
  }
}

TEST(Activity, KnowsNothingOfValidAndTest) {
  TemporalGraph data = long_graph(5, 40);
  const Fact fact = data.split(Split::test)[0];
  const FactIndex whole(data);
  const Activity with(whole, 40, fact.subject, fact.relation, fact.object);
  for (const Split split : {Split::valid, Split::test})
    data.facts[static_cast<std::size_t>(split)].clear();
  const FactIndex train(data);
  const Activity without(train, 40, fact.subject, fact.relation, fact.object);
  for (std::int32_t t = 0; t < 40; ++t) EXPECT_EQ(with.at(t), without.at(t));
}

TEST(Activity, NamesEveryKind) {
  std::set<std::string_view> names;
  for (std::size_t kind = 0; kind < Activity::kinds; ++kind) names.insert(activity_name(kind));
  EXPECT_EQ(names.size(), Activity::kinds);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace orrery
