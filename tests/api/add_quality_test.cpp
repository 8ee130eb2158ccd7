// What an addition is worth: an entity that training never saw is answered for, and the others are
// answered for as well as before.
#include <gtest/gtest.h>

#include <algorithm>

#include "api/in_memory.h"
#include "orrery/add.h"
#include "orrery/evaluate.h"
#include "orrery/train.h"

namespace orrery {
namespace {

void put(FactColumns& to, const FactColumns& from, std::size_t i) {
  to.subject.push_back(from.subject[i]);
  to.relation.push_back(from.relation[i]);
  to.object.push_back(from.object[i]);
  to.time.push_back(from.time[i]);
}

// The demo world without some of its entities, and their facts: most to be added, some to be asked.
struct DividedWorld {
  FactColumns others, other_questions, to_add, to_ask;
  std::vector<std::string> held_out;

  DividedWorld() {
    const Dataset world = Dataset::demo();
    for (const std::size_t id : {20, 120, 200}) held_out.push_back(world.entity_names()[id]);
    const auto is_held_out = [this](const std::string& name) {
      return std::ranges::count(held_out, name) > 0;
    };
    std::size_t met = 0;
    for (const Split split : {Split::train, Split::test}) {
      const FactColumns facts = testing::columns_of(world, split);
      for (std::size_t i = 0; i < facts.subject.size(); ++i) {
        const bool held = is_held_out(facts.subject[i]) || is_held_out(facts.object[i]);
        if (held)
          put(met++ % 5 == 0 ? to_ask : to_add, facts, i);
        else
          put(split == Split::train ? others : other_questions, facts, i);
      }
    }
  }
};

double mrr(const Model& model, const Dataset& data) {
  return evaluate(model, data).pessimistic.mrr;
}

TEST(AddedEntities, AreAnsweredForWhileOthersAreAsBefore) {
  const DividedWorld world;
  ASSERT_GT(world.to_ask.subject.size(), 40U);
  const Dataset before = Dataset::from_columns(world.others, {}, world.other_questions);
  TrainOptions o{.dim = 64, .epochs = 20, .batch = 1000, .lambda_n3 = 0.01, .lambda_time = 0.1};
  const Model model = train(before, o);
  const Dataset added =
      Dataset::from_columns(world.to_add, {}, {}, {.granularity = before.granularity()});
  const Model grown = add(model, added, {.known = before});
  FactColumns all = world.others;
  for (std::size_t i = 0; i < world.to_add.subject.size(); ++i) put(all, world.to_add, i);
  const Dataset asked = Dataset::from_columns(all, {}, world.to_ask);
  const double reached = mrr(grown, asked), anew = mrr(train(asked, o), asked);
  const double chance = 0.025;  // Σ 1/rank over 244 entities, divided by them
  EXPECT_GT(reached, 10 * chance);
  EXPECT_GT(reached, 0.75 * anew) << anew;
  // New candidates may stand above old answers, but seldom do.
  EXPECT_GT(mrr(grown, before), mrr(model, before) - 0.02);
  RecordProperty("reached", std::to_string(reached));
  RecordProperty("anew", std::to_string(anew));
}

}  // namespace
}  // namespace orrery
