// The best answers against sorting the engine's own scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/battery.h"
#include "engine/best_answers.h"
#include "engine/quiz.h"
#include "engine/refusal.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_answers = {97, 6, 4, 0};

class Top : public ByVariantAndTarget {
 protected:
  std::unique_ptr<Engine> engine = make_engine(plan(2, shape_of_answers), options_of(target));
};

TEST_P(Top, IsWhatSortingAllScoresGives) {
  write_whole_numbers(*engine);
  for (const std::size_t count : {0U, 1U, 513U}) {
    const auto queries = random_pairs(shape_of_answers, count);
    for (const std::size_t k : {0U, 1U, 10U, 96U, 97U, 500U})
      expect_answers(top_of(*engine, queries, k), sorted_answers(*engine, queries, k));
  }
}

TEST_P(Top, OfRandomRowsIsTheSame) {
  start_randomly(*engine, 5, 0.3);
  const auto queries = random_pairs(shape_of_answers, 40);
  expect_answers(top_of(*engine, queries, 10), sorted_answers(*engine, queries, 10));
}

TEST_P(Top, OfAnAllZeroModelAreTheLowestIds) {
  for (const TopAnswers& answers : top_of(*engine, random_pairs(shape_of_answers, 20), 10)) {
    ASSERT_EQ(answers.best.size(), 10U);
    for (std::int32_t i = 0; i < 10; ++i)
      EXPECT_EQ(answers.best[static_cast<std::size_t>(i)].entity, i);
  }
}

TEST_P(Top, RefusesScoresThatAreNoNumbers) {
  const auto queries = random_pairs(shape_of_answers, 40);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38F}) {
    write_whole_numbers(*engine);
    std::vector<float> rows(static_cast<std::size_t>(shape_of_answers.entities) *
                            static_cast<std::size_t>(engine->plan().shape.dim));
    engine->read(0, State::value, rows);
    std::fill(rows.end() - engine->plan().shape.dim, rows.end(), bad);
    engine->write(0, State::value, rows);
    for (const std::size_t k : {0U, 3U})
      EXPECT_NE(refusal([&] { top_of(*engine, queries, k); }).find("not a finite number"),
                std::string::npos)
          << "a score of " << bad;
  }
  write_whole_numbers(*engine);
  EXPECT_NO_THROW(top_of(*engine, queries, 3)) << "the engine is usable after a refusal";
}

INSTANTIATE_TEST_SUITE_P(Variants, Top, every_variant_and_target(), name_of_both);

class TopOfMany : public testing::TestWithParam<std::string> {};

// Several pieces of a row, and a last one that is shorter.
TEST_P(TopOfMany, EntitiesIsTheSameForAnyNumberOfThreads) {
  const ModelPlan plan = plan_of(find_variant("tntcomplex", {}), 3, {40'003, 6, 4, 0});
  const auto queries = random_pairs(plan.shape, 5);
  for (const bool whole : {true, false}) {
    const auto fill = [&](Engine& engine) {
      whole ? write_whole_numbers(engine) : start_randomly(engine, 5, 0.3);
    };
    const auto alone = make_engine(plan, options_of(GetParam(), Precision::fp32, 1));
    const auto team = make_engine(plan, options_of(GetParam(), Precision::fp32, 3));
    fill(*alone);
    fill(*team);
    for (const std::size_t k : {1U, 10U, 257U, 20'000U, 40'003U}) {
      const auto answers = top_of(*alone, queries, k);
      expect_answers(answers, sorted_answers(*alone, queries, k));
      EXPECT_EQ(answers, top_of(*team, queries, k)) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TopOfMany, testing::ValuesIn(targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery
