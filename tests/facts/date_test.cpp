#include "facts/date.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
        Case{"193#-##-##", 1930, 0, 0}, Case{"360-##-##", 360, 0, 0}, Case{"97-##-##", 97, 0, 0},
        Case{"0097-01-02", 97, 1, 2}, Case{"1999-12-##", 1999, 12, 0},
        Case{"-431-##-##", -431, 0, 0}, Case{"0", 0, 0, 0}, Case{"365", 365, 0, 0},
        Case{"2014-4-5", 2014, 4, 5}, Case{"2014-##-05", 2014, 0, 0},
        Case{"1700000000", 1700000000, 0, 0}, Case{"9999999999999999", 9999999999999999, 0, 0}}) {
    const Date parsed = date(c.text);
    EXPECT_EQ(parsed.year, c.year) << c.text;
    EXPECT_EQ(parsed.month, c.month) << c.text;
    EXPECT_EQ(parsed.day, c.day) << c.text;
  }
}

TEST(Date, KnowsTheUnknown) {
  for (const std::string_view text :
       {"",     "####", "####-##-##", "-####",   "####-05-01", "##",      "null",
        "NULL", "None", "NaN",        "NaT",     "\\N",        "-",       "N/A",
        "na",   "?",    "Unknown",    "present", "Now",        "ONGOING", "heute"}) {
    EXPECT_EQ(parse_date(text).kind, Kind::unknown) << text;
  }
}

TEST(Date, RefusesWhatIsNoDate) {
  for (const std::string_view text : {"--",
                                      "x",
                                      "31-01-20",
                                      "20-Q1",
                                      "80s",
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
                                      "2014-1#",
                                      "20.14",
                                      "12345678901234567",
                                      "2014-004-01",
                                      "####-13",
                                      "2014-##-32",
                                      "2014-W54",
                                      "2014-W00",
                                      "2014-W17-8",
                                      "2014-Q5",
                                      "2014-Q0",
                                      "2014s",
                                      "2014-04-25T",
                                      "2014-04-25T24:00",
                                      "2014-04-25T10:60",
                                      "2014-04-25T10:11:60",
                                      "2016-12-31T23:59:60Z",
                                      "2014-04-25T10:11:12.",
                                      "2014-04-25T10:11+25:00",
                                      "2014-04T10:11",
                                      "2014-04-25 10:11 tomorrow",
                                      "2014-04-25T13:00 PM",
                                      "+2006-00-00",
                                      "25-Apr-14",
                                      "31 February 2021",
                                      "3 3 March 2021",
                                      "March",
                                      "3 Smarch 2021",
                                      "31/01/2020",
                                      "13/2020",
                                      "20200131T101112",
                                      "2014\t"}) {
    EXPECT_EQ(parse_date(text).kind, Kind::bad) << text;
  }
}

