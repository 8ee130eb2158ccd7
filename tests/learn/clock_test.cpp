#include "learn/clock.h"

#include <gtest/gtest.h>

#include "math/lane.h"

namespace orrery {
namespace {

Timeline axis_of(Granularity granularity, const std::vector<Date>& dates) {
  Timeline times;
  times.granularity = granularity;
  for (const Date& date : dates) {
    const TimePoint point = time_point(date, granularity);
    times.rows.push_back({point, point, label(point, granularity)});
  }
  return times;
}

float reading(const std::vector<float>& clock, std::size_t time, ClockReading reading) {
  return clock[time * clock_readings + static_cast<std::size_t>(reading)];
}

TEST(Clock, ReadsTheCalendarOfDays) {
  const auto clock =
      clock_of(axis_of(Granularity::day, {{2013, 12, 31}, {2014, 1, 10}, {2014, 1, 20}}));
  ASSERT_EQ(clock.size(), 3 * std::size_t{clock_readings});
  EXPECT_EQ(reading(clock, 0, ClockReading::span), 0);
  EXPECT_EQ(reading(clock, 1, ClockReading::span), 0.5F);
  EXPECT_EQ(reading(clock, 2, ClockReading::span), 1);
  EXPECT_EQ(reading(clock, 0, ClockReading::year), 0);
  EXPECT_EQ(reading(clock, 1, ClockReading::year), 1);
  EXPECT_EQ(reading(clock, 0, ClockReading::month), 12);
  EXPECT_EQ(reading(clock, 1, ClockReading::month), 1);
  EXPECT_EQ(reading(clock, 2, ClockReading::day), 20);
}

TEST(Clock, KnowsNothingFinerThanItsTimes) {
  const auto months = clock_of(axis_of(Granularity::month, {{2014, 3, 0}, {2014, 5, 0}}));
  EXPECT_EQ(reading(months, 1, ClockReading::month), 5);
  EXPECT_EQ(reading(months, 1, ClockReading::day), 0);
  const auto years = clock_of(axis_of(Granularity::year, {{-431, 0, 0}, {12, 0, 0}}));
  EXPECT_EQ(reading(years, 1, ClockReading::year), 443);
  EXPECT_EQ(reading(years, 1, ClockReading::month), 0);
  EXPECT_EQ(reading(years, 1, ClockReading::span), 1);
}

TEST(Clock, DatesAWeekByItsThursday) {
  const auto weeks = clock_of(axis_of(Granularity::week, {{2014, 4, 21}, {2014, 4, 28}}));
  EXPECT_EQ(reading(weeks, 0, ClockReading::month), 4);
  EXPECT_EQ(reading(weeks, 0, ClockReading::day), 24);
  EXPECT_EQ(reading(weeks, 1, ClockReading::month), 5);
  EXPECT_EQ(reading(weeks, 1, ClockReading::day), 1);
}

TEST(Clock, OfOneTimeOrNoneIsNoDivisionByZero) {
  EXPECT_TRUE(clock_of(Timeline{}).empty());
  const auto one = clock_of(axis_of(Granularity::day, {{2014, 4, 21}}));
  EXPECT_EQ(reading(one, 0, ClockReading::span), 0);
}

}  // namespace
}  // namespace orrery
