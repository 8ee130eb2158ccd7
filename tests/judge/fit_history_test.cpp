#include "judge/fit_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "data/temporal_graph.h"
#include "judge/history_questions.h"

namespace orrery {
namespace {

constexpr std::int32_t entities = 30, times = 5;

std::uint64_t key_of(const Query& q) {
  return static_cast<std::uint64_t>((q.subject * 8 + q.relation) * 8 + q.time);
}

// Scores that follow from the question alone.
class DrawnScores final : public Asker {
 public:
  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::uint64_t e = 0; e < entities; ++e)
        scores[i * entities + e] =
            static_cast<float>(random_normal(11, key_of(queries[i].first) * 64 + e));
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override {
    fail_broken("a fit asks for scores alone");
  }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override {
    fail_broken("a fit asks for scores alone");
  }
};

// Entities below ten have the first feature, those from twenty on the second.
class ById final : public CandidateFeatures {
 public:
  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    for (std::int32_t e = 0; e < entities; ++e)
      if (e < 10 || e >= 20) features.push_back({e, 2 * query.relation + (e < 10 ? 0 : 1)});
  }
};

// Of the answers to relation 0, `low` in ten have the first feature, and none the second.
TemporalGraph world(std::uint32_t low, std::size_t facts = 400) {
  TemporalGraph data;
  std::vector<std::string> names;
  for (std::int32_t e = 0; e < entities; ++e) names.push_back("e" + std::to_string(100 + e));
  data.entities = Vocabulary(names);
  data.relations = Vocabulary({"r"});
  for (std::int32_t t = 0; t < times; ++t) {
    data.times.rows.push_back({t, t, std::to_string(t)});
    data.times.moments.push_back({t, t});
  }
  for (std::uint64_t i = 0; i < facts; ++i) {
    const bool first = random_below(2, i, 10) < low;
    const auto object = static_cast<std::int32_t>(random_below(3, i, 10) + (first ? 0 : 10));
    data.facts[static_cast<int>(Split::valid)].push_back(
        {static_cast<std::int32_t>(random_below(4, i, entities)), 0, object,
         static_cast<std::int32_t>(random_below(5, i, times))});
  }
  return data;
}

HistoryFit fit(const TemporalGraph& data, const std::vector<float>& worth = {0, 0, 0, 0}) {
  DrawnScores asker;
  return fit_history(asker, ById(), worth, std::array{-1, -1}, data);
}

TEST(FitHistory, FindsWhatSpeaksForACandidateAndWhatAgainstIt) {
  const HistoryFit often = fit(world(9)), seldom = fit(world(1));
  EXPECT_GT(often.worth[0], 1);
  EXPECT_LT(often.worth[1], -2);
  EXPECT_LT(seldom.worth[0], -0.5);
  EXPECT_LT(seldom.worth[1], -2);
  for (const HistoryFit& one : {often, seldom}) EXPECT_LT(one.after, one.before - 0.2);
}

// −log p of the answers before the fit, by hand: known answers are left out, and the scores are as
// sharp as suits them best.
TEST(FitHistory, BeginsAtTheLossOfTheModel) {
  const TemporalGraph data = world(5, 60);
  const std::vector<float> worth = {0.5F, -0.3F, 0.2F, 0.1F};
  DrawnScores asker;
  double least = std::numeric_limits<double>::infinity();
  for (const double sharpness : {0.4, 0.55, 0.7, 0.85, 1.0, 1.2}) {
    double sum = 0;
    std::size_t questions = 0;
    for (const Fact& fact : data.split(Split::valid))
      for (const bool subject : {false, true}) {
        const Query query{subject ? fact.object : fact.subject, subject ? 1 : 0, fact.when};
        const std::int32_t answer = subject ? fact.subject : fact.object;
        std::vector<float> scores(entities);
        const QueryPair pair{query, query, false};
        asker.score({&pair, 1}, scores);
        for (const Fact& other : data.split(Split::valid)) {
          const std::int32_t known = subject ? other.subject : other.object;
          if (other.when == fact.when &&
              (subject ? other.object : other.subject) == query.subject && known != answer)
            scores[static_cast<std::size_t>(known)] = -std::numeric_limits<float>::infinity();
        }
        double all = 0;
        for (const float score : scores) all += std::exp(sharpness * score);
        sum += std::log(all) - sharpness * scores[static_cast<std::size_t>(answer)];
        ++questions;
      }
    least = std::min(least, sum / static_cast<double>(questions));
  }
  // The asker's scores hold what features are worth already.
  EXPECT_NEAR(fit(data, worth).before, least, 1e-5);
}

TEST(FitHistory, KeepsWhatIsThereWhereNothingIsBetter) {
  const std::vector<float> worth = {0.1F, 0.2F, 0.3F, 0.4F};
  EXPECT_EQ(fit(world(5, 2), worth).worth, worth);
  EXPECT_EQ(fit(world(5, 0), worth).worth, worth);
}