TEST(Date, LeapYears) {
  for (const std::string_view text : {"2012-02-29", "2000-02-29", "0000-02-29", "-4-02-29"}) {
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
  EXPECT_EQ(time_point(date("0001-01-01"), Granularity::day), -719162);
  EXPECT_EQ(time_point(date("1970-01-04"), Granularity::week), 0);  // a Sunday
  EXPECT_EQ(time_point(date("1970-01-05"), Granularity::week), 1);
  EXPECT_EQ(time_point(date("1969-12-28"), Granularity::week), -1);
  EXPECT_EQ(time_point(date("0000-01"), Granularity::month), 0);
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

TEST(Date, TimesOfDayAreInUtcAndFractionsAreCut) {
  struct Case {
    std::string_view text, iso;
  };
  for (const Case& c :
       {Case{"2014-04-25T10:11:12", "2014-04-25T10:11:12"},
        Case{"2014-04-25T10:11:12.999Z", "2014-04-25T10:11:12"},
        Case{"2014-04-25T10:11:12.5+02:00", "2014-04-25T08:11:12"},
        Case{"2014-04-25 10:11:12+02", "2014-04-25T08:11:12"},
        Case{"2014-04-25T10:11:12-0530", "2014-04-25T15:41:12"},
        Case{"2014-04-25 10:11", "2014-04-25T10:11"}, Case{"2014-04-25T10", "2014-04-25T10"},
        Case{"2014-04-25T10+05:30", "2014-04-25T04:30"},
        Case{"2014-04-25T101112Z", "2014-04-25T10:11:12"},
        Case{"2014-04-25 10:11:12 UTC", "2014-04-25T10:11:12"},
        Case{"2014-04-25T10:11:12+02:00[Europe/Berlin]", "2014-04-25T08:11:12"},
        Case{"2014/04/25 9:05", "2014-04-25T09:05"},
        Case{"2014-04-25 09:05 PM", "2014-04-25T21:05"},
        Case{"2014-04-25 12:05 AM", "2014-04-25T00:05"},
        // Over the ends of a day, a year and the years after Christ.
        Case{"2014-01-01T00:30:00+01:00", "2013-12-31T23:30:00"},
        Case{"2013-12-31T23:30:00-01:00", "2014-01-01T00:30:00"},
        Case{"0000-01-01T00:00:00+01:00", "-1-12-31T23:00:00"}}) {
    EXPECT_EQ(text_of(date(c.text)), c.iso) << c.text;
    EXPECT_EQ(date(c.iso), date(c.text)) << c.text;
  }
}

TEST(Date, OtherFormsThatNeedNoColumn) {
  struct Case {
    std::string_view text, iso;
  };
  for (const Case& c : {Case{"2014-W17", "2014-W17"},
                        Case{"2014W17", "2014-W17"},
                        Case{"2014-W17-5", "2014-04-25"},
                        Case{"2009-W53-7", "2010-01-03"},
                        Case{"2014-Q2", "2014-Q2"},
                        Case{"2014Q2", "2014-Q2"},
                        Case{"2010s", "2010s"},
                        Case{"-430s", "-430s"},
                        Case{"2014/04/25", "2014-04-25"},
                        Case{"04/2014", "2014-04"},
                        Case{"4.2014", "2014-04"},
                        Case{"2014.0", "2014"},
                        Case{"+2014", "2014"},
                        Case{"+2006-00-00T00:00:00Z", "2006"},
                        Case{"+2006-05-00T00:00:00Z", "2006-05"},
                        Case{"+2006-05-03T00:00:00Z", "2006-05-03"},
                        Case{"-0431-00-00T00:00:00Z", "-431"},
                        Case{"431 BC", "-431"},
                        Case{"431 v. Chr.", "-431"},
                        Case{"79 AD", "79"},
                        Case{"15 March 44 BC", "-44-03-15"},
                        Case{"3 March 2021", "2021-03-03"},
                        Case{"March 3, 2021", "2021-03-03"},
                        Case{"March 3rd, 2021", "2021-03-03"},
                        Case{"Mar 2021", "2021-03"},
                        Case{"25-Apr-2014", "2014-04-25"},
                        Case{"3. März 2021", "2021-03-03"},
                        Case{"3. Dezember 2021", "2021-12-03"},
                        Case{"MAI 2021", "2021-05"},
                        Case{"1 Sept 2021", "2021-09-01"},
                        Case{"Fri, 25 Apr 2014 10:11:12 GMT", "2014-04-25T10:11:12"},
                        Case{"April 25, 2014 10:11 PM", "2014-04-25T22:11"}}) {
    EXPECT_EQ(text_of(date(c.text)), c.iso) << c.text;
  }
}

TEST(Date, EveryMonthHasItsNames) {
  const std::vector<std::vector<std::string>> names = {{"January", "Jan", "Januar", "Jänner"},
                                                       {"February", "Feb", "Februar"},
                                                       {"March", "Mar", "März", "Mrz"},
                                                       {"April", "Apr", "APRIL"},
                                                       {"May", "Mai", "may"},
                                                       {"June", "Jun", "Juni"},
                                                       {"July", "Jul", "Juli"},
                                                       {"August", "Aug", "august"},
                                                       {"September", "Sep", "Sept"},
                                                       {"October", "Oct", "Oktober", "Okt"},
                                                       {"November", "Nov", "nov"},
                                                       {"December", "Dec", "Dezember", "Dez"}};
  for (std::size_t month = 0; month < names.size(); ++month) {
    for (const std::string& name : names[month])
      EXPECT_EQ(date("7 " + name + " 2020"), (Date{2020, static_cast<int>(month) + 1, 7})) << name;
  }
}

TEST(Date, TheCalendarIsGregorianAtAllTimes) {
  // The days that the reform of 1582 left out count, and there is a year 0.
  EXPECT_EQ(time_point(date("1582-10-15"), Granularity::day) -
                time_point(date("1582-10-04"), Granularity::day),
            11);
  EXPECT_EQ(time_point(date("0001-01-01"), Granularity::day) -
                time_point(date("0000-01-01"), Granularity::day),
            366);
}

TEST(TimePoint, OfTimesOfDay) {
  EXPECT_EQ(time_point(date("1970-01-01T00:00:00Z"), Granularity::second), 0);
  EXPECT_EQ(time_point(date("1969-12-31T23:59:59Z"), Granularity::second), -1);
  EXPECT_EQ(time_point(date("1969-12-31T23:59:59Z"), Granularity::minute), -1);
  EXPECT_EQ(time_point(date("1969-12-31T23:59:59Z"), Granularity::hour), -1);
  EXPECT_EQ(time_point(date("2038-01-19T03:14:08Z"), Granularity::second), std::int64_t{1} << 31);
  EXPECT_EQ(time_point(date("2014-04-25T10:11:12"), Granularity::day),
            time_point(date("2014-04-25"), Granularity::day));
}

TEST(TimePoint, TheLastOfAPeriod) {
  const auto last = [](std::string_view text, Granularity granularity) {
    return label(last_time_point(date(text), granularity), granularity);
  };
  EXPECT_EQ(last("2014", Granularity::day), "2014-12-31");
  EXPECT_EQ(last("2012-02", Granularity::day), "2012-02-29");
  EXPECT_EQ(last("2014-Q2", Granularity::month), "2014-06");
  EXPECT_EQ(last("2014-W01", Granularity::day), "2014-01-05");
  EXPECT_EQ(last("2010s", Granularity::year), "2019");
  EXPECT_EQ(last("-430s", Granularity::year), "-421");
  EXPECT_EQ(last("2014-04-25", Granularity::second), "2014-04-25T23:59:59");
  EXPECT_EQ(last("2014-04-25T10", Granularity::minute), "2014-04-25T10:59");
  EXPECT_EQ(last("2014-04-25", Granularity::day), "2014-04-25");
  EXPECT_EQ(last("2014-04-25", Granularity::year), "2014");
}

TEST(Label, ReadsAsTheSamePointAtEveryGranularity) {
  for (const std::string_view text :
       {"2014-04-25T10:11:12", "1969-12-31T23:59:59", "-431-05-01T00:00:00", "0000-01-01",
        "1582-10-10", "2005-01-01", "2008-12-29", "2000-02-29T12", "999999-12-31T23:59:59"}) {
    for (const Granularity granularity : all_granularities) {
      const TimePoint point = time_point(date(text), granularity);
      const Date again = date(label(point, granularity));
      EXPECT_EQ(again.finest(), granularity) << label(point, granularity);
      EXPECT_EQ(time_point(again, granularity), point) << label(point, granularity);
      EXPECT_EQ(date_at(point, granularity), again);
    }
  }
}

TEST(GranularityNames, GoBothWays) {
  for (const Granularity granularity : all_granularities)
    EXPECT_EQ(granularity_named(name_of(granularity)), granularity);
  EXPECT_FALSE(granularity_named("century"));
}

}  // namespace
}  // namespace orrery
