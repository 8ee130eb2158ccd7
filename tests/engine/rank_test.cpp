// Counts of higher and equal candidates against brute force over the engine's own scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "engine/battery.h"

namespace orrery {
namespace {

constexpr ModelShape shape_of_ranks = {97, 6, 4, 0};

// Small whole numbers, so that many scores are equal.
void write_whole_numbers(Engine& engine) {
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    std::vector<float> rows(static_cast<std::size_t>(engine.tables()[t].count) *
                            static_cast<std::size_t>(engine.plan().shape.dim));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<float>(random_below(t + 1, i, 3)) - 1.0F;
    engine.write(t, State::value, rows);
  }
}

struct Quiz {
  std::vector<std::vector<std::int32_t>> known;
  std::vector<RankQuestion> questions;
};

// Half of the targets are among the known answers, as a filter index gives them; some lists are
// empty, and some hold everything.
Quiz random_quiz(const ModelShape& shape, std::size_t count) {
  Quiz quiz;
  const auto examples = random_examples(shape, count + 1, 8);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> known;
    const std::uint32_t rarity = i % 10 == 9 ? 1 : 8;
    for (std::int32_t e = 0; e < shape.entities; ++e)
      if (i % 5 != 4 && random_below(50 + i, static_cast<std::uint64_t>(e), rarity) == 0)
        known.push_back(e);
    const std::int32_t target = examples[i].object;
    const auto at = std::ranges::lower_bound(known, target);
    const bool inside = at != known.end() && *at == target;
    if (i % 2 == 0 && !inside) known.insert(at, target);
    if (i % 2 == 1 && inside) known.erase(at);
    quiz.known.push_back(known);
    quiz.questions.push_back(
        {{examples[i].query, examples[i + 1].query, i % 3 == 0}, examples[i].object, {}});
  }
  for (std::size_t i = 0; i < count; ++i) quiz.questions[i].known = quiz.known[i];
  return quiz;
}

std::vector<RankCounts> brute_force(Engine& engine, std::span<const RankQuestion> questions) {
  const auto entities = static_cast<std::size_t>(engine.plan().shape.entities);
  std::vector<QueryPair> queries;
  for (const auto& question : questions) queries.push_back(question.queries);
  std::vector<float> scores(queries.size() * entities);
  engine.score(queries, scores);
  std::vector<RankCounts> counts(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const float* row = scores.data() + i * entities;
    for (std::size_t e = 0; e < entities; ++e) {
      const auto id = static_cast<std::int32_t>(e);
      if (id == questions[i].target) continue;
      if (std::ranges::find(questions[i].known, id) != questions[i].known.end()) continue;
      counts[i].higher += row[e] > row[questions[i].target];
      counts[i].equal += row[e] == row[questions[i].target];
    }
  }
  return counts;
}

class Ranks : public ByVariantAndSet {
 protected:
  std::unique_ptr<Engine> engine = make_engine(
      plan(2, shape_of_ranks), {.threads = 2, .precision = precision, .instruction_set = set});
  static constexpr Precision precision = Precision::fp32;
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
    try {
      engine->rank(quiz.questions, counts);
      FAIL() << "a score of " << bad << " was ranked";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::broken);
      EXPECT_NE(std::string(error.what()).find("not a finite number"), std::string::npos);
    }
  }
  write_whole_numbers(*engine);
  EXPECT_NO_THROW(engine->rank(quiz.questions, counts)) << "the engine is usable after a refusal";
}

INSTANTIATE_TEST_SUITE_P(Variants, Ranks, every_variant_and_set(), name_of_both);

// Ranks are computed in fp32 whatever the training's precision.
TEST(RanksInBf16, AreThoseOfFp32) {
  const ModelPlan plan{&all_variants()[0], {97, 6, 4, 40}, {}};
  const Quiz quiz = random_quiz(plan.shape, 50);
  std::vector<RankCounts> counts[2];
  for (const int i : {0, 1}) {
    const auto engine =
        make_engine(plan, {.threads = 1, .precision = i == 0 ? Precision::fp32 : Precision::bf16});
    start_randomly(*engine, 5, 0.3);
    counts[i].resize(50);
    engine->rank(quiz.questions, counts[i]);
  }
  EXPECT_EQ(counts[0], counts[1]);
}

}  // namespace
}  // namespace orrery
