#include "data/time_axis.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

DatedText point(const std::string& text) { return {text, parse_date(text), {}, 1}; }

DatedText interval(const std::string& start, const std::string& end,
                   std::uint64_t train_facts = 1) {
  return {start + "\t" + end, parse_date(start), parse_date(end), train_facts};
}

std::vector<std::string> labels(const Timeline& timeline) {
  std::vector<std::string> result;
  for (const TimeRow& row : timeline.rows) result.push_back(row.label);
  return result;
}

using Labels = std::vector<std::string>;

TEST(PointAxis, RowsAreTheDistinctPointsAscending) {
  const TimeAxis axis =
      point_axis({point("2014-02-01"), point("-431-05-01"), point("2014-2-1")}, {});
  EXPECT_EQ(axis.timeline.granularity, Granularity::day);
  EXPECT_EQ(labels(axis.timeline), (Labels{"-431-05-01", "2014-02-01"}));
  EXPECT_EQ(axis.moment_of, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(axis.timeline.moments[1].start, 1);
  EXPECT_EQ(axis.timeline.moments[1].end, 1);
  EXPECT_EQ(axis.timeline.moment_names[1], "2014-02-01");
  EXPECT_FALSE(axis.timeline.intervals);
}

TEST(PointAxis, TheCoarsestDateDecides) {
  EXPECT_EQ(labels(point_axis({point("2014-02-01"), point("2014-03")}, {}).timeline),
            (Labels{"2014-02", "2014-03"}));
  EXPECT_EQ(labels(point_axis({point("2014-02-01"), point("2013"), point("2014-05")}, {}).timeline),
            (Labels{"2013", "2014"}));
  EXPECT_EQ(labels(point_axis({point("365"), point("7"), point("0")}, {}).timeline),
            (Labels{"0", "7", "365"}));
}

TEST(PointAxis, AGranularityMayBeAskedFor) {
  const std::vector<DatedText> days = {point("2014-04-21"), point("2014-04-27"),
                                       point("2014-04-28"), point("2015-01-01")};
  EXPECT_EQ(labels(point_axis(days, Granularity::week).timeline),
            (Labels{"2014-W17", "2014-W18", "2015-W01"}));
  EXPECT_EQ(labels(point_axis(days, Granularity::month).timeline), (Labels{"2014-04", "2015-01"}));
  EXPECT_EQ(labels(point_axis({point("2014")}, Granularity::day).timeline), (Labels{"2014-01-01"}));
}

TEST(IntervalAxis, ClassesCloseAtTheMinimumAndTheLastTakesTheRest) {
  // Known sides: 1900 ×2, 1910 ×3, 1920 ×1, 1930 ×4, 1940 ×1.
  const std::vector<DatedText> texts = {interval("1900", "1910", 2), interval("1910", "1920"),
                                        interval("1930", "1930", 2), interval("1940", "####")};
  EXPECT_EQ(labels(interval_axis(texts, {}, 1).timeline),
            (Labels{"1900", "1910", "1920", "1930", "1940"}));
  EXPECT_EQ(labels(interval_axis(texts, {}, 3).timeline), (Labels{"1900..1910", "1920..1940"}));
  EXPECT_EQ(labels(interval_axis(texts, {}, 5).timeline), (Labels{"1900..1910", "1920..1940"}));
  EXPECT_EQ(labels(interval_axis(texts, {}, 6).timeline), (Labels{"1900..1940"}));
  EXPECT_EQ(labels(interval_axis(texts, {}, 1000).timeline), (Labels{"1900..1940"}));
}

TEST(IntervalAxis, OnlyTrainMakesClassesAndOthersGoToTheNearest) {
  const std::vector<DatedText> texts = {interval("1900", "1910"), interval("1950", "1960"),
                                        interval("1800", "1931", 0), interval("1930", "2020", 0),
                                        interval("####", "1905", 0)};
  const TimeAxis axis = interval_axis(texts, {}, 2);
  ASSERT_EQ(labels(axis.timeline), (Labels{"1900..1910", "1950..1960"}));
  const auto moment = [&axis](std::size_t i) {
    return axis.timeline.moments[static_cast<std::size_t>(axis.moment_of[i])];
  };
  EXPECT_EQ(moment(2).start, 0);
  EXPECT_EQ(moment(2).end, 1);    // 1931 is nearer to 1950 than to 1910
  EXPECT_EQ(moment(3).start, 0);  // 1930 is as near to both: the earlier one
  EXPECT_EQ(moment(3).end, 1);
  EXPECT_EQ(moment(4).start, Moment::unknown);
  EXPECT_EQ(moment(4).end, 0);
}

TEST(IntervalAxis, MomentsAreDistinctTextsSorted) {
  const TimeAxis axis = interval_axis(
      {interval("1950-##-##", "####"), interval("1950", "####"), interval("1940", "1930")}, {}, 1);
  EXPECT_EQ(axis.timeline.moment_names, (Labels{"1940\t1930", "1950\t####", "1950-##-##\t####"}));
  EXPECT_EQ(axis.moment_of, (std::vector<std::int32_t>{2, 1, 0}));
  const Moment backwards = axis.timeline.moments[0];
  EXPECT_EQ(axis.timeline.rows[static_cast<std::size_t>(backwards.start)].label, "1940");
  EXPECT_EQ(axis.timeline.rows[static_cast<std::size_t>(backwards.end)].label, "1930");
}

TEST(IntervalAxis, AGranularityMayBeAskedFor) {
  EXPECT_EQ(
      labels(interval_axis({interval("2014-01-05", "2014-03")}, Granularity::month, 1).timeline),
      (Labels{"2014-01", "2014-03"}));
}

TEST(Timeline, NearestRow) {
  const Timeline days =
      point_axis({point("2014-04-01"), point("2014-04-05"), point("2014-04-20")}, {}).timeline;
  EXPECT_EQ(days.nearest_row("2014-04-05"), 1);
  EXPECT_EQ(days.nearest_row("2014-04-03"), 0);
  EXPECT_EQ(days.nearest_row("2014-04-04"), 1);
  EXPECT_EQ(days.nearest_row("1999"), 0);
  EXPECT_EQ(days.nearest_row("2031-01-01"), 2);
  EXPECT_EQ(days.nearest_row("2014-04"), 0);
  const Error error = caught([&] { days.nearest_row("yesterday"); });
  EXPECT_EQ(error.option(), "time");
  EXPECT_EQ(error.message(), "\"yesterday\" is not a date");
  EXPECT_TRUE(contains(error.advice(), "2014-04-01 to 2014-04-20")) << error.what();
  refused([&] { days.nearest_row("####"); });
  refused([] { Timeline().nearest_row("2014"); });
}

TEST(Timeline, FindRowTakesNoNeighbour) {
  const Timeline days = point_axis({point("2014-04-01"), point("2014-04-05")}, {}).timeline;
  EXPECT_EQ(days.find_row("2014-04-05"), 1);
  EXPECT_EQ(days.find_row("2014-4-5"), 1);
  for (const auto* absent : {"2014-04-04", "2015-04-05", "yesterday", ""})
    EXPECT_FALSE(days.find_row(absent)) << absent;
  const Timeline classes =
      interval_axis({interval("1900", "1910"), interval("1950", "1960")}, {}, 2).timeline;
  EXPECT_EQ(classes.find_row("1950..1960"), 1);
  EXPECT_EQ(classes.find_row("1955-06-01"), 1);
  EXPECT_FALSE(classes.find_row("1961"));
  EXPECT_FALSE(Timeline().find_row("2014"));
}

TEST(Timeline, NearestRowKnowsLabels) {
  const Timeline weeks =
      point_axis({point("2014-04-21"), point("2014-04-28")}, Granularity::week).timeline;
  EXPECT_EQ(weeks.nearest_row("2014-W18"), 1);
  EXPECT_EQ(weeks.nearest_row("2014-04-30"), 1);
  const Timeline classes =
      interval_axis({interval("1900", "1910"), interval("1950", "1960")}, {}, 2).timeline;
  EXPECT_EQ(classes.nearest_row("1950..1960"), 1);
  EXPECT_EQ(classes.nearest_row("1955-06-01"), 1);
}

}  // namespace
}  // namespace orrery
