#include "data/interval_axis.h"

#include <gtest/gtest.h>

#include "data/axis_texts.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::interval;
using testing::Labels;
using testing::labels;

Timeline axis(const std::vector<DatedText>& texts, Granularity granularity = Granularity::year,
              std::int64_t min_facts = 1, const std::string& horizon = "") {
  std::optional<Date> until;
  if (!horizon.empty()) until = parse_date(horizon).date;
  return within_axis(texts, granularity, min_facts, until).timeline;
}

TEST(WithinAxis, RowsAreTheSegmentsBetweenChanges) {
  const Timeline times = axis({interval("1900", "1909", 9), interval("1905", "1920")});
  EXPECT_TRUE(times.intervals);
  EXPECT_TRUE(times.within);
  EXPECT_EQ(labels(times), (Labels{"1900..1904", "1905..1909", "1910..1920"}));
  EXPECT_EQ(times.moments[0].start, 0);
  EXPECT_EQ(times.moments[0].end, 1);
  EXPECT_EQ(times.moments[1].start, 1);
  EXPECT_EQ(times.moments[1].end, 2);
}

TEST(WithinAxis, EveryTimeLiesInOneRow) {
  const Timeline times = axis({interval("1900", "1902"), interval("1950", "1960")});
  EXPECT_EQ(labels(times), (Labels{"1900..1902", "1903..1949", "1950..1960"}));
  for (int year = 1900; year <= 1960; ++year) {
    const auto row = times.find_row(std::to_string(year));
    ASSERT_TRUE(row) << year;
    EXPECT_GE(year, times.rows[static_cast<std::size_t>(*row)].first);
    EXPECT_LE(year, times.rows[static_cast<std::size_t>(*row)].last);
  }
  EXPECT_EQ(times.find_row("1903..1949"), 1);
  EXPECT_FALSE(times.find_row("1961"));
  EXPECT_EQ(times.nearest_row("1961"), 2);
  EXPECT_EQ(times.nearest_row("1899"), 0);
}

TEST(WithinAxis, OpenSidesReachToTheEdges) {
  const Timeline times =
      axis({interval("", "1950"), interval("1960", ""), interval("1970", "1980")});
  // After 1980 one fact goes on: its time has a row, too.
  EXPECT_EQ(labels(times), (Labels{"1950", "1951..1959", "1960..1969", "1970..1980", "1981"}));
  EXPECT_EQ(times.moments[0].start, Moment::unknown);
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).start, 0);
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).end, 0);
  EXPECT_EQ(times.rows_of({0, 0, 0, 1}).start, 2);
  EXPECT_EQ(times.rows_of({0, 0, 0, 1}).end, 4);
}

TEST(WithinAxis, OpenEndsReachToTheHorizon) {
  const std::vector<DatedText> texts = {interval("1960", ""), interval("1970", "1990")};
  const Timeline times = axis(texts, Granularity::year, 1, "1979");
  EXPECT_EQ(labels(times), (Labels{"1960..1969", "1970..1979", "1980..1990"}));
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).end, 1);
  EXPECT_EQ(times.spans[0], (TimeSpan{1960, 1979}));
}

TEST(WithinAxis, OnlyTrainMakesRows) {
  const Timeline times = axis({interval("1900", "1910"), interval("1905", "1930", 0)});
  EXPECT_EQ(labels(times), (Labels{"1900..1910"}));
  EXPECT_EQ(times.rows_of({0, 0, 0, 1}).end, 0);
  EXPECT_EQ(times.spans[1], (TimeSpan{1905, 1930}));
}

TEST(WithinAxis, ManyChangesMakeARow) {
  const std::vector<DatedText> texts = {interval("1900", "1910"), interval("1905", "1920"),
                                        interval("1911", "1930")};
  // Changes: 1900, 1905, 1911 twice, 1921.
  EXPECT_EQ(labels(axis(texts)), (Labels{"1900..1904", "1905..1910", "1911..1920", "1921..1930"}));
  EXPECT_EQ(labels(axis(texts, Granularity::year, 2)), (Labels{"1900..1910", "1911..1930"}));
  EXPECT_EQ(labels(axis(texts, Granularity::year, 100)), (Labels{"1900..1930"}));
}

TEST(WithinAxis, PoolingDoesNotMoveTheEdges) {
  const std::vector<DatedText> texts = {interval("1960", ""), interval("1970", "1980")};
  EXPECT_EQ(labels(axis(texts)), (Labels{"1960..1969", "1970..1980", "1981"}));
  EXPECT_EQ(labels(axis(texts, Granularity::year, 9)), (Labels{"1960..1981"}));
}

TEST(WithinAxis, ACoarseDateIsItsWholePeriod) {
  const Timeline times =
      axis({interval("2009", "2011-02"), interval("2010-05-03", "2010-05-03")}, Granularity::day);
  EXPECT_EQ(labels(times),
            (Labels{"2009-01-01..2010-05-02", "2010-05-03", "2010-05-04..2011-02-28"}));
  EXPECT_EQ(times.coarsest_date, Granularity::year);
  EXPECT_EQ(span_of(parse_date("2012-12").date, Granularity::day).last,
            time_point(parse_date("2012-12-31").date, Granularity::day));
}

TEST(WithinAxis, WhatEndsBeforeItStartsHoldsAtItsStart) {
  const Timeline times = axis({interval("1990", "1980"), interval("1970", "1995")});
  EXPECT_EQ(times.spans[1], (TimeSpan{1990, 1990}));
}

TEST(WithinAxis, FactsThatHoldAlwaysReachFromEdgeToEdge) {
  const Timeline times = axis({interval("", ""), interval("1950", "1960")});
  EXPECT_EQ(labels(times), (Labels{"1950..1960", "1961"}));
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).start, 0);
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).end, 1);
}

TEST(WithinAxis, WithoutAnyDateThereIsOneTime) {
  const Timeline times = axis({interval("", "")});
  EXPECT_TRUE(times.timeless());
  EXPECT_EQ(labels(times), Labels{"always"});
  EXPECT_EQ(times.rows_of({0, 0, 0, 0}).end, 0);
  EXPECT_EQ(times.nearest_row("2014"), 0);
}

TEST(WithinAxis, AHorizonBeforeEveryStartIsRefused) {
  const std::vector<DatedText> texts = {interval("1950", ""), interval("1960", "")};
  const auto until = [&](std::string_view date) {
    return within_axis(texts, Granularity::year, 1, parse_date(date).date).timeline;
  };
  EXPECT_EQ(caught([&] { until("1949"); }).message(),
            "--horizon 1949 lies before every start of the data, of which 1950 is the first");
  EXPECT_EQ(until("1955").spans[1], (TimeSpan{1960, 1960}));
}

TEST(WithinAxis, EqualNamesAreOneMoment) {
  const TimeAxis times =
      within_axis({interval("1950", "1960"), interval("1950", "1960"), interval("1940", "1941")},
                  Granularity::year, 1, {});
  EXPECT_EQ(times.moment_of, (std::vector<std::int32_t>{1, 1, 0}));
  EXPECT_EQ(times.timeline.spans.size(), 2U);
}

}  // namespace
}  // namespace orrery
