#include "facts/date.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

using Kind = ParsedDate::Kind;

Date date(std::string_view text) {
  const ParsedDate parsed = parse_date(text);
  EXPECT_EQ(parsed.kind, Kind::date) << text;
  return parsed.date;
}

std::string relabel(std::string_view text, Granularity granularity) {
  return label(time_point(date(text), granularity), granularity);
}

TEST(Date, ReadsEveryForm) {
  struct Case {
    std::string_view text;
    std::int64_t year;
    int month, day;
  };
  for (const Case& c :
       {Case{"2014-04-25", 2014, 4, 25}, Case{"2014-04", 2014, 4, 0}, Case{"2014", 2014, 0, 0},
        Case{"-431", -431, 0, 0}, Case{"-431-05-01", -431, 5, 1}, Case{"19##-##-##", 1900, 0, 0},
        Case{"193#-##-##", 1930, 0, 0}, Case{"360-##-##", 360, 0, 0},
        Case{"1999-12-##", 1999, 12, 0}, Case{"-431-##-##", -431, 0, 0}, Case{"0", 0, 0, 0},
        Case{"365", 365, 0, 0}, Case{"2014-4-5", 2014, 4, 5}, Case{"2014-##-05", 2014, 0, 0},
        Case{"1700000000", 1700000000, 0, 0}, Case{"9999999999999999", 9999999999999999, 0, 0}}) {
    const Date parsed = date(c.text);
    EXPECT_EQ(parsed.year, c.year) << c.text;
    EXPECT_EQ(parsed.month, c.month) << c.text;
    EXPECT_EQ(parsed.day, c.day) << c.text;
  }
}

TEST(Date, KnowsTheUnknown) {
  for (const std::string_view text : {"", "####", "####-##-##", "-####", "####-05-01", "##"}) {
    EXPECT_EQ(parse_date(text).kind, Kind::unknown) << text;
  }
}

TEST(Date, RefusesWhatIsNoDate) {
  for (const std::string_view text : {"-",
                                      "--",
                                      "x",
                                      "2014-",
                                      "2014-13",
                                      "2014-00",
                                      "2014-04-31",
                                      "2014-04-00",
                                      "2013-02-29",
                                      "1900-02-29",
                                      "2014-04-25-01",
                                      " 2014",
                                      "2014 ",
                                      "2014-04-25T00:00",
                                      "2014-1#",
                                      "+2014",
                                      "20.14",
                                      "2014/04/25",
                                      "2014-W17",
                                      "12345678901234567",
                                      "2014-004-01",
                                      "####-13",
                                      "2014-##-32",
                                      "2014\t"}) {
    EXPECT_EQ(parse_date(text).kind, Kind::bad) << text;
  }
}

TEST(Date, LeapYears) {
  for (const std::string_view text : {"2012-02-29", "2000-02-29", "0-02-29", "-4-02-29"}) {
    EXPECT_EQ(parse_date(text).kind, Kind::date) << text;
  }
  EXPECT_EQ(parse_date("-100-02-29").kind, Kind::bad);
}

TEST(Date, FinestIsWhatIsGiven) {
  EXPECT_EQ(date("2014-04-25").finest(), Granularity::day);
  EXPECT_EQ(date("2014-04").finest(), Granularity::month);
  EXPECT_EQ(date("2014").finest(), Granularity::year);
  EXPECT_EQ(date("2014-##-05").finest(), Granularity::year);
}

TEST(TimePoint, CountsFromTheStatedOrigins) {
  EXPECT_EQ(time_point(date("1970-01-01"), Granularity::day), 0);
  EXPECT_EQ(time_point(date("1969-12-31"), Granularity::day), -1);
  EXPECT_EQ(time_point(date("2000-03-01"), Granularity::day), 11017);
  EXPECT_EQ(time_point(date("1-01-01"), Granularity::day), -719162);
  EXPECT_EQ(time_point(date("1970-01-04"), Granularity::week), 0);  // a Sunday
  EXPECT_EQ(time_point(date("1970-01-05"), Granularity::week), 1);
  EXPECT_EQ(time_point(date("1969-12-28"), Granularity::week), -1);
  EXPECT_EQ(time_point(date("0-01"), Granularity::month), 0);
  EXPECT_EQ(time_point(date("-1-12"), Granularity::month), -1);
  EXPECT_EQ(time_point(date("-431-05-01"), Granularity::year), -431);
  EXPECT_EQ(time_point(date("2014"), Granularity::day),
            time_point(date("2014-01-01"), Granularity::day));
}

TEST(TimePoint, EveryDayHasItsLabel) {
  // Walk the calendar by hand from the year -801 to 2401 and compare.
  TimePoint point = time_point(date("-801-01-01"), Granularity::day);
  for (int year = -801; year <= 2401; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int month = 1; month <= 12; ++month) {
      for (const int day : {1, lengths[month - 1]}) {
        const TimePoint here = point + day - 1;
        ASSERT_EQ(time_point({year, month, day}, Granularity::day), here) << year << ' ' << month;
        const Date back = date(label(here, Granularity::day));
        ASSERT_EQ(back.year, year);
        ASSERT_EQ(back.month, month);
        ASSERT_EQ(back.day, day);
      }
      point += lengths[month - 1];
    }
  }
}

TEST(Label, OfEachGranularity) {
  EXPECT_EQ(relabel("2014-04-25", Granularity::day), "2014-04-25");
  EXPECT_EQ(relabel("2014-04-25", Granularity::month), "2014-04");
  EXPECT_EQ(relabel("2014-04-25", Granularity::year), "2014");
  EXPECT_EQ(relabel("-431-05-01", Granularity::day), "-431-05-01");
  EXPECT_EQ(relabel("-431-05-01", Granularity::month), "-431-05");
  EXPECT_EQ(relabel("-431", Granularity::year), "-431");
}

TEST(Label, IsoWeeks) {
  // Where the week's year is not the day's year, both ways, and 53-week years.
  EXPECT_EQ(relabel("2014-04-25", Granularity::week), "2014-W17");
  EXPECT_EQ(relabel("2005-01-01", Granularity::week), "2004-W53");
  EXPECT_EQ(relabel("2008-12-29", Granularity::week), "2009-W01");
  EXPECT_EQ(relabel("2010-01-03", Granularity::week), "2009-W53");
  EXPECT_EQ(relabel("2010-01-04", Granularity::week), "2010-W01");
  EXPECT_EQ(relabel("2020-12-31", Granularity::week), "2020-W53");
  EXPECT_EQ(relabel("1970-01-01", Granularity::week), "1970-W01");
}

TEST(GranularityNames, GoBothWays) {
  for (const auto granularity :
       {Granularity::day, Granularity::week, Granularity::month, Granularity::year}) {
    EXPECT_EQ(granularity_named(name_of(granularity)), granularity);
  }
  EXPECT_FALSE(granularity_named("decade"));
}

}  // namespace
}  // namespace orrery
