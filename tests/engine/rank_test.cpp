// Counts of higher and equal candidates against brute force over the engine's own scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/caught.h"
#include "engine/battery.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_ranks = {97, 6, 4, 0};

class Ranks : public ByVariantAndTarget {
 protected:
  std::unique_ptr<Engine> engine = make_engine(plan(2, shape_of_ranks), options_of(target));
};

TEST_P(Ranks, AreThoseOfBruteForceForAnyNumberOfQuestions) {
  write_whole_numbers(*engine);
  for (const std::size_t count : {0U, 1U, 513U}) {
    const Quiz quiz = random_quiz(shape_of_ranks, count);
    std::vector<RankCounts> counts(count, {-1, -1});
    engine->rank(quiz.questions, counts);
    const auto wanted = brute_force(*engine, quiz.questions);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(std::pair(counts[i].higher, counts[i].equal),
                std::pair(wanted[i].higher, wanted[i].equal))
          << "question " << i << " of " << count;
  }
}

TEST_P(Ranks, OfAnAllZeroModelAreTiesOfEverything) {
  const auto everyone = random_quiz(shape_of_ranks, 20);
  std::vector<RankCounts> counts(20);
  engine->rank(everyone.questions, counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& known = everyone.known[i];
    const bool inside = std::ranges::binary_search(known, everyone.questions[i].target);
    EXPECT_EQ(counts[i].higher, 0);
    EXPECT_EQ(counts[i].equal,
              shape_of_ranks.entities - static_cast<int>(known.size()) - (inside ? 0 : 1));
  }
}

TEST_P(Ranks, RefuseScoresThatAreNoNumbers) {
  const Quiz quiz = random_quiz(shape_of_ranks, 40);
  std::vector<RankCounts> counts(40);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -3e38F}) {
    write_whole_numbers(*engine);
    std::vector<float> rows(static_cast<std::size_t>(shape_of_ranks.entities) *
                            static_cast<std::size_t>(engine->plan().shape.dim));
    engine->read(0, State::value, rows);
    // The last entity alone, also where vectors end.
    std::fill(rows.end() - engine->plan().shape.dim, rows.end(), bad);
    engine->write(0, State::value, rows);
    const Error error = caught([&] { engine->rank(quiz.questions, counts); });
    EXPECT_EQ(error.kind(), Error::Kind::model) << "with a score of " << bad;
    EXPECT_EQ(error.option(), "lr");
    EXPECT_NE(error.message().find("not a finite number"), std::string::npos) << error.what();
  }
  write_whole_numbers(*engine);
  EXPECT_NO_THROW(engine->rank(quiz.questions, counts)) << "the engine is usable after a refusal";
}

INSTANTIATE_TEST_SUITE_P(Variants, Ranks, every_variant_and_target(), name_of_both);

class RanksOfPrecisions : public testing::TestWithParam<std::string> {};

// Ranks are computed in fp32 whatever the training's precision, and after training began, too.
TEST_P(RanksOfPrecisions, AreThoseOfFp32) {
  const ModelPlan plan{&all_variants()[0], {97, 6, 4, 40}, {}};
  const Quiz quiz = random_quiz(plan.shape, 50);
  std::vector<RankCounts> wanted;
  for (const Precision precision :
       {Precision::fp32, Precision::tf32, Precision::bf16, Precision::automatic}) {
    const auto engine = make_engine(plan, options_of(GetParam(), precision));
    start_randomly(*engine, 5, 0.3);
    engine->set_examples(random_examples(plan.shape, 20, 2));
    std::vector<RankCounts> counts(quiz.questions.size());
    engine->rank(quiz.questions, counts);
    if (wanted.empty()) wanted = counts;
    EXPECT_EQ(counts, wanted) << engine->description();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RanksOfPrecisions, testing::ValuesIn(targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery
