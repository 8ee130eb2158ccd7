// Dates as people have them, from lines to the axis.
#include "data/fact_dates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/columns.h"
#include "data/time_axis_choice.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::ScratchDirectory;
using Texts = std::vector<std::string>;

struct Loaded {
  TemporalGraph data;
  LoadReport report;
  std::vector<std::string> moments() const {
    Texts names;
    for (const Fact& fact : data.split(Split::train))
      names.push_back(data.times.moment_names.at(static_cast<std::size_t>(fact.when)));
    return names;
  }
};

// One fact for each date, or for each pair of dates.
Loaded loaded(const Texts& dates, const LoadOptions& options = {}, const Texts& ends = {}) {
  FactColumns columns;
  for (std::size_t i = 0; i < dates.size(); ++i) {
    columns.subject.push_back("s");
    columns.relation.push_back("r");
    columns.object.push_back(fmt::format("o{}", i));
  }
  columns.time = dates;
  columns.end = ends;
  Loaded result;
  const FactColumns none;
  result.data = graph_of_columns({&columns, &none, &none}, options, result.report);
  return result;
}

Error refusal(const Texts& dates, const LoadOptions& options = {}, const Texts& ends = {}) {
  return caught([&] { loaded(dates, options, ends); });
}

Texts many_days(int count) {
  Texts days;
  for (int i = 0; i < count; ++i) days.push_back(label(16'000 + i % 104, Granularity::day));
  return days;
}

TEST(FactDates, CompactDatesAreNoYears) {
  const Loaded facts = loaded({"20200101", "20200101", "20230630"});
  EXPECT_EQ(facts.data.times.granularity, Granularity::day);
  EXPECT_EQ(facts.moments(), (Texts{"2020-01-01", "2020-01-01", "2023-06-30"}));
  EXPECT_EQ(facts.report.dates.forms, "compact dates");
  EXPECT_EQ(facts.report.dates.first, "2020-01-01");
  EXPECT_EQ(facts.report.dates.last, "2023-06-30");
  EXPECT_EQ(facts.report.dates.facts, 3U);
}

TEST(FactDates, UnixSecondsAreNoYears) {
  EXPECT_EQ(loaded({"1700000000", "1700000060"}).moments(),
            (Texts{"2023-11-14T22:13:20", "2023-11-14T22:14:20"}));
  // Whole days in seconds are days.
  EXPECT_EQ(loaded({"1699920000", "1700006400"}).moments(), (Texts{"2023-11-14", "2023-11-15"}));
}

TEST(FactDates, AnAmbiguousColumnIsRefusedWithTheOptionThatDecides) {
  LoadOptions options;
  options.skip_bad = true;  // no bad line: nothing else would be left
  const Error error = refusal({"01/01/2023", "02/03/2023"}, options);
  EXPECT_EQ(error.option(), "dates");
  EXPECT_EQ(error.place(), (Place{"train in memory", 2}));
  EXPECT_TRUE(contains(error.advice(), "--dates dmy")) << error.what();
  options.dates = DateForm::month_day;
  EXPECT_EQ(loaded({"01/01/2023", "02/03/2023"}, options).moments(),
            (Texts{"2023-01-01", "2023-02-03"}));
  EXPECT_EQ(loaded({"31/01/2023", "02/03/2023"}).moments(), (Texts{"2023-01-31", "2023-03-02"}));
}

TEST(FactDates, ATextOfAnotherFormIsABadLine) {
  const Error error = refusal({"20200101", "20200102", "2020"});
  EXPECT_EQ(error.place(), (Place{"train in memory", 3}));
  EXPECT_TRUE(contains(error.message(), "compact dates")) << error.what();
  EXPECT_TRUE(contains(error.advice(), "--dates")) << error.what();
  LoadOptions options;
  options.skip_bad = true;
  const Loaded facts = loaded({"20200101", "20200102", "2020", "2020", "20200103"}, options);
  EXPECT_EQ(facts.report.bad_lines, 2U);
  ASSERT_EQ(facts.report.first_bad.size(), 1U);
  EXPECT_EQ(facts.report.first_bad[0].line, 3U);
  EXPECT_EQ(facts.data.split(Split::train).size(), 3U);
}

TEST(FactDates, TheFirstFileAndLineOfABadDateAreNamed) {
  const ScratchDirectory scratch;
  scratch.write("train.txt", "a\tr\tb\t2014-01-01\na\tr\tc\t2014-01-02\n");
  scratch.write("test.txt", "a\tr\tb\t2014-01-01\na\tr\tc\tsoon\na\tr\td\tsoon\n");
  const Error error = caught([&] { load_facts(scratch.path()); });
  EXPECT_EQ(error.place(), (Place{(scratch.path() / "test.txt").string(), 2}));
}

TEST(FactDates, OneYearAmongManyDaysIsABadLineAndNoNewAxis) {
  Texts dates = many_days(22'486);
  dates.push_back("2014");
  const Error error = refusal(dates);
  EXPECT_EQ(error.place(), (Place{"train in memory", 22'487}));
  EXPECT_TRUE(contains(error.message(), "\"2014\" is of year precision, and times are days"))
      << error.what();
  EXPECT_TRUE(contains(error.advice(), "--coarse-dates spread")) << error.what();
  LoadOptions options;
  options.skip_bad = true;
  const Loaded skipped = loaded(dates, options);
  EXPECT_EQ(skipped.report.bad_lines, 1U);
  EXPECT_EQ(skipped.data.times.size(), 104);
  EXPECT_EQ(skipped.report.dates.reason, "day: 22,486 facts on 104 days, 216 a day");
}

TEST(FactDates, ACoarseDateMaySpreadOverItsPeriod) {
  Texts dates = many_days(1000);
  dates.push_back("2014");
  LoadOptions options;
  options.spread_coarse_dates = true;
  options.granularity = Granularity::day;
  const Loaded facts = loaded(dates, options);
  ASSERT_TRUE(facts.data.times.intervals);
  EXPECT_EQ(facts.data.times.granularity, Granularity::day);
  EXPECT_EQ(facts.report.dates.coarser, 1U);
  EXPECT_EQ(facts.moments().back(), "2014\t2014");
  EXPECT_EQ(facts.moments().front(), "2013-10-22\t2013-10-22");
  const auto moment =
      facts.data.times.moments[static_cast<std::size_t>(facts.data.split(Split::train)[1000].when)];
  const auto row_label = [&](std::int32_t row) {
    return facts.data.times.rows[static_cast<std::size_t>(row)].label;
  };
  EXPECT_EQ(row_label(moment.start), "2014-01-01");
  EXPECT_EQ(row_label(moment.end), "2014-12-31");
}

TEST(FactDates, CoarseEndsOfIntervalsReachToTheLastDay) {
  LoadOptions options;
  options.granularity = Granularity::day;
  const Loaded facts = loaded({"2014", "2014-03-05"}, options, {"2014-02", ""});
  Texts rows;
  for (const TimeRow& row : facts.data.times.rows) rows.push_back(row.label);
  EXPECT_EQ(rows, (Texts{"2014-01-01", "2014-02-28", "2014-03-05"}));
  EXPECT_EQ(facts.report.dates.open, 1U);
}

TEST(FactDates, AFinerDateIsCut) {
  Texts dates = many_days(500);
  dates.push_back("2013-10-22T10:11:12");
  LoadOptions options;
  options.granularity = Granularity::day;
  const Loaded facts = loaded(dates, options);
  EXPECT_EQ(facts.data.times.granularity, Granularity::day);
  EXPECT_EQ(facts.moments().back(), "2013-10-22");
  EXPECT_EQ(facts.report.dates.finer, 1U);
}

TEST(FactDates, AGranularityFinerThanTheDatesIsRefused) {
  LoadOptions options;
  options.granularity = Granularity::hour;
  EXPECT_TRUE(contains(refusal({"2014-04-25"}, options).message(), "times are hours"));
  EXPECT_EQ(loaded({"2014-04-25T00:00"}, options).moments(), (Texts{"2014-04-25T00"}));
}

TEST(FactDates, DatesWithoutAFormOfTheirOwnAreNamedInIso) {
  const Loaded facts = loaded({"31.01.2020", "01.02.2020"}, {}, {"03.03.2021 10:00", "None"});
  EXPECT_EQ(facts.moments(), (Texts{"2020-01-31\t2021-03-03T10", "2020-02-01\tNone"}));
  // What reads by itself stays as written; other texts of one meaning are one moment.
  EXPECT_EQ(loaded({"1950-##-##"}, {}, {"####"}).moments(), (Texts{"1950-##-##\t####"}));
  EXPECT_EQ(
      loaded({"20200101", "20200101.0"}, {}, {"20200102", "20200102"}).data.times.moments.size(),
      1U);
}

TEST(FactDates, UndatedFactsAreRefusedOrHoldAlways) {
  const Error error = refusal({"2014", ""});
  EXPECT_TRUE(contains(error.advice(), "--undated always")) << error.what();
  LoadOptions options;
  options.undated_always = true;
  // Read by their ends alone, facts that hold always have none.
  EXPECT_EQ(caught([&] { loaded({"2014", "null"}, options); }).option(), "undated");
  EXPECT_EQ(loaded({"2014", "2015"}, options).data.times.intervals, false);
}

TEST(FactDates, WhatLastsUntilTodayHasAnOpenEnd) {
  const Loaded facts = loaded({"2014", "-"}, {}, {"present", "2015"});
  EXPECT_EQ(facts.moments(), (Texts{"2014\tpresent", "-\t2015"}));
  EXPECT_EQ(facts.report.dates.open, 2U);
  LoadOptions options;
  options.undated_always = true;  // "now" is a date, if one that is not known
  for (const Error& error :
       {refusal({"2014", "now"}, options), refusal({"2014", "now"}, options, {"2015", "2016"})}) {
    EXPECT_EQ(error.message(), "\"now\" is no date; as an end it would be an open one");
    EXPECT_EQ(error.place().line, 2U);
  }
  EXPECT_EQ(refusal({"2014", "n/a"}).message(), "the date \"n/a\" is unknown; a fact needs one");
}

TEST(FactDates, TheYear9999IsAnOpenEnd) {
  for (const auto* end : {"9999-12-30", "9999-01-01", "9999-12", "9999"}) {
    const Loaded facts = loaded({"2014-01-01", "2015-01-01"}, {}, {end, "2015-06-30"});
    EXPECT_EQ(facts.moments()[0], "2014-01-01\t") << end;
    EXPECT_EQ(facts.data.times.rows.back().label, "2015") << end;
  }
  // … but not of a count, nor of a world that lies in the far future.
  EXPECT_EQ(loaded({"0", "5000"}, {}, {"9999", "7000"}).moments()[0], "0\t9999");
}

FactText memory_of(std::string_view start, std::string_view end, std::string_view recorded,
                   std::string_view expired) {
  return {"s", "r", "o", start, end, recorded, expired};
}

TEST(FactDates, AsOfIsWhatTheMemoryKnewThen) {
  LoadOptions options;
  options.as_of = parse_date("2021-06-30").date;
  FactDates dates(options);
  dates.begin_file("memory.csv");
  const FactText texts[] = {
      memory_of("2020-01-01", "", "2020-01-02T00:00:00Z", ""),            // known
      memory_of("2021-01-01", "", "2021-06-30T23:59:59Z", ""),            // on the last second
      memory_of("2021-01-01", "", "2021-07-01T00:00:00Z", ""),            // learned later
      memory_of("2019-01-01", "2021-05-01", "2019-01-02", "2021-05-02"),  // ended, and known to
      memory_of("2019-01-01", "2021-05-01", "2019-01-02", "2021-08-01"),  // known to end later
      memory_of("2018-01-01", "", "2018-01-02", "2019-01-01"),            // withdrawn
      memory_of("2017-01-01", "2022-01-01", "", "null")};                 // always known
  Splits facts;
  std::uint64_t line = 0;
  for (const FactText& text : texts) {
    Fact fact;
    fact.when = dates.number(text, true, ++line);
    facts[0].push_back(fact);
  }
  LoadReport report;
  dates.read(facts, true, report);
  const TimeAxis axis = dates.axis(facts);
  Texts names;
  for (const Fact& fact : facts[0])
    names.push_back(axis.timeline.moment_names[static_cast<std::size_t>(
        axis.moment_of[static_cast<std::size_t>(fact.when)])]);
  EXPECT_EQ(names, (Texts{"2020-01-01\t", "2021-01-01\t", "2019-01-01\t2021-05-01", "2019-01-01\t",
                          "2017-01-01\t2022-01-01"}));
  EXPECT_EQ(report.dates.not_known_then, 2U);
  EXPECT_EQ(report.bad_lines, 0U);
}

TEST(FactDates, AsOfNeedsAMemoryThatKnewSomething) {
  const ScratchDirectory scratch;
  LoadOptions options;
  options.as_of = parse_date("2015").date;
  const auto plain = scratch.write("plain.csv", "a,r,b,2014\n");
  EXPECT_EQ(caught([&] { load_facts(plain, options); }).message(),
            "has no column that says when a fact was recorded or expired");
  const auto memory =
      scratch.write("memory.csv", "subject,relation,object,date,created_at\na,r,b,2014,2016\n");
  EXPECT_EQ(caught([&] { load_facts(memory, options); }).message(),
            "none of its 1 facts was known then");
}

std::vector<CountedDate> counted(const std::vector<std::pair<std::string, std::uint64_t>>& texts) {
  std::vector<CountedDate> dates;
  for (const auto& [text, facts] : texts) dates.push_back({parse_date(text).date, facts});
  return dates;
}

TEST(StatedPrecision, IsWhatNineOfTenFactsHave) {
  EXPECT_EQ(stated_precision(counted({{"2014-02-01", 1}, {"2014-03", 1}})), Granularity::month);
  EXPECT_EQ(stated_precision(counted({{"2014-02-01", 1}, {"2013", 1}, {"2014-05", 1}})),
            Granularity::year);
  EXPECT_EQ(stated_precision(counted({{"2014-02-01", 90}, {"2014", 10}})), Granularity::day);
  EXPECT_EQ(stated_precision(counted({{"2014-02-01", 89}, {"2014", 11}})), Granularity::year);
  EXPECT_EQ(stated_precision(counted({{"2014-02-01T10:11:12", 10}, {"2014-02-01", 90}})),
            Granularity::day);
  EXPECT_EQ(stated_precision({}), Granularity::year);
}

TEST(ChooseGranularity, StaysAsStatedWhereTimesHaveFactsEnough) {
  const auto choice = choose_granularity(counted({{"2014-02-01", 60}, {"2014-02-02", 40}}));
  EXPECT_EQ(choice.granularity, Granularity::day);
  EXPECT_EQ(choice.reason, "day: 100 facts on 2 days, 50 a day");
}

TEST(ChooseGranularity, GoesCoarserUntilTheyDo) {
  std::vector<CountedDate> days, seconds;
  for (int i = 0; i < 100; ++i) {
    days.push_back({date_at(16'000 + 3 * i, Granularity::day), 1});
    seconds.push_back({date_at(1'700'000'000 + 1000 * i, Granularity::second), 1});
  }
  // Of 100 events ten a time are enough, of starts and ends two.
  const auto quarters = choose_granularity(days);
  EXPECT_EQ(quarters.granularity, Granularity::quarter);
  EXPECT_TRUE(contains(quarters.reason, "but only 1.0 a day")) << quarters.reason;
  EXPECT_EQ(choose_granularity(days, true).granularity, Granularity::week);
  EXPECT_EQ(choose_granularity(seconds).granularity, Granularity::day);
  EXPECT_EQ(choose_granularity(seconds, true).granularity, Granularity::hour);
  // No period has ten: the coarsest with two.
  std::vector<CountedDate> scattered;
  for (int i = 0; i < 100; ++i) scattered.push_back({Date{1900 + i / 5, 1, 1 + i % 5}, 1});
  EXPECT_EQ(choose_granularity(scattered).granularity, Granularity::year);
  // Few facts stay as they are, and so do those that no period would bring together.
  EXPECT_EQ(choose_granularity(std::span(days).first(49)).granularity, Granularity::day);
  std::vector<CountedDate> years;
  for (int i = 0; i < 100; ++i) years.push_back({Date{1900 + i, 1, 1}, 1});
  EXPECT_EQ(choose_granularity(years).granularity, Granularity::day);
}

}  // namespace
}  // namespace orrery
