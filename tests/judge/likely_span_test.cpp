#include "judge/likely_span.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "random_world.h"

namespace orrery {
namespace {

constexpr std::int32_t span_entities = 6, span_times = 12;

// Entity 1 is likely as the answer to entity 0, and the other way, at some times.
class TimedAsker final : public Asker {
 public:
  explicit TimedAsker(bool ends) : ends_(ends) {}

  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    for (std::size_t i = 0; i < queries.size(); ++i)
      for (std::size_t e = 0; e < span_entities; ++e) {
        const Query& query = queries[i].first;
        const bool one = (query.subject == 0 && e == 1) || (query.subject == 1 && e == 0);
        scores[i * span_entities + e] = one && likely(query) ? 6.0F : 0.0F;
      }
  }
  void rank(std::span<const RankQuestion>, std::span<RankCounts>) override {
    fail_broken("scores are enough");
  }
  void top(std::span<const QueryPair>, std::size_t, std::span<TopAnswers>) override {
    fail_broken("scores are enough");
  }

 private:
  // Relation rows by ends: start, end, and both reciprocal.
  bool likely(const Query& query) const {
    if (!ends_) return query.time >= 3 && query.time <= 6;
    return query.time == (query.relation % 2 == 1 ? 7 : 2);
  }
  bool ends_;
};

// Of its log-probability, over that of six candidates that are alike.
const double likely_gain = 6 - std::log(std::exp(6) + 5) + std::log(6);

TemporalGraph spans_world(bool within) {
  TemporalGraph data;
  data.entities = testing_world::numbered_names('e', span_entities);
  data.relations = testing_world::numbered_names('r', 1);
  data.times.intervals = true;
  data.times.within = within;
  for (std::int32_t t = 0; t < span_times; ++t)
    data.times.rows.push_back({t, t, std::to_string(2000 + t)});
  data.times.moments = {{9, 11}, {3, 6}, {Moment::unknown, 11}, {Moment::unknown, Moment::unknown}};
  data.times.spans = {{9, 11}, {3, 6}, {TimeSpan::open_start, 11}, {}};
  return data;
}

TEST(LikelySpan, WithinIsTheRunOfLikelyTimes) {
  TimedAsker asker(false);
  const TemporalGraph data = spans_world(true);
  const auto far = likely_span(asker, data, {0, 0, 1, 0}, {});
  ASSERT_TRUE(far.has_value());
  EXPECT_EQ(span_text(data.times, *far), "2003\t2006");
  EXPECT_NEAR(far->gain, likely_gain, 1e-5);
  const auto right = likely_span(asker, data, {0, 0, 1, 1}, {});
  EXPECT_NEAR(right->gain, 0, 1e-9);
}

TEST(LikelySpan, OfEndsIsTheLikeliestStartAndEnd) {
  TimedAsker asker(true);
  const TemporalGraph data = spans_world(false);
  const auto found = likely_span(asker, data, {0, 0, 1, 0}, {});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(span_text(data.times, *found), "2002\t2007");
  EXPECT_NEAR(found->gain, 4 * likely_gain, 1e-5);  // two ends, two sides
  const auto open = likely_span(asker, data, {0, 0, 1, 2}, {});
  ASSERT_TRUE(open.has_value());
  EXPECT_EQ(span_text(data.times, *open), "####\t2007");
  EXPECT_FALSE(likely_span(asker, data, {0, 0, 1, 3}, {}).has_value());
}

}  // namespace
}  // namespace orrery
