#include "judge/fit_when.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "judge/choice_fit.h"
#include "random_world.h"

namespace orrery {
namespace {

constexpr std::int32_t guests = 40, ways = 4, days = 120;

// Knows nothing, or only that the second half of the days is likelier.
class PlainAsker final : public Asker {
 public:
  bool broken = false, knows_half = false;

  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t e = 0; e < guests; ++e) {
        const bool late = queries[i].first.time >= days / 2;
        // One candidate of forty is right, whichever: what matters is how high all may be.
        const float noise = static_cast<float>(random_uniform(9, e));
        scores[i * guests + e] = broken ? std::numeric_limits<float>::quiet_NaN()
                                        : (knows_half && late ? 2 * noise : noise);
      }
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override { FAIL(); }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override { FAIL(); }
};

// Two entities meet on a day of theirs, and then several relations hold at once.
TemporalGraph meetings(std::uint64_t seed, bool bursts) {
  TemporalGraph data;
  data.entities = testing_world::numbered_names('e', guests);
  data.relations = testing_world::numbered_names('r', ways);
  data.times.granularity = Granularity::year;
  for (std::int32_t t = 0; t < days; ++t) {
    data.times.rows.push_back({t, t, std::to_string(t)});
    data.times.moments.push_back({t, t});
    data.times.moment_names.push_back(std::to_string(t));
  }
  std::uint64_t draws = 0;
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(
        random_below(seed, ++draws, static_cast<std::uint32_t>(bound)));
  };
  for (int meeting = 0; meeting < 700; ++meeting) {
    const std::int32_t one = below(guests), other = below(guests), day = below(days);
    for (int fact = 0; fact < 4; ++fact) {
      const std::int32_t when = bursts ? day : below(days);
      const int split = below(10);
      data.facts[split < 8 ? 0 : static_cast<std::size_t>(split - 7)].push_back(
          {one, below(ways), other, when});
    }
  }
  for (auto& facts : data.facts) {
    std::ranges::sort(facts);
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  }
  return data;
}

TEST(ChoiceFit, StepsLeadToTheWeightsThatMadeTheChoices) {
  constexpr std::size_t N = 3;
  const std::array<double, N> truth = {1.5, -0.7, 0};
  std::vector<ChoiceSet<N>> choices;
  std::uint64_t draw = 0;
  for (int i = 0; i < 4000; ++i) {
    ChoiceSet<N> set(8);
    std::vector<double> shares;
    for (auto& features : set) {
      for (double& feature : features) feature = random_normal(5, ++draw);
      shares.push_back(std::exp(weighted_sum(truth, features)));
    }
    double left = random_uniform(6, ++draw);
    double total = 0;
    for (const double share : shares) total += share;
    std::size_t chosen = 0;
    for (left *= total; chosen + 1 < shares.size() && left >= shares[chosen]; ++chosen)
      left -= shares[chosen];
    std::swap(set[0], set[chosen]);
    choices.push_back(std::move(set));
  }
  const ChoiceLoss<N> loss{choices, {}, 1};
  const auto weights = lowest_of(loss);
  for (std::size_t i = 0; i < N; ++i) EXPECT_NEAR(weights[i], truth[i], 0.08);
  // At the minimum nothing is gained in any direction.
  for (std::size_t i = 0; i < N; ++i)
    for (const double step : {-1e-3, 1e-3}) {
      auto near = weights;
      near[i] += step;
      EXPECT_GT(loss.at(near), loss.at(weights));
    }
  // Newton's step is the gradient by differences over the curvature by differences, in one
  // dimension.
  std::vector<ChoiceSet<1>> narrow;
  for (const auto& set : choices) {
    narrow.emplace_back();
    for (const auto& features : set) narrow.back().push_back({features[0]});
  }
  const ChoiceLoss<1> one{narrow, {0.3}, 2};
  constexpr double h = 1e-3;
  const double up = one.at({0.8 + h}), here = one.at({0.8}), down = one.at({0.8 - h});
  EXPECT_NEAR(one.step({0.8})[0], (up - down) / (2 * h) / ((up + down - 2 * here) / (h * h)), 1e-4);
}

TEST(FitWhen, WhatTrainTellsAroundADayTellsTheDay) {
  const TemporalGraph data = meetings(3, true);
  PlainAsker asker;
  const auto fit = fit_when(asker, data);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->activity.size(), Activity::features);
  EXPECT_GT(fit->activity[0], 0.3) << "the same two on the same day";
  const WhenReport report = measured_when(asker, data, Split::test, fit, 200);
  EXPECT_EQ(report.facts, 200U);
  EXPECT_EQ(report.times, days);
  EXPECT_NEAR(report.model.mean, (days + 1) / 2.0, 12);  // it knows nothing
  ASSERT_TRUE(report.fit);
  EXPECT_LT(report.fit->mean, 12);
  EXPECT_GT(report.fit->mrr, 0.6);
  EXPECT_GT(report.fit->hits10, 0.8);
}

TEST(FitWhen, IsWorthNothingWhereDaysAreDrawn) {
  const TemporalGraph data = meetings(4, false);
  PlainAsker asker;
  const auto fit = fit_when(asker, data);
  ASSERT_TRUE(fit);
  const WhenReport report = measured_when(asker, data, Split::test, fit, 300);
  ASSERT_TRUE(report.fit);
  EXPECT_NEAR(report.fit->mean, (days + 1) / 2.0, 10);
}

TEST(FitWhen, WeighsTheModelBesideIt) {
  TemporalGraph data = meetings(5, false);
  for (auto& split : data.facts)  // all in the second half, of which the model knows
    for (Fact& fact : split) fact.when = days / 2 + fact.when / 2;
  PlainAsker ignorant, knowing;
  knowing.knows_half = true;
  const auto fit = fit_when(knowing, data);
  ASSERT_TRUE(fit);
  EXPECT_GE(fit->model, 0);
  const WhenReport report = measured_when(knowing, data, Split::test, fit, 200);
  EXPECT_LT(report.fit->mean, 0.6 * days / 2);
}

TEST(FitWhen, TestFactsHaveNoPartInIt) {
  TemporalGraph data = meetings(6, true);
  PlainAsker asker;
  const auto whole = fit_when(asker, data);
  data.facts[static_cast<std::size_t>(Split::test)].clear();
  EXPECT_EQ(whole, fit_when(asker, data));
}

TEST(FitWhen, IsNothingWhereThereIsNothingToFit) {
  TemporalGraph data = meetings(7, true);
  PlainAsker asker;
  asker.broken = true;
  EXPECT_FALSE(fit_when(asker, data));
  asker.broken = false;
  EXPECT_TRUE(fit_when(asker, data));
  TemporalGraph few = data;
  few.facts[static_cast<std::size_t>(Split::valid)].resize(49);
  EXPECT_FALSE(fit_when(asker, few));
  EXPECT_FALSE(fit_when(asker, testing_world::random_dataset(1, true)));
  few.facts[static_cast<std::size_t>(Split::test)].clear();
  EXPECT_THROW(measured_when(asker, few, Split::test, {}, 10), Error);
  EXPECT_THROW(measured_when(asker, testing_world::random_dataset(1, true), Split::test, {}, 10),
               Error);
}

}  // namespace
}  // namespace orrery
