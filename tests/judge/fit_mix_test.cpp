#include "judge/fit_mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/caught.h"
#include "base/error.h"
#include "base/random.h"
#include "judge/mix_likelihood.h"

namespace orrery {
namespace {

constexpr std::int32_t mixed_entities = 40;
constexpr std::uint64_t mixed_facts = 3000;

// Scores that are drawn for each question about an object and each candidate, by a key of one's
// own. Of subjects it says nothing.
class DrawnPart final : public Asker {
 public:
  explicit DrawnPart(std::uint64_t key, double scale = 1) : key_(key), scale_(scale) {}
  double score_of(const Query& query, std::int32_t entity) const {
    if (query.relation != 0) return 0;
    const auto question = static_cast<std::uint64_t>(
        query.subject * static_cast<std::int32_t>(mixed_facts) + query.time);
    return scale_ * random_normal(key_, question * 64 + static_cast<std::uint64_t>(entity));
  }
  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::int32_t e = 0; e < mixed_entities; ++e)
        scores[i * mixed_entities + static_cast<std::size_t>(e)] =
            static_cast<float>(score_of(queries[i].first, e));
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override {
    fail_broken("a fit asks for scores alone");
  }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override {
    fail_broken("a fit asks for scores alone");
  }

 private:
  std::uint64_t key_;
  double scale_;
};

// Each fact has a time of its own. Its object is drawn by the softmax of the true mixture, which is
// the best that can be known of it.
TemporalGraph planted_world(std::span<const DrawnPart> parts, std::span<const double> weights,
                            std::uint64_t facts = mixed_facts) {
  TemporalGraph data;
  std::vector<std::string> names;
  for (std::int32_t e = 0; e < mixed_entities; ++e) names.push_back("e" + std::to_string(100 + e));
  data.entities = Vocabulary(names);
  data.relations = Vocabulary({"r"});
  for (std::uint64_t i = 0; i < facts; ++i) {
    const auto time = static_cast<std::int32_t>(i);
    data.times.rows.push_back({time, time, std::to_string(100'000 + i)});
    data.times.moments.push_back({time, time});
    const auto subject = static_cast<std::int32_t>(random_below(4, i, mixed_entities));
    std::vector<double> sums;
    double sum = 0;
    for (std::int32_t e = 0; e < mixed_entities; ++e) {
      double score = 0;
      for (std::size_t p = 0; p < parts.size(); ++p)
        score += weights[p] * parts[p].score_of({subject, 0, time}, e);
      sums.push_back(sum += std::exp(score));
    }
    const auto object = std::ranges::lower_bound(sums, sum * random_uniform(5, i)) - sums.begin();
    data.facts[static_cast<int>(Split::valid)].push_back(
        {subject, 0, static_cast<std::int32_t>(object), time});
  }
  return data;
}

MixFit fit_of(std::vector<DrawnPart>& parts, const TemporalGraph& data, int threads = 1) {
  std::vector<Asker*> askers;
  for (DrawnPart& part : parts) askers.push_back(&part);
  return fit_mix(askers, data, threads);
}

TEST(FitMix, RecoversAPlantedMixture) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2, 10), DrawnPart(3)};
  const double weights[] = {2.0, 0.05, 1.0};
  const TemporalGraph data = planted_world(parts, weights);
  const MixFit fit = fit_of(parts, data);
  ASSERT_EQ(fit.kind, MixKind::fitted);
  EXPECT_EQ(fit.facts, mixed_facts);
  EXPECT_NEAR(fit.weights[0], 2, 0.15);
  EXPECT_NEAR(fit.weights[1], 0.05, 0.007);
  EXPECT_NEAR(fit.weights[2], 1, 0.1);
  EXPECT_EQ(fit.best_part, 0U);
  EXPECT_GT(fit.mrr_of_fitted, fit.mrr_of_best + 0.01);
  EXPECT_GT(fit.mrr_of_fitted, fit.mrr_of_average);
}

TEST(FitMix, APartThatKnowsNothingWeighsNextToNothing) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2), DrawnPart(3)};
  const double weights[] = {2.0, 0.0, 2.0};
  const MixFit fit = fit_of(parts, planted_world(parts, weights));
  ASSERT_NE(fit.kind, MixKind::best_part);
  EXPECT_LT(fit.weights[1], 0.05 * fit.weights[0]);
  EXPECT_NEAR(fit.weights[2], fit.weights[0], 0.1 * fit.weights[0]);
}

// Nothing beats the best part here, so it stays alone and as it is.
TEST(FitMix, TheBestPartStaysAloneWhereOthersAddNothing) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2)};
  const double weights[] = {0.0, 2.0};
  const MixFit fit = fit_of(parts, planted_world(parts, weights));
  EXPECT_EQ(fit.kind, MixKind::best_part);
  EXPECT_EQ(fit.weights, (std::vector{0.0, 1.0}));
}

