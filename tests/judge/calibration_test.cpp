#include "judge/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "judge/logistic_fit.h"
#include "judge/reliability.h"
#include "random_world.h"

namespace orrery {
namespace {

constexpr std::int32_t asked_entities = 30, asked_times = 200;

double logit_of(const Query& query, std::int32_t entity) {
  const auto key =
      static_cast<std::uint64_t>((query.subject * 4 + query.relation) * asked_times + query.time);
  return 2 * random_normal(7, key * 64 + static_cast<std::uint64_t>(entity));
}

// Says of objects what is true, but three times too sharply. Of subjects it knows nothing, and is
// as sure of them.
class SureAsker final : public Asker {
 public:
  bool broken = false;

  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::int32_t e = 0; e < asked_entities; ++e)
        scores[i * asked_entities + static_cast<std::size_t>(e)] =
            broken ? std::numeric_limits<float>::quiet_NaN()
                   : static_cast<float>(3 * logit_of(queries[i].first, e));
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override {
    fail_broken("a calibration asks for scores alone");
  }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override {
    fail_broken("a calibration asks for scores alone");
  }
};

// Objects are drawn by the softmax of the logits.
std::int32_t drawn_object(std::int32_t subject, std::int32_t time, double uniform) {
  double sum = 0;
  for (std::int32_t e = 0; e < asked_entities; ++e)
    sum += std::exp(logit_of({subject, 0, time}, e));
  for (std::int32_t e = 0; e < asked_entities; ++e) {
    uniform -= std::exp(logit_of({subject, 0, time}, e)) / sum;
    if (uniform < 0) return e;
  }
  return asked_entities - 1;
}

TemporalGraph drawn_world(std::size_t facts) {
  TemporalGraph data;
  data.entities = testing_world::numbered_names('e', asked_entities);
  data.relations = testing_world::numbered_names('r', 1);
  for (std::int32_t t = 0; t < asked_times; ++t) {
    data.times.rows.push_back({t, t, std::to_string(t)});
    data.times.moments.push_back({t, t});
    data.times.moment_names.push_back(std::to_string(t));
  }
  std::uint64_t draws = 0;
  for (const Split split : all_splits)
    for (std::size_t i = 0; i < facts; ++i) {
      const auto subject = static_cast<std::int32_t>(random_below(1, draws, asked_entities));
      const auto time = static_cast<std::int32_t>(random_below(2, draws, asked_times));
      data.facts[static_cast<std::size_t>(split)].push_back(
          {subject, 0, drawn_object(subject, time, random_uniform(3, draws)), time});
      ++draws;
    }
  return data;
}

TEST(LogisticFit, FindsTheWeightsThatPointsWereDrawnWith) {
  std::vector<LogisticPoint<3>> points;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double x = random_normal(1, i), y = random_normal(2, i);
    points.push_back({{x, y, 1}, random_uniform(3, i) < sigmoid(1.5 * x - 0.5 * y - 1)});
  }
  const auto weights = fit_logistic<3>(points, {0, 0, 0}, 1);
  EXPECT_NEAR(weights[0], 1.5, 0.07);
  EXPECT_NEAR(weights[1], -0.5, 0.07);
  EXPECT_NEAR(weights[2], -1, 0.07);
}

// All points can be told apart: without shrinkage the weights would grow without end.
TEST(LogisticFit, StaysFiniteWhereNothingIsInDoubt) {
  std::vector<LogisticPoint<2>> points;
  for (int i = 0; i < 100; ++i) points.push_back({{i < 50 ? -40.0 : 40.0, 1}, i >= 50});
  const auto weights = fit_logistic<2>(points, {0, 0}, 1);
  EXPECT_TRUE(std::isfinite(weights[0]) && std::isfinite(weights[1]));
  EXPECT_GT(weights[0], 0.05);
}

TEST(Reliability, IsTheMeanDistanceInBins) {
  std::vector<Prediction> predictions;
  for (int i = 0; i < 150; ++i) predictions.push_back({0.05, i % 10 == 0});  // 0.10 are true
  for (int i = 0; i < 150; ++i) predictions.push_back({0.95, i % 2 == 0});   // 0.50 are true
  const Reliability found = reliability_of(predictions);
  EXPECT_NEAR(found.equal_width, 0.5 * 0.05 + 0.5 * 0.45, 1e-12);
  EXPECT_EQ(found.bins.size(), reliability_bins);
  EXPECT_NEAR(found.equal_mass, 0.25, 0.01);
  EXPECT_NEAR(reliability_of({{0.75, true}}).equal_mass, 0.25, 1e-12);
}

