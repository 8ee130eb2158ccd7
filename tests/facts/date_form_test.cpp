#include "facts/date_form.h"

#include <gtest/gtest.h>

#include <map>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using Counts = std::map<std::string, std::uint64_t>;  // facts by text

DateColumn column_of(const Counts& texts) {
  DateColumn column;
  for (const auto& [text, facts] : texts) column.see(text, facts);
  return column;
}

// How a text reads in the column of all of them: ISO, "unknown" or "bad".
std::string read_in(const Counts& texts, std::string_view text,
                    DateForm form = DateForm::automatic) {
  const ParsedDate parsed = parse_date(text, column_of(texts).reading(form));
  if (parsed.kind == ParsedDate::Kind::bad) return "bad";
  return parsed.known() ? text_of(parsed.date) : "unknown";
}

std::string read_alone(std::string_view text, DateForm form = DateForm::automatic) {
  return read_in({{std::string(text), 1}}, text, form);
}

std::string forms_of(const Counts& texts) {
  const DateColumn column = column_of(texts);
  return column.forms(column.reading());
}

TEST(DateForm, Compact) {
  EXPECT_EQ(read_alone("20200131"), "2020-01-31");
  EXPECT_EQ(read_alone("20200131.0"), "2020-01-31");
  EXPECT_EQ(read_alone("202001"), "2020-01");
  EXPECT_EQ(read_alone("20200131101112"), "2020-01-31T10:11:12");
  EXPECT_EQ(read_alone("20200131T101112"), "2020-01-31T10:11:12");
  EXPECT_EQ(read_alone("20200131T101112+0100"), "2020-01-31T09:11:12");
  EXPECT_EQ(read_alone("10000101"), "1000-01-01");
  EXPECT_EQ(read_alone("29991231"), "2999-12-31");
  const Counts days = {{"20200131", 5}, {"20201231", 5}, {"20201301", 1}, {"2020", 1}, {"", 3}};
  EXPECT_EQ(read_in(days, "20200131"), "2020-01-31");
  EXPECT_EQ(read_in(days, "20201301"), "bad");
  EXPECT_EQ(read_in(days, "20200230"), "bad");
  EXPECT_EQ(read_in(days, "2020"), "bad");  // compact dates and years do not mix
  EXPECT_EQ(read_in(days, ""), "unknown");
  EXPECT_EQ(read_in(days, "2020-01-31"), "2020-01-31");
  EXPECT_EQ(forms_of({{"20200131", 5}, {"20201231", 5}}), "compact dates");
}

TEST(DateForm, SmallIntegersAreYearsOfWhateverMeaning) {
  const Counts steps = {{"0", 9}, {"7", 9}, {"365", 9}, {"-5", 9}};
  EXPECT_EQ(read_in(steps, "365"), "365");
  EXPECT_EQ(read_in(steps, "-5"), "-5");
  EXPECT_EQ(forms_of(steps), "years");
  const Counts years = {{"2014", 9}, {"2015", 9}, {"20200101", 1}, {"1700000000", 1}};
  EXPECT_EQ(read_in(years, "2014"), "2014");
  EXPECT_EQ(read_in(years, "20200101"), "bad");
  EXPECT_EQ(read_in(years, "1700000000"), "bad");
  EXPECT_EQ(read_in(years, "20200101", DateForm::year), "20200101");
  EXPECT_TRUE(contains(problem_of_date("20200101", column_of(years).reading()), "are years"));
  // Counts are not calendar years, and months among them are chance. Seven digits are no count,
  // unless a person says so.
  const Counts counts = {{"123456", 9}, {"654321", 9}, {"20200101", 1}, {"202001", 1}};
  EXPECT_EQ(read_in(counts, "202001"), "202001");
  EXPECT_EQ(read_in(counts, "20200101"), "bad");
  EXPECT_EQ(read_in(counts, "20200101", DateForm::year), "20200101");
}

TEST(DateForm, UnixSeconds) {
  EXPECT_EQ(read_alone("1700000000"), "2023-11-14T22:13:20");
  EXPECT_EQ(read_alone("1700000000.75"), "2023-11-14T22:13:20");
  EXPECT_EQ(read_alone("999999999"), "2001-09-09T01:46:39");
  EXPECT_EQ(read_alone("2147483648"), "2038-01-19T03:14:08");
  EXPECT_EQ(read_alone("-1700000000"), "1916-02-18T01:46:40");
  EXPECT_EQ(read_alone("99999999999"), "5138-11-16T09:46:39");
  const Counts column = {{"1700000000", 9}, {"0", 1}, {"2014", 1}};
  EXPECT_EQ(read_in(column, "0"), "1970-01-01T00:00:00");
  EXPECT_EQ(read_in(column, "2014"), "bad");
  EXPECT_EQ(read_in(column, "1700000000000"), "bad");
  EXPECT_EQ(read_in(column, "2014", DateForm::unix_seconds), "1970-01-01T00:33:34");
  EXPECT_EQ(forms_of(column), "Unix seconds");
}

TEST(DateForm, UnixMilliseconds) {
  EXPECT_EQ(read_alone("1700000000999"), "2023-11-14T22:13:20");
  EXPECT_EQ(read_alone("100000000000"), "1973-03-03T09:46:40");
  EXPECT_EQ(read_alone("-100000000001"), "1966-10-31T14:13:19");
  const Counts column = {{"1700000000000", 9}, {"0", 1}, {"2014", 1}};
  EXPECT_EQ(read_in(column, "0"), "1970-01-01T00:00:00");
  EXPECT_EQ(read_in(column, "2014"), "bad");
  EXPECT_EQ(read_in(column, "1", DateForm::unix_milliseconds), "1970-01-01T00:00:00");
  EXPECT_EQ(forms_of(column), "Unix milliseconds");
}

TEST(DateForm, FinerUnixTimeIsNotTakenForMilliseconds) {
  EXPECT_EQ(read_alone("99999999999999"), "5138-11-16T09:46:39");
  EXPECT_EQ(read_alone("1700000000000000"), "bad");
  EXPECT_EQ(read_alone("1700000000000000000"), "bad");
  const DateReading reading = column_of({{"1700000000000000", 1}}).reading();
  EXPECT_TRUE(contains(problem_of_date("1700000000000000", reading), "in microseconds"));
  EXPECT_TRUE(contains(problem_of_date("1700000000000000000", reading), "in nanoseconds"));
}

TEST(DateForm, TheEndOfTimeIsNoDate) {
  for (const auto* text :
       {"9999-12-31", "9999-12-31T23:59:59.999Z", "9999-12-31 00:00:00", "99991231", "31.12.9999",
        "31/12/9999", "12/31/9999", "infinity", "-Infinity"})
    EXPECT_EQ(read_alone(text), "unknown") << text;
  const Counts days = {{"20200131", 1}, {"99991231", 5}};
  EXPECT_EQ(read_in(days, "20200131"), "2020-01-31") << "most facts are still valid";
  EXPECT_EQ(read_in(days, "99991231"), "unknown");
  EXPECT_EQ(read_alone("9999"), "9999");
  EXPECT_EQ(read_alone("9999-12-30"), "9999-12-30");
  EXPECT_EQ(read_alone("31 December 9999 23:00 -05:00"), "unknown") << "10000 in UTC";
}

TEST(DateForm, BothOrdersDecideNothing) {
  const Counts both = {{"13/01/2020", 1}, {"01/14/2020", 1}, {"02/03/2020", 1}};
  EXPECT_TRUE(column_of(both).reading().both_orders);
  EXPECT_FALSE(column_of({{"02/03/2020", 1}}).reading().both_orders);
}

TEST(DateForm, OnePartAboveTwelveDecidesTheOrder) {
  const Counts days_first = {{"02/03/2023", 900}, {"31/01/2020", 1}};
  EXPECT_EQ(read_in(days_first, "02/03/2023"), "2023-03-02");
  EXPECT_EQ(read_in(days_first, "01/31/2020"), "bad");
  EXPECT_EQ(forms_of(days_first), "day/month/year");
  const Counts months_first = {{"02-03-2023", 900}, {"01-31-2020", 1}};
  EXPECT_EQ(read_in(months_first, "02-03-2023"), "2023-02-03");
  EXPECT_EQ(read_in(months_first, "2/3/2023 4:05 PM"), "2023-02-03T16:05");
  EXPECT_EQ(forms_of(months_first), "month/day/year");
  const DateReading order = column_of(months_first).reading();
  EXPECT_TRUE(contains(problem_of_date("31/01/2020", order), "month/day/year"));
}

TEST(DateForm, WithoutOneTheOrderMustBeTold) {
  const Counts column = {{"02/03/2023", 9}, {"05/05/2023", 1}};
  EXPECT_EQ(read_in(column, "02/03/2023"), "bad");
  EXPECT_TRUE(is_ambiguous("02/03/2023", column_of(column).reading()));
  EXPECT_EQ(read_in(column, "05/05/2023"), "2023-05-05");
  EXPECT_FALSE(is_ambiguous("05/05/2023", column_of(column).reading()));
  EXPECT_FALSE(is_ambiguous("99/99/2023", column_of(column).reading()));
  EXPECT_EQ(read_in(column, "02/03/2023", DateForm::day_month), "2023-03-02");
  EXPECT_EQ(read_in(column, "02/03/2023", DateForm::month_day), "2023-02-03");
}

TEST(DateForm, DotsAreDayFirst) {
  EXPECT_EQ(read_alone("02.03.2023"), "2023-03-02");
  EXPECT_EQ(read_alone("31.01.2020 10:11"), "2020-01-31T10:11");
  EXPECT_EQ(read_alone("01.31.2020"), "bad");
  EXPECT_EQ(read_alone("31.01.20"), "bad");
}