// Entities below ten have the first feature; the second is never seen.
class SeenOnce final : public CandidateFeatures {
 public:
  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    for (std::int32_t e = 0; e < 10; ++e) features.push_back({e, 2 * query.relation});
  }
};

TEST(FitHistory, NumbersOfAGroupAreAlike) {
  DrawnScores asker;
  const std::vector<float> nothing(4);
  const TemporalGraph data = world(1);
  const auto fitted = [&](std::int32_t group, int threads) {
    return fit_history(asker, SeenOnce(), nothing, std::array{group, group}, data, threads).worth;
  };
  const auto alone = fitted(-1, 1), alike = fitted(0, 1);
  EXPECT_LT(alone[0], -0.5);
  EXPECT_EQ(alone[1], 0);
  EXPECT_LT(alike[0], -0.5);
  EXPECT_LT(alike[1], -0.2) << "nothing is known of it but its group";
  EXPECT_EQ(fitted(0, 3), alike);
}

// Entities 0 and 1 share all probability: a step along each number alone is twice too long.
class TwoRivals final : public Asker {
 public:
  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t e = 0; e < entities; ++e) scores[i * entities + e] = e < 2 ? 0.0F : -40.0F;
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override {
    fail_broken("a fit asks for scores alone");
  }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override {
    fail_broken("a fit asks for scores alone");
  }
};
class OneOfEachRival final : public CandidateFeatures {
 public:
  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    for (std::int32_t e = 0; e < 2; ++e) features.push_back({e, 2 * query.relation + e});
  }
};

TEST(FitHistory, StepsThatWouldLeadAstrayAreTakenBack) {
  for (const std::size_t facts : {100U, 800U, 1600U})
    for (const auto& groups : {std::array{-1, -1}, std::array{0, 1}}) {
      TemporalGraph data = world(5, facts);
      std::uint64_t i = 0;
      for (Fact& fact : data.facts[static_cast<int>(Split::valid)]) {
        fact.object = random_below(21, i++, 10) < 7 ? 0 : 1;
        fact.subject = static_cast<std::int32_t>(random_below(22, i, 2));
        fact.when = 0;
      }
      // Every fact at a time of its own, so that none is another's known answer.
      data.times.rows.clear();
      data.times.moments.clear();
      for (std::int32_t t = 0; t < static_cast<std::int32_t>(facts); ++t) {
        data.times.rows.push_back({t, t, std::to_string(t)});
        data.times.moments.push_back({t, t});
        data.facts[static_cast<int>(Split::valid)][static_cast<std::size_t>(t)].when = t;
      }
      TwoRivals asker;
      const std::vector<float> nothing(4);
      const HistoryFit found = fit_history(asker, OneOfEachRival(), nothing, groups, data);
      EXPECT_LT(found.after, found.before);
      // log(7/3), in scores that are 0.4 to 1.2 times as sharp.
      EXPECT_GT(found.worth[0] - found.worth[1], 0.5) << facts;
      EXPECT_LT(found.worth[0] - found.worth[1], 2.6) << facts;
    }
}

// Of a hub each question has as many candidates as facts: a part of validation says enough.
TEST(FitHistory, TakesFewerFactsWhereTheyHaveVeryManyFeatures) {
  const TemporalGraph data = world(9, 2000);
  DrawnScores asker;
  ThreadPool pool(1);
  const std::vector<float> nothing(4);
  const ById features;  // twenty of each question
  const auto taken = [&](std::size_t most) {
    return HistoryQuestions(asker, features, nothing, data, pool, {}, most);
  };
  EXPECT_EQ(taken(std::size_t{1} << 23).questions.size(), 4000U);
  const HistoryQuestions few = taken(20'000);
  EXPECT_EQ(few.questions.size(), 1000U);
  EXPECT_LE(few.weights.size(), 20'000U);
  EXPECT_EQ(std::ranges::count(few.questions, true, &HistoryQuestions::Question::half), 500);
}

TEST(FitHistory, MayBeGivenUpOnItsWay) {
  const TemporalGraph data = world(9);
  DrawnScores asker;
  struct GivenUp {};
  for (const int rounds : {1, 20}) {
    int asked = 0;
    EXPECT_THROW(fit_history(asker, ById(), std::vector<float>(4),
                             std::vector<std::int32_t>{-1, -1}, data, 1,
                             [&] {
                               if (++asked == rounds) throw GivenUp();
                             }),
                 GivenUp);
    EXPECT_EQ(asked, rounds);
  }
}

TEST(FitHistory, HasNoPartInTheTestSplit) {
  TemporalGraph data = world(9);
  const HistoryFit before = fit(data);
  data.facts[static_cast<int>(Split::test)] = data.split(Split::valid);
  for (Fact& fact : data.facts[static_cast<int>(Split::test)]) fact.object = 25;
  EXPECT_EQ(fit(data).worth, before.worth);
}

}  // namespace
}  // namespace orrery
