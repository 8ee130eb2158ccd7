// Timeliness against plain code in double that looks at every pair of facts.
#include "data/lifetimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "data/temporal_graph.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 12, relations = 3, times = 40;

std::vector<KnownFact> random_facts(std::uint64_t seed, std::size_t count, bool ends) {
  std::vector<KnownFact> facts;
  std::uint64_t drawn = 0;
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(
        random_below(seed, ++drawn, static_cast<std::uint32_t>(bound)));
  };
  while (facts.size() < count) {
    // The last entity has no fact, and some have one with themselves.
    KnownFact fact{below(entities - 1), below(relations), below(entities - 1), below(times), 0};
    fact.last = ends ? std::min(times - 1, fact.first + below(9)) : fact.first;
    if (ends && below(5) == 0) fact.last = Moment::unknown;
    if (ends && fact.last != Moment::unknown && below(5) == 0) fact.first = Moment::unknown;
    facts.push_back(fact);
  }
  return facts;
}

struct SlowEntry {
  std::int32_t entity, kind, time;
  std::size_t fact;
};

std::vector<SlowEntry> slow_entries(const std::vector<KnownFact>& facts, RelationIds ids) {
  std::vector<SlowEntry> entries;
  for (std::size_t f = 0; f < facts.size(); ++f)
    for (const bool subject : {false, true})
      for (const bool end : {false, true}) {
        const std::int32_t time = end ? facts[f].last : facts[f].first;
        if (time == Moment::unknown || (end && !ids.ends)) continue;
        entries.push_back({subject ? facts[f].subject : facts[f].object,
                           ids.id(facts[f].relation, subject, end), time, f});
      }
  return entries;
}

double slow_timeliness(const std::vector<SlowEntry>& learned, const std::vector<SlowEntry>& known,
                       const Query& query, std::int32_t entity) {
  double sum = 0;
  int count = 0;
  for (const SlowEntry& one : known) {
    if (one.entity != entity) continue;
    ++count;
    std::vector<double> gaps;
    for (const SlowEntry& asked : learned)
      for (const SlowEntry& other : learned)
        if (asked.kind == query.relation && other.kind == one.kind &&
            asked.entity == other.entity && asked.fact != other.fact)
          gaps.push_back(other.time - asked.time);
    if (gaps.empty()) continue;
    double mean = 0, variance = 0;
    for (const double gap : gaps) mean += gap / static_cast<double>(gaps.size());
    for (const double gap : gaps)
      variance += (gap - mean) * (gap - mean) / static_cast<double>(gaps.size());
    const double off = one.time - query.time - mean;
    sum += std::exp(-off * off / (2 * std::max(variance, 1.0)));
  }
  return count == 0 ? 0 : sum / count;
}

void expect_slow_truth(bool ends, std::size_t added_count) {
  const RelationIds ids{relations, ends};
  const auto facts = random_facts(ends ? 3 : 4, 40, ends);
  const auto added = random_facts(9, added_count, ends);
  const Lifetimes lifetimes(facts, ids, entities, added);
  auto all = facts;
  all.insert(all.end(), added.begin(), added.end());
  const auto learned = slow_entries(facts, ids), known = slow_entries(all, ids);
  std::vector<float> found(entities);
  for (std::int32_t relation = 0; relation < ids.count(); ++relation)
    for (const std::int32_t time : {0, 17, times - 1}) {
      const Query query{0, relation, time};
      lifetimes.timeliness(query, found);
      for (std::int32_t e = 0; e < entities; ++e) {
        const float one = found[static_cast<std::size_t>(e)];
        ASSERT_NEAR(one, slow_timeliness(learned, known, query, e), 1e-5)
            << "relation row " << relation << ", time " << time << ", entity " << e;
        EXPECT_EQ(lifetimes.timeliness(query, e), one);
      }
      EXPECT_EQ(found.back(), 0) << "it has no facts";
    }
}

TEST(Lifetimes, ArePlainMeansOverPairsOfFacts) {
  for (const bool ends : {false, true}) expect_slow_truth(ends, 0);
}

TEST(Lifetimes, LearnNoGapsFromFactsThatWereAdded) {
  for (const bool ends : {false, true}) expect_slow_truth(ends, 15);
}

// Everybody joins a club twenty times after birth, give or take one.
TEST(Lifetimes, TellWhoIsOfTheAgeToJoin) {
  constexpr std::int32_t born = 0, joins = 1, town = 0, club = 1;
  std::vector<KnownFact> facts;
  for (std::int32_t person = 2; person < 12; ++person) {
    facts.push_back({person, born, town, 3 * person, 3 * person});
    if (person == 7) continue;
    const std::int32_t age = 19 + person % 3;
    facts.push_back({person, joins, club, 3 * person + age, 3 * person + age});
  }
  const RelationIds ids{2, false};
  const Lifetimes lifetimes(facts, ids, 12);
  const std::int32_t who_joins = ids.id(joins, true);
  EXPECT_GT(lifetimes.timeliness(Query{club, who_joins, 21 + 20}, 7), 0.9F);
  EXPECT_LT(lifetimes.timeliness(Query{club, who_joins, 21 + 5}, 7), 0.01F);
  EXPECT_LT(lifetimes.timeliness(Query{club, who_joins, 21 + 60}, 7), 0.01F);
}

}  // namespace
}  // namespace orrery