TEST(FitMix, PartsOfTheSameWorthWeighTheSameOnWhateverScale) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2, 20)};
  const double weights[] = {1.5, 1.5 / 20};
  const MixFit fit = fit_of(parts, planted_world(parts, weights));
  EXPECT_NE(fit.kind, MixKind::best_part);
  EXPECT_NEAR(fit.mrr_of_average, fit.mrr_of_fitted, 0.005);
  EXPECT_NEAR(20 * fit.weights[1] / fit.weights[0], 1, 0.1);
}

// Gradient zero, and every step away from it is worse.
TEST(FitMix, FittedWeightsAreTheMostLikely) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2, 3)};
  const double planted[] = {1.0, 0.5};
  const TemporalGraph data = planted_world(parts, planted, 400);
  Asker* const askers[] = {&parts[0], &parts[1]};
  const MixRivals rivals(askers, data);
  ThreadPool pool(1);
  const MixLikelihood likelihood(rivals, pool);
  const std::size_t all[] = {0, 1};
  const std::vector<double> best = likelihood.fit(all);
  const double least = likelihood.loss(best);
  for (const double step : {-1e-3, 1e-3})
    for (const std::size_t part : all) {
      auto other = best;
      other[part] += step;
      EXPECT_GT(likelihood.loss(other), least);
    }
}

TEST(FitMix, AFewQuestionsGiveAboutTheSameWeights) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2)};
  const double planted[] = {2.0, 1.0};
  const TemporalGraph data = planted_world(parts, planted);
  Asker* const askers[] = {&parts[0], &parts[1]};
  const MixRivals rivals(askers, data);
  ThreadPool pool(1);
  const std::size_t all[] = {0, 1};
  const auto whole = MixLikelihood(rivals, pool).fit(all);
  for (const std::optional<bool> half : {std::optional<bool>(), {false}, {true}}) {
    const auto some = MixLikelihood(rivals, pool, 50'000).fit(all, half);
    EXPECT_NE(some, whole);
    for (const std::size_t part : all) EXPECT_NEAR(some[part], whole[part], 0.3);
  }
}

// −log p and ranks of one question in plain code.
TEST(FitMix, LossAndRanksAreThoseOfPlainCode) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2)};
  const double weights[] = {0.7, 0.4};
  const TemporalGraph data = planted_world(parts, weights, 50);
  Asker* const askers[] = {&parts[0], &parts[1]};
  const MixRivals rivals(askers, data);
  ThreadPool pool(1);
  const MixLikelihood likelihood(rivals, pool);
  const auto ranks = likelihood.reciprocal_ranks(weights);
  ASSERT_EQ(ranks.size(), 100U);
  double losses = 0;
  for (std::size_t q = 0; q < ranks.size(); ++q) {
    const Fact& fact = data.split(Split::valid)[q / 2];
    const bool subject = q % 2 == 1;
    const Query query{subject ? fact.object : fact.subject, subject ? 1 : 0, fact.when};
    const auto score = [&](std::int32_t e) {
      return weights[0] * parts[0].score_of(query, e) + weights[1] * parts[1].score_of(query, e);
    };
    const double target = score(subject ? fact.subject : fact.object);
    double sum = 0;
    int rank = 0;
    for (std::int32_t e = 0; e < mixed_entities; ++e) {
      sum += std::exp(score(e));
      rank += score(e) >= target;
    }
    EXPECT_NEAR(ranks[q], 1.0 / rank, 1e-12) << q;
    losses += std::log(sum) - target;
  }
  EXPECT_NEAR(likelihood.loss(weights), losses / 100, 1e-3);
}

TEST(FitMix, IsTheSameForAnyNumberOfThreadsAndWithoutTest) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2)};
  const double weights[] = {2.0, 0.7};
  TemporalGraph data = planted_world(parts, weights, 500);
  const MixFit alone = fit_of(parts, data, 1);
  data.facts[static_cast<int>(Split::test)] = data.split(Split::valid);
  for (Fact& fact : data.facts[static_cast<int>(Split::test)]) fact.object = 3;
  EXPECT_EQ(fit_of(parts, data, 3).weights, alone.weights);
}

TEST(FitMix, NeedsValidation) {
  std::vector<DrawnPart> parts = {DrawnPart(1), DrawnPart(2)};
  const double weights[] = {1.0, 1.0};
  const Error error = caught([&] { fit_of(parts, planted_world(parts, weights, 0)); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_NE(std::string(error.what()).find("no validation facts"), std::string::npos);
}

}  // namespace
}  // namespace orrery
