#include "judge/fit_lifetimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"
#include "data/temporal_graph.h"

namespace orrery {
namespace {

constexpr std::int32_t people = 30, years = 5;

// Numbers that follow from the question and the candidate alone.
class DrawnByQuestion final : public Scorer {
 public:
  DrawnByQuestion(std::uint64_t seed, bool share) : seed_(seed), share_(share) {}
  float of(const Query& q, std::int32_t entity) const {
    const auto place =
        static_cast<std::uint64_t>(((q.subject * 8 + q.relation) * 8 + q.time) * 64 + entity);
    return share_ ? static_cast<float>(random_below(seed_, place, 1001)) / 1000
                  : static_cast<float>(random_normal(seed_, place));
  }
  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = of(queries[i / people].first, static_cast<std::int32_t>(i % people));
  }

 private:
  std::uint64_t seed_;
  bool share_;
};

DrawnByQuestion model_scores() { return {11, false}; }
DrawnByQuestion drawn_timeliness() { return {12, true}; }

// The object is the most timely of three candidates, or any of them; subjects are drawn.
TemporalGraph aged_world(bool timely, std::size_t facts = 400) {
  TemporalGraph data;
  std::vector<std::string> names;
  for (std::int32_t e = 0; e < people; ++e) names.push_back("e" + std::to_string(100 + e));
  data.entities = Vocabulary(names);
  data.relations = Vocabulary({"r"});
  for (std::int32_t t = 0; t < years; ++t) {
    data.times.rows.push_back({t, t, std::to_string(t)});
    data.times.moments.push_back({t, t});
  }
  const DrawnByQuestion timeliness = drawn_timeliness();
  for (std::uint64_t i = 0; i < facts; ++i) {
    const Query query{static_cast<std::int32_t>(random_below(4, i, people)), 0,
                      static_cast<std::int32_t>(random_below(5, i, years))};
    std::int32_t object = static_cast<std::int32_t>(random_below(6, 3 * i, people));
    for (std::uint64_t k = 1; timely && k < 3; ++k) {
      const auto other = static_cast<std::int32_t>(random_below(6, 3 * i + k, people));
      if (timeliness.of(query, other) > timeliness.of(query, object)) object = other;
    }
    data.facts[static_cast<int>(Split::valid)].push_back({query.subject, 0, object, query.time});
  }
  return data;
}

std::vector<float> worth_fitted_on(const TemporalGraph& data) {
  DrawnByQuestion model = model_scores(), timeliness = drawn_timeliness();
  return fit_lifetimes(model, timeliness, data);
}

// What is minimised for objects, candidate by candidate.
double slow_loss(const TemporalGraph& data, double worth) {
  const DrawnByQuestion model = model_scores(), timeliness = drawn_timeliness();
  double loss = worth * worth / 2;
  for (const Fact& fact : data.split(Split::valid)) {
    const Query query{fact.subject, 0, fact.when};
    const auto score = [&](std::int32_t e) {
      return model.of(query, e) + worth * timeliness.of(query, e);
    };
    double sum = 0;
    for (std::int32_t e = 0; e < people; ++e) {
      const bool known = std::ranges::any_of(data.split(Split::valid), [&](const Fact& other) {
        return other.subject == fact.subject && other.when == fact.when && other.object == e;
      });
      if (!known || e == fact.object) sum += std::exp(score(e));
    }
    loss += std::log(sum) - score(fact.object);
  }
  return loss;
}

TEST(FitLifetimes, FindsTheLeastLoss) {
  const TemporalGraph data = aged_world(true);
  const double worth = worth_fitted_on(data)[0];
  EXPECT_GT(worth, 1);
  const double least = slow_loss(data, worth);
  for (const double other : {worth - 0.1, worth + 0.1}) EXPECT_LT(least, slow_loss(data, other));
}

TEST(FitLifetimes, IsWorthNothingWhereItTellsNothing) {
  EXPECT_EQ(worth_fitted_on(aged_world(false)), (std::vector<float>{0, 0}));
  EXPECT_EQ(worth_fitted_on(aged_world(true, 0)), (std::vector<float>{0, 0}));
}

TEST(FitLifetimes, HasNoPartInTheTestSplit) {
  TemporalGraph data = aged_world(true);
  const auto before = worth_fitted_on(data);
  data.facts[static_cast<int>(Split::test)] = data.split(Split::valid);
  for (Fact& fact : data.facts[static_cast<int>(Split::test)]) fact.object = 25;
  EXPECT_EQ(worth_fitted_on(data), before);
}

}  // namespace
}  // namespace orrery