TEST(DateForm, IsoAndWordsMix) {
  const Counts column = {{"2021-03-03", 3}, {"3 March 2021", 2}, {"2021", 1}, {"null", 1}};
  for (const auto& [text, facts] : column) EXPECT_NE(read_in(column, text), "bad") << text;
  EXPECT_EQ(forms_of(column), "ISO dates, years and dates in words");
}

TEST(DateForm, IsoAndYearAreNotGuessed) {
  EXPECT_EQ(read_alone("20200131", DateForm::iso), "bad");
  EXPECT_EQ(read_alone("20200131", DateForm::year), "20200131");
  EXPECT_EQ(read_alone("1700000000", DateForm::compact), "bad");
}

TEST(DateForm, DaysOfASpreadsheetMustBeAskedFor) {
  EXPECT_EQ(read_alone("43831"), "bad");
  EXPECT_EQ(read_alone("43831", DateForm::serial_days), "2020-01-01");
  EXPECT_EQ(read_alone("43831.0", DateForm::serial_days), "2020-01-01");
  EXPECT_EQ(read_alone("43831.4270833333", DateForm::serial_days), "2020-01-01T10:15:00");
  EXPECT_EQ(read_alone("61", DateForm::serial_days), "1900-03-01");
  for (const auto* text : {"60", "-43831", "43831.", "2958466", "43831.5x"})
    EXPECT_EQ(read_alone(text, DateForm::serial_days), "bad") << text;
  EXPECT_EQ(read_alone("2958465", DateForm::serial_days), "unknown") << "9999-12-31";
  EXPECT_EQ(read_alone("43831", DateForm::year), "43831");
  // Beside dates in full they are no years either; beside other counts they are counts.
  EXPECT_EQ(read_in({{"2020-01-01", 9}, {"43831", 1}}, "43831"), "bad");
  EXPECT_EQ(read_in({{"9000", 1}, {"43831", 9}}, "43831"), "43831");
  EXPECT_EQ(read_in({{"70000", 1}, {"43831", 9}}, "43831"), "43831");
  EXPECT_EQ(
      column_of({{"43831", 1}}).forms(column_of({{"43831", 1}}).reading(DateForm::serial_days)),
      "days of a spreadsheet (43831)");
}

TEST(DateForm, YearsOfTwoDigitsAreNamed) {
  for (const auto* text : {"31/01/20", "1.31.20", "Jan 20", "25-Apr-14", "3 March 21 10:15",
                           "20-01-31", "31-01-20", "01/20", "80s"}) {
    EXPECT_EQ(read_alone(text), "bad") << text;
    EXPECT_TRUE(contains(problem_of_date(text, {}), "two digits")) << text;
  }
  for (const auto* text :
       {"2014-02-30", "soon", "20", "99/99/20", "2014-01-02T25:00", "2014-01-02T25"})
    EXPECT_FALSE(contains(problem_of_date(text, {}), "two digits")) << text;
}

TEST(DateForm, Names) {
  for (const auto* name :
       {"auto", "iso", "compact", "unix", "unix-ms", "dmy", "mdy", "year", "words", "excel"})
    EXPECT_TRUE(date_form_named(name)) << name;
  EXPECT_FALSE(date_form_named("ymd"));
}

std::vector<std::string> kept_units(const std::vector<std::string>& texts,
                                    std::optional<Granularity> needed = {}) {
  std::vector<ParsedDate> dates;
  for (const std::string& text : texts) dates.push_back(parse_date(text));
  drop_unused_units(dates, needed);
  std::vector<std::string> result;
  for (const ParsedDate& date : dates) result.push_back(text_of(date.date));
  return result;
}

TEST(DropUnusedUnits, AMidnightEverywhereIsADay) {
  using Texts = std::vector<std::string>;
  const Texts midnights = {"2014-04-25T00:00:00+02:00", "2014-04-26 00:00", "2014"};
  EXPECT_EQ(kept_units(midnights), (Texts{"2014-04-25", "2014-04-26", "2014"}));
  EXPECT_EQ(kept_units(midnights, Granularity::hour),
            (Texts{"2014-04-24T22", "2014-04-26T00", "2014"}));
  EXPECT_EQ(kept_units({"2014-04-25T00:00:00", "2014-04-25T10:00:00"}),
            (Texts{"2014-04-25T00", "2014-04-25T10"}));
  EXPECT_EQ(kept_units({"2014-04-25T00:00:00", "2014-04-25T10:30:00"}),
            (Texts{"2014-04-25T00:00", "2014-04-25T10:30"}));
  EXPECT_EQ(kept_units({"2014-04-25T00:00:00", "2014-04-25T10:30:01"}),
            (Texts{"2014-04-25T00:00:00", "2014-04-25T10:30:01"}));
}

}  // namespace
}  // namespace orrery
