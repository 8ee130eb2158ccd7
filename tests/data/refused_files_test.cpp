#include "base/error.h"
#include "data/real_files.h"
#include "facts/scratch.h"

namespace orrery::testing {

std::vector<RefusedFile> refused_files() {
  const std::string no_table =
      " and no title that is known; without a header a table has 4 columns (subject, relation, "
      "object, time) or 5 (…, start, end), separated by TAB, comma, semicolon or |";
  const std::string gdelt = "subject=7,relation=27,object=17,time=2";
  const std::string kuzu =
      "subject=a.name,relation=r._label,object=b.name,start=r.since,end=r.until";
  const std::string after =
      "subject=after.employee,relation=after.relation,object=after.team,time=ts_ms";
  return {
      // Which column is which.
      {.file = "gdelt-events.tsv",
       .line = 1,
       .message = "58 columns" + no_table,
       .advice = "--columns subject=1,relation=2,object=3,time=4",
       .way_out = LoadedFile{"gdelt-events.tsv", "day", {.columns = gdelt, .skip_bad = true}, 1}},
      {.file = "kuzu.csv",
       .line = 1,
       .message = "\"r.since\" is not a date, and as a header the line is not understood: no "
                  "column is titled as the subject, and what \"a.name\", \"r._label\", "
                  "\"b.name\", \"r.since\", \"r.until\" holds is not known",
       .advice = "--columns subject=a.name",
       .way_out = LoadedFile{"kuzu.csv", "day", {.columns = kuzu}}},
      {.file = "kuzu.json",
       .message = "no column is titled as the subject, and what \"a.name\", \"b.name\", "
                  "\"r.day\" holds is not known",
       .advice = "--columns subject=a.name",
       .way_out =
           LoadedFile{"kuzu.json", "day", {.columns = "subject=a.name,object=b.name,time=r.day"}}},
      {.file = "cdc-log.jsonl",
       .message = "no column is titled as the subject, and what \"op\", \"ts_ms\", "
                  "\"source.connector\", \"source.db\", \"source.table\", \"source.lsn\", "
                  "\"before\", \"after.employee\", \"after.relation\", \"after.team\", "
                  "\"before.employee\", \"before.relation\", \"before.team\" holds is not known",
       .advice = "--columns subject=",
       .way_out = LoadedFile{"cdc-log.jsonl", "hour", {.columns = after}}},
      {.file = "unknown-title.csv",
       .line = 1,
       .message = "the header is not understood: no column is titled as the relation, and what "
                  "\"connection\" holds is not known",
       .advice = "--columns relation=connection",
       .way_out = LoadedFile{"unknown-title.csv", "day", {.columns = "relation=connection"}}},
      {.file = "two-times.csv",
       .line = 1,
       .message = "the header is not understood: both \"date\" and \"time\" could be the time",
       .advice = "--columns time=date",
       .way_out = LoadedFile{"two-times.csv", "day", {.columns = "time=date"}}},
      {.file = "text-above-header.csv",
       .line = 1,
       .message = "1 column" + no_table,
       .advice = "remove what stands above the header"},
      {.file = "splits-one-header",
       .message = "has no header, and the header of FILE/train.csv:1 has other columns or another "
                  "order than subject, relation, object, time, end",
       .advice = "give it the same header"},
      // Times.
      {.file = "lightrag-relations.csv",
       .line = 1,
       .message = "the header is not understood: no column is titled as the time, and what "
                  "\"id\", \"description\", \"keywords\", \"weight\" holds is not known",
       .advice = "--undated always",
       .way_out = LoadedFile{"lightrag-relations.csv", "year", {.undated = "always"}}},
      {.file = "partly-dated.csv",
       .line = 5,
       .message = "neither the start nor the end is known; a fact needs one of them",
       .advice = "--undated always",
       .way_out = LoadedFile{"partly-dated.csv", "year", {.undated = "always"}}},
      {.file = "ambiguous-dates.csv",
       .line = 2,
       .message = "\"02/03/2023\" may be day/month/year or month/day/year, and no date in the data "
                  "has a part above 12 that would tell",
       .advice = "--dates dmy (31/01/2020) or --dates mdy (01/31/2020)",
       .way_out = LoadedFile{"ambiguous-dates.csv", "day", {.dates = "dmy"}}},
      {.file = "contradicting-dates.csv",
       .line = 2,
       .message = "\"13/01/2022\" may be day/month/year or month/day/year, and as many dates of "
                  "the data can only be the one as can only be the other",
       .advice = "--dates mdy",
       .way_out =
           LoadedFile{"contradicting-dates.csv", "day", {.dates = "mdy", .skip_bad = true}, 2}},
      {.file = "one-year-among-days.tsv",
       .line = 7,
       .message = "the date \"2016\" is of year precision, and times are days",
       .advice = "--coarse-dates spread",
       .way_out = LoadedFile{"one-year-among-days.tsv", "day", {.coarse_dates = "spread"}}},
      {.file = "unix-microseconds.csv",
       .line = 2,
       .message = "\"1672531200000000\" looks like Unix time in microseconds; only seconds and "
                  "milliseconds are read",
       .advice = "correct the line"},
      {.file = "spreadsheet-days.csv",
       .line = 2,
       .message = "\"43831\" may be a day as spreadsheets count them (2020-01-01) or a plain count",
       .advice = "--dates excel (days) or --dates year (counts)",
       .way_out = LoadedFile{"spreadsheet-days.csv", "day", {.dates = "excel"}}},
      {.file = "two-digit-years.csv",
       .line = 2,
       .message = "\"31/01/20\" has a year of two digits, which could be of any century",
       .advice = "correct the line"},
      // Damaged lines.
      {.file = "stray-quote.csv",
       .line = 3,
       .message = "a quote inside an unquoted field; write the field as \"…\" and the quote twice",
       .advice = "--skip-bad",
       .way_out = LoadedFile{"stray-quote.csv", "day", {.skip_bad = true}, 1}},
      {.file = "backslash-quotes.csv",
       .line = 5,
       .message = "a quote after a backslash ends the field; write the quote twice",
       .advice = "--skip-bad",
       .way_out = LoadedFile{"backslash-quotes.csv", "day", {.skip_bad = true}, 1}},
      {.file = "broken.jsonl",
       .line = 6,
       .message = "the line is no JSON object (A string is opened, but never closed.)",
       .advice = "--skip-bad",
       .way_out = LoadedFile{"broken.jsonl", "day", {.skip_bad = true}, 1}},
      // Other encodings and other kinds of files.
      {.file = "windows-1252.csv",
       .line = 6,
       .message = "\"J\\xfcrgen\" is not UTF-8; the file looks like Windows-1252 (Latin-1)",
       .advice = "iconv -f WINDOWS-1252 -t UTF-8"},
      {.file = "facts.parquet",
       .message = "is a Parquet file, which is not read",
       .advice = "convert it: duckdb"},
      {.file = "facts.xlsx",
       .message = "is an Excel workbook (xlsx), which is not read",
       .advice = "save the sheet as CSV"},
      {.file = "facts.zip",
       .message = "is a zip archive, which is not read",
       .advice = "unpack it: unzip"},
      {.file = "facts.pdf",
       .message = "is a PDF document, which is not read",
       .advice = "take the table it was made from"},
  };
}

namespace {

std::string with_path(std::string message, const std::string& path) {
  const std::size_t at = message.find("FILE");
  return at == std::string::npos ? message : message.replace(at, 4, path);
}

class RefusedFiles : public ::testing::TestWithParam<RefusedFile> {};

TEST_P(RefusedFiles, SayWhyAndTheWayOut) {
  const RefusedFile& wanted = GetParam();
  if (const std::string library = missing_library(wanted.file); !library.empty())
    GTEST_SKIP() << "this build has no " << library;
  const std::string path = (real_files() / wanted.file).string();
  LoadOptions options = load_options_of(wanted.options);
  options.within = true;
  const Error error = caught([&] { load_facts(path, options); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.message(), with_path(wanted.message, path));
  EXPECT_TRUE(error.place().file.starts_with(path)) << error.what();
  EXPECT_EQ(error.place().line, wanted.line) << error.what();
  EXPECT_TRUE(contains(error.advice(), wanted.advice)) << error.what();
  if (wanted.way_out) expect_loaded(*wanted.way_out);
}

INSTANTIATE_TEST_SUITE_P(All, RefusedFiles, ::testing::ValuesIn(refused_files()),
                         name_of_test<RefusedFile>);

}  // namespace
}  // namespace orrery::testing