TEST(Calibration, MakesProbabilitiesMeanWhatTheySay) {
  SureAsker asker;
  const TemporalGraph data = drawn_world(2000);
  const auto calibration = fit_calibration(asker, data);
  ASSERT_TRUE(calibration.has_value());
  const CalibrationReport report = measured_calibration(asker, data, Split::test, calibration);
  EXPECT_GT(report.first.before.equal_mass, 0.2);
  EXPECT_GT(report.ten.before.equal_mass, 0.05);
  for (const auto& part : {report.first, report.ten, report.fact}) {
    ASSERT_TRUE(part.after.has_value());
    EXPECT_LT(part.after->equal_width, 0.03);
    EXPECT_LT(part.after->equal_mass, 0.03);
  }
  // Of subjects nothing is known, however sure the model is.
  EXPECT_LT(answer_probability(*calibration, Direction::subject, std::log(0.99)), 0.15);
  EXPECT_GT(answer_probability(*calibration, Direction::object, std::log(0.99)), 0.3);
  EXPECT_GT(fact_probability(*calibration, -1, -1), fact_probability(*calibration, -9, -1));
  EXPECT_EQ(calibration->facts, 2000);
}

TEST(Calibration, HasNoPartInLaterSplits) {
  SureAsker asker;
  TemporalGraph data = drawn_world(300);
  const auto before = fit_calibration(asker, data);
  for (Fact& fact : data.facts[static_cast<std::size_t>(Split::test)]) fact.object = 0;
  EXPECT_EQ(fit_calibration(asker, data), before);
  data.facts[static_cast<std::size_t>(Split::train)].clear();
  EXPECT_NE(fit_calibration(asker, data), before);  // what train knew is an answer now
}

TEST(Calibration, IsNoneRatherThanABadOne) {
  SureAsker asker;
  EXPECT_FALSE(fit_calibration(asker, drawn_world(least_facts_to_calibrate - 1)).has_value());
  EXPECT_TRUE(fit_calibration(asker, drawn_world(least_facts_to_calibrate)).has_value());
  asker.broken = true;
  EXPECT_FALSE(fit_calibration(asker, drawn_world(100)).has_value());
  EXPECT_THROW(measured_calibration(asker, drawn_world(100), Split::test, {}), Error);
  EXPECT_THROW(measured_calibration(asker, drawn_world(0), Split::test, {}), Error);
}

// By hand: the ten best that train does not know, each against the facts of the split.
TEST(CalibrationPoints, AreTheBestAnswersThatNoEarlierSplitKnows) {
  SureAsker asker;
  const TemporalGraph data = drawn_world(600);
  const CalibrationPoints points = calibration_points(asker, data, Split::valid, 1000);
  ASSERT_EQ(points.asked, 600);
  const auto known = [&](Split split, const Fact& asked, bool subject, std::int32_t entity) {
    return std::ranges::any_of(data.split(split), [&](const Fact& fact) {
      return fact.when == asked.when &&
             (subject ? fact.object == asked.object : fact.subject == asked.subject) &&
             (subject ? fact.subject : fact.object) == entity;
    });
  };
  std::size_t next = 0;
  for (const Fact& fact : data.split(Split::valid))
    for (const bool subject : {false, true}) {
      const Query query{subject ? fact.object : fact.subject, subject ? 1 : 0, fact.when};
      std::vector<ScoredEntity> left;
      double sum = 0;
      for (std::int32_t e = 0; e < asked_entities; ++e) {
        const auto score = static_cast<float>(3 * logit_of(query, e));
        if (known(Split::train, fact, subject, e)) continue;
        sum += std::exp(static_cast<double>(score));
        left.push_back({e, score});
      }
      std::ranges::sort(left, is_better);
      for (std::size_t i = 0; i < calibrated_answers; ++i, ++next) {
        const AnswerPoint& point = points.answers.at(next);
        EXPECT_EQ(point.asked, subject ? Direction::subject : Direction::object);
        EXPECT_EQ(point.best, i == 0);
        EXPECT_EQ(point.truth, known(Split::valid, fact, subject, left[i].entity));
        EXPECT_NEAR(point.log_probability, left[i].score - std::log(sum), 1e-5);
      }
    }
  EXPECT_EQ(next, points.answers.size());
}

TEST(CalibrationPoints, OfFactsAreHalfTrue) {
  SureAsker asker;
  const TemporalGraph data = drawn_world(600);
  const CalibrationPoints all = calibration_points(asker, data, Split::valid, 1000);
  ASSERT_EQ(all.facts.size(), 1200);
  double true_sum = 0, false_sum = 0;
  for (std::size_t i = 0; i < all.facts.size(); ++i) {
    EXPECT_EQ(all.facts[i].truth, i % 2 == 0);
    (all.facts[i].truth ? true_sum : false_sum) += all.facts[i].object;
  }
  EXPECT_GT(true_sum, false_sum + 600);  // objects are what the model knows of
  EXPECT_EQ(calibration_points(asker, data, Split::valid, 100).facts.size(), 200);
}

}  // namespace
}  // namespace orrery
