#include "paper/geometry_statistics.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(Histogram, CountsEveryValueOnce) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(-3 + 0.01 * i);
  const Histogram h = histogram_of(values);
  EXPECT_EQ(h.least, -3);
  EXPECT_NEAR(h.most, 6.99, 1e-12);
  EXPECT_NEAR(h.mean, 1.995, 1e-9);
  EXPECT_NEAR(h.deviation, 10 / std::sqrt(12.0) * std::sqrt(1000.0 / 999), 1e-5);
  EXPECT_EQ(h.counts.size(), 31U);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), 0), 1000);
  EXPECT_NEAR(h.least + h.width * static_cast<double>(h.counts.size()), h.most, 1e-9);
  for (const auto count : h.counts) EXPECT_NEAR(static_cast<double>(count), 1000.0 / 31, 2);
}

TEST(Histogram, OfOneValueAndOfNone) {
  const std::vector<double> same(7, 2.5);
  const Histogram h = histogram_of(same);
  EXPECT_EQ(h.counts, std::vector<std::int64_t>{7});
  EXPECT_EQ(h.mean, 2.5);
  EXPECT_EQ(h.deviation, 0);
  EXPECT_TRUE(histogram_of({}).counts.empty());
}

TEST(RankCorrelation, AsSpearmanSays) {
  using Values = std::vector<double>;
  EXPECT_NEAR(rank_correlation(Values{1, 2, 3}, Values{10, 100, 1000}), 1, 1e-15);
  EXPECT_NEAR(rank_correlation(Values{1, 2, 3}, Values{5, 4, -7}), -1, 1e-15);
  // 1 − 6 Σd² / (n³ − n) with places 1 2 3 4 5 and 2 1 4 3 5
  EXPECT_NEAR(rank_correlation(Values{1, 2, 3, 4, 5}, Values{20, 10, 40, 30, 50}), 0.8, 1e-15);
  EXPECT_EQ(places_of(Values{4, 1, 4, 9}), (Values{2.5, 1, 2.5, 4}));
  EXPECT_TRUE(std::isnan(rank_correlation(Values{1, 1, 1}, Values{1, 2, 3})));
  EXPECT_TRUE(std::isnan(rank_correlation(Values{}, Values{})));
}

}  // namespace
}  // namespace orrery
