// An engine's scores with what timeliness adds, against plain sums in double.
#include "engine/lifetime_scorer.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/battery.h"
#include "engine/best_answers.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_people = {97, 6, 12, 0};

class LifetimeScores : public ::testing::Test {
 protected:
  LifetimeScores()
      : engine(make_engine(plan_of(find_variant("tntcomplex", {}), 2, shape_of_people),
                           {.threads = 1, .precision = Precision::fp32})),
        lifetimes(drawn_facts(), {3, false}, shape_of_people.entities) {
    start_randomly(*engine, 1, 0.5);
  }

  static std::vector<KnownFact> drawn_facts() {
    std::vector<KnownFact> facts;
    for (const Example& one : random_examples(shape_of_people, 300, 5))
      facts.push_back(
          {one.query.subject, one.query.relation % 3, one.object, one.query.time, one.query.time});
    return facts;
  }

  double added(const Query& query, std::int32_t entity) const {
    return double{worth[static_cast<std::size_t>(query.relation)]} *
           lifetimes.timeliness(query, entity);
  }

  std::unique_ptr<Engine> engine;
  Lifetimes lifetimes;
  const std::vector<float> worth = {1.5F, -2, 0, 0.5F, 3, 1};
};

TEST_F(LifetimeScores, AreAddedToTheEngines) {
  const auto queries = random_pairs(shape_of_people, 30);
  const auto plain = scores_of(*engine, queries, shape_of_people.entities);
  for (const int threads : {1, 3}) {
    const auto asker = asker_with_lifetimes(*engine, lifetimes, worth, threads);
    const auto found = scores_of(*asker, queries, shape_of_people.entities);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const QueryPair& pair = queries[i / static_cast<std::size_t>(shape_of_people.entities)];
      const auto entity = static_cast<std::int32_t>(i) % shape_of_people.entities;
      double wanted = plain[i] + added(pair.first, entity);
      if (pair.paired) wanted += added(pair.second, entity);
      ASSERT_NEAR(found[i], wanted, 1e-4) << i;
    }
  }
}

TEST_F(LifetimeScores, WorthNothingLeaveTheEnginesBits) {
  const auto queries = random_pairs(shape_of_people, 10);
  const auto asker = asker_with_lifetimes(*engine, lifetimes, std::vector<float>(6), 1);
  EXPECT_EQ(scores_of(*asker, queries, shape_of_people.entities),
            scores_of(*engine->asker(1), queries, shape_of_people.entities));
}

}  // namespace
}  // namespace orrery
