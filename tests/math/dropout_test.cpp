#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "math/algebra.h"
#include "math/lane.h"

namespace orrery {
namespace {

constexpr std::uint32_t lanes = 4000;

FactorRule<double> rule_with(bool drop_lanes) {
  FactorRule<double> rule;
  rule.drop_rate = 0.25F;
  rule.drop_lanes = drop_lanes;
  rule.drop_key = 7;
  return rule;
}

struct Counts {
  int dropped = 0, mixed_lanes = 0;
};

Counts counts_of(const FactorRule<double>& rule, std::uint32_t factor) {
  Counts counts;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const auto mask = drop_mask<double, Biquaternion>(rule, lane, factor);
    int zeros = 0;
    for (const double m : mask.c) {
      EXPECT_TRUE(m == 0 || std::abs(m - 4.0 / 3) < 1e-6) << m;
      zeros += m == 0 ? 1 : 0;
    }
    counts.dropped += zeros;
    counts.mixed_lanes += zeros > 0 && zeros < Biquaternion::size ? 1 : 0;
  }
  return counts;
}

TEST(Dropout, OfComponentsLeavesMostLanesMixed) {
  const Counts counts = counts_of(rule_with(false), 0);
  EXPECT_NEAR(counts.dropped / (8.0 * lanes), 0.25, 0.01);
  EXPECT_GT(counts.mixed_lanes, lanes / 2);
}

TEST(Dropout, OfLanesTakesAllComponentsOrNone) {
  for (const std::uint32_t factor : {0U, 1U}) {
    const Counts counts = counts_of(rule_with(true), factor);
    EXPECT_NEAR(counts.dropped / (8.0 * lanes), 0.25, 0.03);
    EXPECT_EQ(counts.mixed_lanes, 0);
  }
}

TEST(Dropout, OfTwoFactorsIsDrawnApart) {
  int different = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    different += drop_mask<double, Biquaternion>(rule_with(true), lane, 0).c[0] !=
                         drop_mask<double, Biquaternion>(rule_with(true), lane, 1).c[0]
                     ? 1
                     : 0;
  EXPECT_NEAR(different / static_cast<double>(lanes), 2 * 0.25 * 0.75, 0.03);
}

}  // namespace
}  // namespace orrery
