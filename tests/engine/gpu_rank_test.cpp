// Scores and ranks of a GPU are those of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/battery.h"
#include "engine/quiz.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_many_ranks = {1100, 6, 4, 0};

class GpuRanks : public OnGpu {
 protected:
  struct Answers {
    std::vector<float> scores;
    std::vector<RankCounts> counts;
  };
  static std::vector<float> score_of(Engine& engine, const Quiz& quiz) {
    std::vector<QueryPair> queries;
    for (const auto& question : quiz.questions) queries.push_back(question.queries);
    std::vector<float> scores(queries.size() *
                              static_cast<std::size_t>(engine.plan().shape.entities));
    engine.score(queries, scores);
    return scores;
  }
  static Answers answers(Engine& engine, const Quiz& quiz) {
    Answers found{score_of(engine, quiz), std::vector<RankCounts>(quiz.questions.size())};
    engine.rank(quiz.questions, found.counts);
    return found;
  }
  // Where a formula divides or takes roots, whole numbers do not stay exact.
  static bool are_whole(const std::vector<float>& scores) {
    return std::ranges::all_of(scores, [](float score) { return score == std::round(score); });
  }
};

TEST_F(GpuRanks, OfWholeNumbersAreExactlyThoseOfTheCpu) {
  const Quiz quiz = random_quiz(shape_of_many_ranks, 1300);
  std::size_t compared = 0;
  for (const ModelVariant& variant : all_variants())
    for (const std::int32_t lanes : {3, 67}) {
      const ModelPlan plan = plan_of(variant, lanes, shape_of_many_ranks);
      const auto cpu = make_engine(plan, {});
      write_whole_numbers(*cpu);
      if (!are_whole(score_of(*cpu, quiz))) continue;
      ++compared;
      const auto gpu = make_engine(plan, options_of("gpu"));
      write_whole_numbers(*gpu);
      const Answers wanted = answers(*cpu, quiz), found = answers(*gpu, quiz);
      EXPECT_TRUE(found.scores == wanted.scores) << name_of(variant) << ", " << lanes << " lanes";
      EXPECT_TRUE(found.counts == wanted.counts) << name_of(variant) << ", " << lanes << " lanes";
    }
  EXPECT_GE(compared, 10U);
}

// A step of few examples may leave room for few questions at a time.
TEST_F(GpuRanks, OfWholeNumbersAreTheSameAfterASmallStep) {
  const Quiz quiz = random_quiz(shape_of_many_ranks, 50);
  const ModelPlan plan = plan_of(find_variant("tntcomplex", {}), 3, shape_of_many_ranks);
  for (const auto precision : {Precision::fp32, Precision::bf16}) {
    const auto cpu = make_engine(plan, {}), gpu = make_engine(plan, options_of("gpu", precision));
    gpu->set_examples(random_examples(plan.shape, 7, 2));
    gpu->step(1, 0, 7, {});
    write_whole_numbers(*cpu);
    write_whole_numbers(*gpu);
    const Answers wanted = answers(*cpu, quiz), found = answers(*gpu, quiz);
    EXPECT_TRUE(found.scores == wanted.scores);
    EXPECT_TRUE(found.counts == wanted.counts);
  }
}

// Candidates as close to the target as rounding allows may stand on either side of it; no others.
TEST_F(GpuRanks, OfRandomRowsDifferOnlyBetweenScoresThatAreClose) {
  const Quiz quiz = random_quiz(shape_of_many_ranks, 150);
  const auto entities = static_cast<std::size_t>(shape_of_many_ranks.entities);
  for (const ModelVariant& variant : all_variants())
    for (const std::int32_t lanes : {19, 67}) {
      const ModelPlan plan = plan_of(variant, lanes, shape_of_many_ranks);
      const auto cpu = make_engine(plan, {}), gpu = make_engine(plan, options_of("gpu"));
      start_randomly(*cpu, 5, 0.3);
      start_randomly(*gpu, 5, 0.3);
      const Answers wanted = answers(*cpu, quiz), found = answers(*gpu, quiz);
      for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
        const RankQuestion& question = quiz.questions[i];
        const float* scores = wanted.scores.data() + i * entities;
        double largest = 0;
        for (std::size_t e = 0; e < entities; ++e)
          largest = std::max(largest, std::abs(static_cast<double>(scores[e])));
        const double close_by = 1e-5 * largest + 1e-6;
        std::int32_t higher = 0, close = 0;
        for (std::size_t e = 0; e < entities; ++e) {
          ASSERT_NEAR(found.scores[i * entities + e], scores[e], close_by);
          const auto id = static_cast<std::int32_t>(e);
          if (id == question.target || std::ranges::binary_search(question.known, id)) continue;
          const double lead = static_cast<double>(scores[e]) - scores[question.target];
          higher += lead > close_by;
          close += std::abs(lead) <= close_by;
        }
        ASSERT_GE(found.counts[i].higher, higher) << name_of(variant) << ", question " << i;
        ASSERT_LE(found.counts[i].higher + found.counts[i].equal, higher + close)
            << name_of(variant) << ", question " << i;
      }
    }
}

TEST_F(GpuRanks, OfManyQuestionsAndEntities) {
  const ModelShape shape = {40000, 6, 4, 0};
  const ModelPlan plan = plan_of(find_variant("tntcomplex", {}), 3, shape);
  Quiz quiz = random_quiz(shape, 130);
  const auto few = quiz.questions;
  while (quiz.questions.size() < 6000)
    quiz.questions.insert(quiz.questions.end(), few.begin(), few.end());
  const auto cpu = make_engine(plan, {}), gpu = make_engine(plan, options_of("gpu"));
  write_whole_numbers(*cpu);
  write_whole_numbers(*gpu);
  std::vector<RankCounts> wanted(few.size()), found(quiz.questions.size());
  cpu->rank(few, wanted);
  gpu->rank(quiz.questions, found);
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], wanted[i % few.size()]) << "question " << i;
}

}  // namespace
}  // namespace orrery
