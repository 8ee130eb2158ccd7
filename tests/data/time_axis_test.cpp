#include "data/time_axis.h"

#include <gtest/gtest.h>

#include "data/axis_texts.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::interval;
using testing::Labels;
using testing::labels;
using testing::refused;

std::vector<Date> dates_of(const std::vector<std::string>& texts) {
  std::vector<Date> dates;
  for (const std::string& text : texts) dates.push_back(parse_date(text).date);
  return dates;
}

TimeAxis points_at(const std::vector<std::string>& texts,
                   Granularity granularity = Granularity::day) {
  return point_axis(dates_of(texts), granularity);
}

TEST(PointAxis, RowsAreTheDistinctPointsAscending) {
  const TimeAxis axis = points_at({"2014-02-01", "-431-05-01", "2014-2-1"});
  EXPECT_EQ(axis.timeline.granularity, Granularity::day);
  EXPECT_EQ(labels(axis.timeline), (Labels{"-431-05-01", "2014-02-01"}));
  EXPECT_EQ(axis.moment_of, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(axis.timeline.moments[1].start, 1);
  EXPECT_EQ(axis.timeline.moments[1].end, 1);
  EXPECT_EQ(axis.timeline.moment_names[1], "2014-02-01");
  EXPECT_FALSE(axis.timeline.intervals);
}

TEST(PointAxis, AGranularityMayBeAskedFor) {
  const std::vector<std::string> days = {"2014-04-21", "2014-04-27", "2014-04-28", "2015-01-01"};
  EXPECT_EQ(labels(points_at(days, Granularity::week).timeline),
            (Labels{"2014-W17", "2014-W18", "2015-W01"}));
  EXPECT_EQ(labels(points_at(days, Granularity::month).timeline), (Labels{"2014-04", "2015-01"}));
  EXPECT_EQ(labels(points_at(days, Granularity::decade).timeline), (Labels{"2010s"}));
  EXPECT_EQ(labels(points_at({"2014"}).timeline), (Labels{"2014-01-01"}));
  EXPECT_EQ(labels(points_at({"365", "7", "0"}, Granularity::year).timeline),
            (Labels{"0", "7", "365"}));
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
  const Timeline days = points_at({"2014-04-01", "2014-04-05", "2014-04-20"}).timeline;
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
  const Timeline days = points_at({"2014-04-01", "2014-04-05"}).timeline;
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
  const Timeline weeks = points_at({"2014-04-21", "2014-04-28"}, Granularity::week).timeline;
  EXPECT_EQ(weeks.nearest_row("2014-W18"), 1);
  EXPECT_EQ(weeks.nearest_row("2014-04-30"), 1);
  const Timeline classes =
      interval_axis({interval("1900", "1910"), interval("1950", "1960")}, {}, 2).timeline;
  EXPECT_EQ(classes.nearest_row("1950..1960"), 1);
  EXPECT_EQ(classes.nearest_row("1955-06-01"), 1);
}

TEST(Timeline, PlaceOfSaysWhetherTheAxisHasTheDate) {
  using Where = TimePlace::Where;
  const Timeline days = points_at({"2014-04-01", "2014-04-05", "2014-04-20"}).timeline;
  const auto place = [&](std::string_view text) { return days.place_of(text); };
  EXPECT_EQ(place("2014-04-05").where, Where::on);
  EXPECT_EQ(days.note_on("2014-04-05", place("2014-04-05")), "");
  EXPECT_EQ(place("2014-04-03").where, Where::between);
  EXPECT_EQ(place("2014-04-04").row, 1);
  EXPECT_EQ(place("2014-04-04").where, Where::between);
  EXPECT_EQ(place("2014-03-30").where, Where::before);
  EXPECT_EQ(place("2014-03-30").distance, 2);
  EXPECT_EQ(place("2014-04-21").where, Where::after);
  EXPECT_TRUE(contains(days.note_on("2014-04-21", place("2014-04-21")),
                       "is 1 day after the last time of the data; 2014-04-20 is answered for"));
  EXPECT_TRUE(place("2014-04").coarse);
  EXPECT_TRUE(contains(days.note_on("2014-04", place("2014-04")), "coarser than a day"));
  Timeline wide;
  wide.rows = {{time_point(parse_date("2018-03").date, Granularity::day),
                time_point(parse_date("2018-07-15").date, Granularity::day),
                "2018-03-01..2018-07-15"}};
  EXPECT_FALSE(wide.place_of("2018-05").coarse) << "all of it lies in one row";
  EXPECT_TRUE(wide.place_of("2018-07").coarse);
}

TEST(Timeline, QuestionsMayHaveAnyFormThatIsClear) {
  const Timeline days = points_at({"2020-01-31", "2020-02-03", "2023-11-14"}).timeline;
  for (const auto* text : {"20200131", "31/01/2020", "01/31/2020", "31.01.2020", "31 January 2020",
                           "2020-01-31T10:11:12Z", "1580428800", "1580428800000"})
    EXPECT_EQ(days.find_row(text), 0) << text;
  EXPECT_EQ(days.nearest_row("1700000000"), 2);
  const Error error = caught([&] { days.nearest_row("03/02/2020"); });
  EXPECT_TRUE(contains(error.message(), "day/month/year or month/day/year")) << error.what();
  EXPECT_FALSE(days.find_row("03/02/2020"));
  // An axis of plain integers is asked in plain integers.
  const Timeline counts = points_at({"7", "1700000000"}, Granularity::year).timeline;
  EXPECT_EQ(counts.find_row("1700000000"), 1);
  EXPECT_FALSE(counts.find_row("1699999999"));
}

}  // namespace
}  // namespace orrery
