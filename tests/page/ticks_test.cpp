#include "page/ticks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "page/sample_report.h"

namespace orrery {
namespace {

using Labels = std::vector<std::string>;

Labels labels_of(const Scale& scale, int most) {
  Labels labels;
  for (const Tick& tick : ticks_of(scale, most)) labels.push_back(tick.label);
  return labels;
}

TEST(Ticks, StepsAreOneTwoFive) {
  EXPECT_EQ(labels_of({0, 1}, 5), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels_of({0, 208}, 5), (Labels{"0", "50", "100", "150", "200"}));
  EXPECT_EQ(labels_of({0.31, 0.62}, 7), (Labels{"0.35", "0.40", "0.45", "0.50", "0.55", "0.60"}));
  EXPECT_EQ(labels_of({-0.3, 0.3}, 3), (Labels{"−0.2", "0", "0.2"}));
}

TEST(Ticks, YearsStandWithoutCommasAndLargerNumbersWithThem) {
  EXPECT_EQ(labels_of({2014, 2018}, 4), (Labels{"2014", "2015", "2016", "2017", "2018"}));
  EXPECT_EQ(labels_of({9000, 31000}, 3), (Labels{"10,000", "20,000", "30,000"}));
}

TEST(Ticks, VeryLargeAndVerySmallOnesArePowers) {
  EXPECT_EQ(labels_of({0, 3e9}, 3), (Labels{"0", "10⁹", "2×10⁹", "3×10⁹"}));
  EXPECT_EQ(labels_of({0, 2.1e-7}, 2), (Labels{"0", "2×10⁻⁷"}));
  EXPECT_EQ(labels_of({-2.5e8, -1.5e8}, 2), (Labels{"−2.5×10⁸", "−2.0×10⁸", "−1.5×10⁸"}));
}

TEST(Ticks, WholeNumbersHaveNoMarksBetweenThem) {
  EXPECT_EQ(labels_of({0, 2}, 8), (Labels{"0", "0.5", "1.0", "1.5", "2.0"}));
  EXPECT_EQ(labels_of({0, 2, false, true}, 8), (Labels{"0", "1", "2"}));
}

TEST(Ticks, LogarithmicAxesMarkPowersOfTenAndTwoAndFiveWhereTheyAreFew) {
  EXPECT_EQ(labels_of({0.9, 110, true}, 5), (Labels{"1", "2", "5", "10", "20", "50", "100"}));
  EXPECT_EQ(labels_of({0.5e-3, 2e4, true}, 8),
            (Labels{"0.001", "0.01", "0.1", "1", "10", "100", "1000", "10,000"}));
  EXPECT_EQ(labels_of({0.9e-6, 2e-1, true}, 6),
            (Labels{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"}));
  EXPECT_EQ(labels_of({1e-12, 1e12, true}, 4).size(), 5U);
  EXPECT_EQ(labels_of({30, 60, true}, 4), (Labels{"30", "40", "50", "60"}));
}

TEST(Scale, LeavesAMarginThatDoesNotCrossZero) {
  const Scale counts = fit_scale(std::vector<double>{0, 50, 100}, false);
  EXPECT_EQ(counts.low, 0);
  EXPECT_DOUBLE_EQ(counts.high, 104);
  const Scale losses = fit_scale(std::vector<double>{-100, 0}, false);
  EXPECT_EQ(losses.high, 0);
  const Scale both = fit_scale(std::vector<double>{-50, 50}, false);
  EXPECT_DOUBLE_EQ(both.low, -54);
}

TEST(Scale, BarsStandOnZero) {
  const Scale scale = fit_scale(std::vector<double>{90, 100}, false, true);
  EXPECT_EQ(scale.low, 0);
  EXPECT_DOUBLE_EQ(scale.high, 104);
}

TEST(Scale, OneValueStandsInTheMiddle) {
  for (const double value : {0.0, 0.55, -3.0, 1e-300, 5e249}) {
    const Scale scale = fit_scale(std::vector<double>{value, value}, false);
    EXPECT_LT(scale.low, scale.high) << value;
    EXPECT_NEAR(scale.place(value), 0.5, 1e-9) << value;
    EXPECT_FALSE(ticks_of(scale, 5).empty()) << value;
  }
  EXPECT_NEAR(fit_scale(std::vector<double>{1e-5}, true).place(1e-5), 0.5, 1e-9);
}

TEST(Scale, ALogarithmicPlaceIsThatOfThePower) {
  const Scale scale{1, 100, true};
  EXPECT_DOUBLE_EQ(scale.place(1), 0);
  EXPECT_DOUBLE_EQ(scale.place(10), 0.5);
  EXPECT_DOUBLE_EQ(scale.place(100), 1);
}

TEST(Scale, NumbersWithoutAPlaceAreLeftOut) {
  const Scale scale = fit_scale(std::vector<double>{nan_value, infinite, -1, 0, 1, 100}, true);
  EXPECT_GT(scale.low, 0.5);
  EXPECT_LT(scale.high, 200);
  EXPECT_FALSE(has_place(nan_value, false));
  EXPECT_FALSE(has_place(-infinite, false));
  EXPECT_FALSE(has_place(0, true));
  EXPECT_TRUE(has_place(0, false));
}

TEST(Scale, WithoutValuesThereIsStillAnAxis) {
  for (const bool logarithmic : {false, true}) {
    const Scale scale = fit_scale({}, logarithmic);
    EXPECT_LT(scale.low, scale.high);
    EXPECT_GE(ticks_of(scale, 5).size(), 2U);
  }
}

// No range of numbers may give endless marks, or marks outside of it.
TEST(Ticks, HoldForAllRanges) {
  for (const bool logarithmic : {false, true}) {
    for (double low = 1e-249; low < 1e249; low *= 37) {
      for (double factor = 1 + 1e-12; factor < 1e100; factor *= factor * 1.5) {
        const std::vector<double> values = {low, std::min(low * factor, 1e249)};
        const Scale scale = fit_scale(values, logarithmic);
        const auto ticks = ticks_of(scale, 6);
        ASSERT_GE(ticks.size(), 1U) << low << " … " << factor;
        ASSERT_LE(ticks.size(), 9U) << low << " … " << factor;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
          const double place = scale.place(ticks[i].value);
          ASSERT_TRUE(place > -1e-6 && place < 1 + 1e-6) << ticks[i].value;
          if (i > 0) {
            ASSERT_NE(ticks[i].label, ticks[i - 1].label);
          }
        }
      }
    }
  }
}

TEST(Ticks, StandAtTheValuesThatWereTried) {
  const auto labels = [](const std::vector<double>& values) {
    std::string text;
    for (const Tick& tick : ticks_at(values)) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels({-0.5, 0, 0.1 + 0.2}), "−0.5 0 0.3 ");
  EXPECT_EQ(labels({500, 1000, 8000, 16000}), "500 1000 8000 16,000 ");
  EXPECT_EQ(labels({0.0003, 0.016}), "0.0003 0.016 ");
  for (const double odd : {1.0 / 3, 1234.5, 1e-5, 1e9, 5e-324, 1e308})
    EXPECT_EQ(labels({1, odd}), "");
}

TEST(Scale, ValuesThatGrowByFactorsGetALogarithmicAxis) {
  using Values = std::vector<double>;
  for (const Values& values :
       {Values{0.003, 0.01, 0.03}, {512, 1000, 2000, 4000}, {0.001, 0.01}, {16, 32, 64, 100}})
    EXPECT_TRUE(grow_by_factors(values)) << values.front();
  for (const Values& values :
       {Values{0, 0.01, 0.1}, {64, 128, 192, 256}, {0.1, 0.2}, {0.01, 0.1, 0.2, 0.3}, {5}, {}})
    EXPECT_FALSE(grow_by_factors(values)) << values.size();
}

TEST(Number, HasSensibleDigits) {
  EXPECT_EQ(number_text(200), "200");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333");
  EXPECT_EQ(number_text(2014.25), "2014.25");
  EXPECT_EQ(number_text(0.012345, 2), "0.012");
  EXPECT_EQ(number_text(nan_value), "—");
  EXPECT_EQ(number_text(-infinite), "-∞");
}

}  // namespace
}  // namespace orrery
