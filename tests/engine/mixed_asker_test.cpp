// Mixed scores, ranks and answers against plain code in double.
#include "engine/mixed_asker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/battery.h"
#include "engine/best_answers.h"
#include "engine/quiz.h"
#include "engine/refusal.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_mixed = {97, 6, 4, 0};
constexpr double mixed_weights[] = {0.25, 1.5, 0.5};

// Three kinds of models: by products, with candidates that depend on time, and by distances.
class Mixed : public ::testing::Test {
 protected:
  Mixed() {
    std::uint64_t seed = 1;
    for (const char* name : {"tntcomplex", "de-simple", "tero"}) {
      engines.push_back(make_engine(plan_of(find_variant(name, {}), 2, shape_of_mixed),
                                    {.threads = 1, .precision = Precision::fp32}));
      start_randomly(*engines.back(), ++seed, 0.5);
    }
  }

  MixedAsker asker(std::size_t parts = 3) const {
    std::vector<WeighedScorer> weighed;
    for (std::size_t p = 0; p < parts; ++p)
      weighed.push_back({engines[p]->asker(1), mixed_weights[p]});
    return {std::move(weighed), shape_of_mixed.entities};
  }

  // One question at a time.
  std::vector<double> slow_scores(const QueryPair& queries) const {
    std::vector<double> sum(static_cast<std::size_t>(shape_of_mixed.entities));
    for (std::size_t p = 0; p < engines.size(); ++p) {
      const auto scores = scores_of(*engines[p], {&queries, 1}, shape_of_mixed.entities);
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += mixed_weights[p] * scores[e];
    }
    return sum;
  }

  std::vector<std::unique_ptr<Engine>> engines;
};

TEST_F(Mixed, ScoresAreWeightedSums) {
  auto mixed = asker();
  for (const std::size_t count : {0U, 1U, 50U}) {
    const auto queries = random_pairs(shape_of_mixed, count);
    const auto scores = scores_of(mixed, queries, shape_of_mixed.entities);
    for (std::size_t i = 0; i < count; ++i) {
      const auto wanted = slow_scores(queries[i]);
      for (std::size_t e = 0; e < wanted.size(); ++e)
        ASSERT_NEAR(scores[i * wanted.size() + e], wanted[e], 1e-4) << i << ", " << e;
    }
  }
}

// Of whole numbers sums are exact, and many are equal.
TEST_F(Mixed, RanksLeaveKnownAnswersOutAndCountTies) {
  for (const auto& engine : engines) write_whole_numbers(*engine);
  auto mixed = asker(1);
  const Quiz quiz = random_quiz(shape_of_mixed, 513);
  std::vector<RankCounts> counts(quiz.questions.size(), {-1, -1});
  mixed.rank(quiz.questions, counts);
  std::int32_t ties = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const RankQuestion& question = quiz.questions[i];
    const auto row = scores_of(*engines[0], {&question.queries, 1}, shape_of_mixed.entities);
    const float target = row[static_cast<std::size_t>(question.target)];
    RankCounts wanted;
    for (std::int32_t e = 0; e < shape_of_mixed.entities; ++e) {
      if (e == question.target || std::ranges::binary_search(question.known, e)) continue;
      wanted.higher += row[static_cast<std::size_t>(e)] > target;
      wanted.equal += row[static_cast<std::size_t>(e)] == target;
    }
    ASSERT_EQ(counts[i], wanted) << "question " << i;
    ties += wanted.equal;
  }
  EXPECT_GT(ties, 100);
}

TEST_F(Mixed, RanksOfSeveralPartsAreThoseOfTheirSums) {
  auto mixed = asker();
  const Quiz quiz = random_quiz(shape_of_mixed, 60);
  std::vector<RankCounts> counts(quiz.questions.size());
  mixed.rank(quiz.questions, counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const RankQuestion& question = quiz.questions[i];
    const auto row = slow_scores(question.queries);
    const double target = row[static_cast<std::size_t>(question.target)];
    std::int32_t surely = 0, perhaps = 0;  // what rounding cannot change, and what it might
    for (std::int32_t e = 0; e < shape_of_mixed.entities; ++e) {
      if (e == question.target || std::ranges::binary_search(question.known, e)) continue;
      const double lead = row[static_cast<std::size_t>(e)] - target;
      surely += lead > 1e-4;
      perhaps += lead > -1e-4;
    }
    EXPECT_LE(surely, counts[i].higher) << i;
    EXPECT_GE(perhaps, counts[i].higher + counts[i].equal) << i;
  }
}

TEST_F(Mixed, BestAnswersAreWhatSortingTheScoresGives) {
  auto mixed = asker();
  const auto queries = random_pairs(shape_of_mixed, 40);
  const auto scores = scores_of(mixed, queries, shape_of_mixed.entities);
  const auto width = static_cast<std::size_t>(shape_of_mixed.entities);
  for (const std::size_t k : {0U, 1U, 10U, 97U, 500U}) {
    std::vector<TopAnswers> wanted;
    for (std::size_t i = 0; i < queries.size(); ++i)
      wanted.push_back(sorted_answers(std::span(scores).subspan(i * width, width), k));
    expect_answers(top_of(mixed, queries, k), wanted);
  }
}

TEST_F(Mixed, RefusesScoresThatAreNoNumbers) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> rows(static_cast<std::size_t>(engines[0]->tables()[0].count) *
                            static_cast<std::size_t>(engines[0]->plan().shape.dim));
    engines[0]->read(0, State::value, rows);
    std::fill(rows.end() - engines[0]->plan().shape.dim, rows.end(), bad);
    engines[0]->write(0, State::value, rows);
    auto mixed = asker();
    const Quiz quiz = random_quiz(shape_of_mixed, 20);
    std::vector<RankCounts> counts(20);
    EXPECT_NE(refusal([&] { mixed.rank(quiz.questions, counts); }).find("not a finite number"),
              std::string::npos);
    EXPECT_NE(
        refusal([&] { top_of(mixed, queries_of(quiz.questions), 3); }).find("not a finite number"),
        std::string::npos);
  }
}

}  // namespace
}  // namespace orrery
