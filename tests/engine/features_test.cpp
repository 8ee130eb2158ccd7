// What an engine promises, also where candidates have features: ranks, best answers and askers say
// what its scores say; the same bytes for any number of threads, and after going on elsewhere.
#include <gtest/gtest.h>

#include "engine/battery.h"
#include "engine/best_answers.h"
#include "engine/quiz.h"
#include "engine/slow_step.h"

namespace orrery {
namespace {

constexpr ModelShape world = {97, 6, 4, 0};
constexpr std::int64_t batch = 37;

class WithFeatures : public ByVariantAndTarget {
 protected:
  WithFeatures() {
    planned.feature_count = 3;
    planned.features = &features;
  }
  std::unique_ptr<Engine> engine_of(int threads) const {
    auto engine = make_engine(planned, options_of(target, Precision::fp32, threads));
    engine->set_examples(random_examples(world, 100, 4));
    return engine;
  }
  static void take_step(Engine& engine, std::int64_t step) {
    StepRules rules;
    rules.loss = {.lambda_n3 = 0.05, .lambda_time = 0.05, .norm = {}, .dropout = 0.1F};
    rules.loss.negatives = step == 1 ? 20 : 0;
    rules.loss.lambda_features = 0.01;
    rules.steps_before = step;
    engine.step(7, step % 2 * batch, batch, rules);
  }

  const RandomFeatures features{world, 3};
  ModelPlan planned = plan(19, world);
};

TEST_P(WithFeatures, EveryKindOfQuestionSaysTheSame) {
  const auto engine = engine_of(1), bare = make_engine(plan(19, world), options_of(target));
  auto tables = random_tables(planned, 3, 0.4);
  write_tables(*engine, tables);
  tables.pop_back();
  write_tables(*bare, tables);
  const auto queries = random_pairs(world, 60);
  const auto scores = scores_of(*engine, queries, world.entities);
  EXPECT_NE(scores, scores_of(*bare, queries, world.entities)) << "features change no score";
  const auto asker = engine->asker(2);
  EXPECT_EQ(scores_of(*asker, queries, world.entities), scores);
  expect_answers(top_of(*engine, queries, 10), sorted_answers(*engine, queries, 10));
  const Quiz quiz = random_quiz(world, 60);
  std::vector<RankCounts> counts(quiz.questions.size());
  engine->rank(quiz.questions, counts);
  EXPECT_EQ(counts, brute_force(*engine, quiz.questions));
}

TEST_P(WithFeatures, TheSameBytesForAnyThreadsAndAfterGoingOnElsewhere) {
  const auto alone = engine_of(1), team = engine_of(3);
  for (Engine* engine : {alone.get(), team.get()}) {
    start_randomly(*engine, 3, 0.3);
    for (std::int64_t step = 0; step < 3; ++step) take_step(*engine, step);
  }
  const auto next = engine_of(2);
  for (const State state : {State::value, State::optimizer}) copy_tables(*alone, *next, state);
  for (Engine* engine : {alone.get(), team.get(), next.get()}) take_step(*engine, 3);
  const auto trained = read_tables(*alone, State::value);
  EXPECT_GT(largest_magnitude(trained.back()), 0) << "features learn nothing";
  for (const Engine* engine : {team.get(), next.get()})
    for (const State state : {State::value, State::optimizer})
      EXPECT_EQ(read_tables(*engine, state), read_tables(*alone, state));
}

INSTANTIATE_TEST_SUITE_P(Variants, WithFeatures, every_variant_and_target(), name_of_both);

// A hub: each of its questions has a feature of every entity, more than a GPU lists at a time.
class OfEverybody final : public CandidateFeatures {
 public:
  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    for (std::int32_t e = 0; e < entities; ++e) features.push_back({e, query.relation});
  }
  static constexpr std::int32_t entities = 4'001;
};

TEST(GpuFeatures, OfAHubAreThoseOfTheCpu) {
  if (!is_gpu("auto")) GTEST_SKIP() << "no GPU here: the CUDA engine was not tested";
  const OfEverybody features;
  ModelPlan plan = plan_of(find_variant("complex", {}), 3, {OfEverybody::entities, 6, 4, 0});
  plan.feature_count = 1;
  plan.features = &features;
  const auto queries = random_pairs(plan.shape, 1'100);
  std::vector<std::vector<float>> scores;
  for (const char* target : {"gpu", "baseline"}) {
    const auto engine = make_engine(plan, options_of(target, Precision::fp32));
    write_tables(*engine, random_tables(plan, 3, 0.4));
    scores.push_back(scores_of(*engine, queries, plan.shape.entities));
  }
  for (std::size_t i = 0; i < scores[0].size(); ++i)
    ASSERT_NEAR(scores[0][i], scores[1][i], 1e-4) << i;
}

}  // namespace
}  // namespace orrery
