#include "facts/fact_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "facts/scratch.h"
#include "facts/text_source.h"

namespace orrery {
namespace {

using testing::contains;
using testing::TextSource;

// Facts as "s|r|o|start|end", bad lines as "!line problem".
std::vector<std::string> facts_in(const std::string& text, SetColumns& columns, bool csv = false,
                                  const ReadOptions& options = {}) {
  LineReader lines(std::make_unique<TextSource>(text), "f");
  OpenedRecords records;
  records.reader = read_table(std::move(lines), {csv ? ',' : '\t', csv});
  records.name = "f";
  FactReader reader(std::move(records), columns, options);
  std::vector<std::string> result;
  while (true) {
    const auto outcome = reader.next();
    if (outcome == FactReader::Outcome::end) return result;
    if (outcome == FactReader::Outcome::bad) {
      result.push_back(fmt::format("!{} {}", reader.line(), reader.problem()));
    } else {
      const FactText& f = reader.fact();
      result.push_back(
          fmt::format("{}|{}|{}|{}|{}", f.subject, f.relation, f.object, f.start, f.end));
    }
  }
}

std::vector<std::string> facts_in(const std::string& text, bool csv = false) {
  SetColumns columns;
  return facts_in(text, columns, csv);
}

// The Error that a CSV text is.
Error refusal_of(const std::string& text) {
  return caught([&] { facts_in(text, true); });
}

using Facts = std::vector<std::string>;

TEST(FactReader, FourAndFiveColumns) {
  EXPECT_EQ(facts_in("a\tr\tb\t2014\nc\tr\td\t2015\n"), (Facts{"a|r|b|2014|", "c|r|d|2015|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t2014\t####\n"), (Facts{"a|r|b|2014|####"}));
  EXPECT_EQ(facts_in("a,r,\"b, c\",2014\n", true), (Facts{"a|r|b, c|2014|"}));
  EXPECT_EQ(facts_in(""), Facts{});
}

TEST(FactReader, AHeaderThatIsUnderstoodIsNoFact) {
  EXPECT_EQ(facts_in("s\tp\to\twhen\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("SUBJECT,Predicate,Object,DATE\na,r,b,2014\n", true), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("s\tp\to\tfrom\tto\na\tr\tb\t2014\t\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("s\tp\to\twhen\n"), Facts{});
  EXPECT_EQ(facts_in("s\tp\to\twhen\n\n"), Facts{});
  // Empty lines before it are none of the facts.
  EXPECT_EQ(facts_in("\n\ns\tp\to\twhen\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
}

TEST(FactReader, ColumnsMayStandInAnyOrderAmongOthers) {
  EXPECT_EQ(facts_in("Timestamp\tobject\tSubject\tpredicate\n2014\tb\ta\tr\n"),
            (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("valid_to,valid_from,subject,relation,object\n2015,2014,a,r,b\n", true),
            (Facts{"a|r|b|2014|2015"}));
  EXPECT_EQ(facts_in("id,object,note,relation,date,subject,x,y\n7,b,\"n,\",r,2014,a,,\n", true),
            (Facts{"a|r|b|2014|"}));
}

// Each of these was once read in the default order.
TEST(FactReader, NoHeaderIsReadInAnotherOrder) {
  EXPECT_EQ(facts_in("object,relation,source,time\nb,r,a,2014\n", true), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("subject,object,relation_type,time\na,b,r,2014\n", true),
            (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("subject,relation,object,invalid_at,valid_at\na,r,b,2015,2014\n", true),
            (Facts{"a|r|b|2014|2015"}));
  for (const auto* header :
       {"object,relation,whence,time", "subject,object,verbiage,time",
        "subject,subject,object,time", "s,p,whom,then", "Head,link,whom,era"}) {
    const Error error = refusal_of(std::string(header) + "\na,r,b,2014\n");
    EXPECT_EQ(error.option(), "columns");
    EXPECT_EQ(error.place(), (Place{"f", 1}));
    EXPECT_TRUE(contains(error.advice(), "--columns ")) << error.what();
  }
}

TEST(FactReader, WhatIsNotUnderstoodIsNamed) {
  const Error error = refusal_of("object,relation,whence,time\nb,r,a,2014\n");
  EXPECT_EQ(error.message(),
            "the header is not understood: no column is titled as the subject, and what \"whence\" "
            "holds is not known");
  EXPECT_TRUE(contains(error.advice(), "title it subject, head, s,")) << error.advice();
  EXPECT_TRUE(contains(error.advice(), "source, ")) << error.advice();
  EXPECT_TRUE(contains(error.advice(), "--columns subject=whence")) << error.advice();
  EXPECT_TRUE(contains(refusal_of("a,likes,b,soon\nc,r,d,2014\n").message(),
                       "\"soon\" is not a date, and as a header the line is not understood"));
}

TEST(FactReader, AFirstLineWithADateIsAFact) {
  EXPECT_EQ(facts_in("a\tr\tb\tApril 2014\nc\tr\td\talso\n"),
            (Facts{"a|r|b|April 2014|", "c|r|d|also|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t2014\tdate\n"), (Facts{"a|r|b|2014|date"}));
  EXPECT_EQ(facts_in("source\ttype\tb\t2014\n"), (Facts{"source|type|b|2014|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t####\t\n"), (Facts{"a|r|b|####|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t\n"), (Facts{"a|r|b||"}));
  EXPECT_EQ(facts_in("a\tr\tb\t2014-13-01\nc\tr\td\t2014\n"),
            (Facts{"a|r|b|2014-13-01|", "c|r|d|2014|"}));
  // A title is none, though it has a digit.
  EXPECT_EQ(facts_in("sqldate,event_code,note,actor1_name,actor2_name\n2014,r,,a,b\n", true),
            (Facts{"a|r|b|2014|"}));
}

TEST(FactReader, ATableOfAnotherWidthNeedsAHeader) {
  const Error wide = refusal_of("a,r,b,2014,0.9,news\n");
  EXPECT_TRUE(contains(wide.message(), "6 columns and no title that is known")) << wide.what();
  EXPECT_TRUE(contains(wide.advice(), "--columns subject=1,relation=2")) << wide.what();
  const Error narrow = refusal_of("a b c 2014\na,r,b,2014\n");
  EXPECT_TRUE(contains(narrow.message(), "1 column and no title")) << narrow.what();
  EXPECT_TRUE(contains(narrow.advice(), "above the header")) << narrow.what();
}

TEST(FactReader, WrongColumnCountsAreBadLines) {
  EXPECT_EQ(facts_in("a\tr\tb\t2014\na\tr\tb\na\tr\tb\t2014\t2015\n"),
            (Facts{"a|r|b|2014|", "!2 3 columns where 4 are expected, as in f:1",
                   "!3 5 columns where 4 are expected, as in f:1"}));
  EXPECT_EQ(facts_in("s,p,o,time,note,x\na,r,b,2014\n", true),
            (Facts{"!2 4 columns where 6 are expected, as in f:1"}));
}

TEST(FactReader, ColumnsAsTheUserSays) {
  const auto read = [](const std::string& text, std::string_view columns, bool undated = false) {
    SetColumns set;
    ReadOptions options;
    options.columns = column_request(columns);
    options.undated = undated;
    return facts_in(text, set, true, options);
  };
  EXPECT_EQ(read("whence,does,whither,era\na,r,b,2014\n",
                 "subject=whence,relation=Does,object=whither,time=era"),
            (Facts{"a|r|b|2014|"}));
  // What is not named is found by its title.
  EXPECT_EQ(read("source,does,target,date\na,r,b,2014\n", "relation=does"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(read("time,date,s,p,o\n12:30,2014,a,r,b\n", "time=date"), (Facts{"a|r|b|2014|"}));
  // By number, with and without a header.
  const auto* numbers = "subject=3,relation=2,object=1,time=6";
  EXPECT_EQ(read("b,r,a,x,y,2014\n", numbers), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(read("wen,was,wer,x,y,jahrgang\nb,r,a,x,y,2014\n", numbers), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(read("b,r,a\n", "subject=3,relation=2,object=1", true), (Facts{"a|r|b||"}));
  const auto refusal = [&](const std::string& text, std::string_view columns) {
    return caught([&] { read(text, columns); });
  };
  const Error unknown = refusal("source,does,target,date\na,r,b,2014\n", "relation=dose");
  EXPECT_EQ(unknown.option(), "columns");
  EXPECT_EQ(unknown.place(), (Place{"f", 1}));
  EXPECT_EQ(unknown.message(), "--columns: there is no column \"dose\"");
  EXPECT_TRUE(contains(unknown.advice(), "did you mean \"does\"? there are \"source\", \"does\""))
      << unknown.advice();
  EXPECT_TRUE(
      contains(refusal("a,r,b,2014\n", "time=9").message(), "there is no column 9, only 4"));
  EXPECT_TRUE(contains(refusal("a,r,b,2014\n", "subject=2,relation=1,object=3").message(),
                       "does not name the time"));
  EXPECT_TRUE(contains(refusal("a,r,b,2014\n", "subject=1,relation=1").message(), "named twice"));
  EXPECT_TRUE(contains(refusal("who,does,whom,era,era\na,r,b,2014,2015\n",
                               "subject=who,relation=does,object=whom,time=era")
                           .message(),
                       "several columns are called \"era\""));
}

TEST(FactReader, UndatedFactsWhereTheyAreAllowed) {
  ReadOptions options;
  options.undated = true;
  const auto read = [&](const std::string& text) {
    SetColumns set;
    return facts_in(text, set, true, options);
  };
  EXPECT_EQ(read("a,r,b\n"), (Facts{"a|r|b||"}));
  EXPECT_EQ(read("subject,relation,object\na,r,b\n"), (Facts{"a|r|b||"}));
  EXPECT_EQ(read("s,r,o,2014\na,r,b,\n"), (Facts{"s|r|o|2014|", "a|r|b||"}));
  EXPECT_TRUE(contains(refusal_of("subject,relation,object\na,r,b\n").message(), "as the time"));
}

TEST(FactReader, WhenItWasRecordedIsTheTimeOfLastResort) {
  SetColumns set;
  OpenedRecords records;
  records.reader = read_table(
      LineReader(std::make_unique<TextSource>("source,target,name,created_at,expired_at\n"
                                              "a,b,r,2014,2016\n"),
                 "f"),
      {',', true});
  FactReader reader(std::move(records), set);
  ASSERT_EQ(reader.next(), FactReader::Outcome::fact);
  EXPECT_EQ(reader.fact().start, "2014");
  EXPECT_EQ(reader.fact().recorded, "2014");
  EXPECT_EQ(reader.fact().expired, "2016");
  EXPECT_EQ(reader.fact().end, "");
  EXPECT_FALSE(set.has_end);
}

TEST(FactReader, SaysWhatItUnderstood) {
  const testing::ScratchDirectory scratch;
  const auto understood = [&](const char* name, std::string_view text) {
    SetColumns set;
    FactReader reader(scratch.write(name, text), set);
    EXPECT_EQ(reader.next(), FactReader::Outcome::fact);
    return reader.understood();
  };
  const auto titled =
      understood("f.csv", "id;Von;Objekt;Beziehung;Subjekt;Bis\n1;2014;b;r;a;2015\n");
  EXPECT_TRUE(titled.header);
  EXPECT_EQ(titled.separator, "semicolon");
  EXPECT_EQ(titled.encoding, "UTF-8");
  EXPECT_EQ(titled.column, (std::array<std::string, role_count>{"Subjekt", "Beziehung", "Objekt",
                                                                "Von", "Bis", "", ""}));
  EXPECT_EQ(titled.ignored, (std::vector<std::string>{"id"}));
  const auto plain = understood("f.tsv", "a\tr\tb\t2014\n");
  EXPECT_FALSE(plain.header);
  EXPECT_EQ(plain.separator, "TAB");
  EXPECT_EQ(plain.column[index_of(Role::start)], "column 4");
  EXPECT_TRUE(plain.ignored.empty());
}

TEST(FactReader, AllFilesOfASetShareTheCount) {
  SetColumns columns;
  facts_in("a\tr\tb\t2014\n", columns);
  EXPECT_EQ(facts_in("a\tr\tb\t2014\t2015\n", columns),
            (Facts{"!1 5 columns where 4 are expected, as in f:1"}));
}

TEST(FactReader, FilesOfASetAgreeOnTheirColumns) {
  const auto second = [](const std::string& train, const std::string& valid) {
    SetColumns set;
    facts_in(train, set, true);
    return facts_in(valid, set, true);
  };
  const auto refusal = [&](const std::string& train, const std::string& valid) {
    return std::string(caught([&] { second(train, valid); }).what());
  };
  const std::string plain = "a,r,b,2014\n", header = "subject,relation,object,time\n",
                    turned = "object,relation,subject,time\n";
  EXPECT_EQ(second(plain, turned + "b,r,a,2014\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(second(turned + "b,r,a,2014\n", header + plain), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(second(header + plain, plain), (Facts{"a|r|b|2014|"}));
  EXPECT_TRUE(
      contains(refusal(turned + "b,r,a,2014\n", plain), "has no header, and the header of"));
  EXPECT_TRUE(contains(refusal("s,p,o,time,note\na,r,b,2014,n\n", plain), "has no header"));
  EXPECT_TRUE(contains(refusal(header + plain, "s,p,o,start,end\na,r,b,2014,2015\n"),
                       "has a column for the end of a fact, other than f:1"));
  EXPECT_EQ(second(plain, "a,r,b\nc,r,d,2015\n"),
            (Facts{"!1 3 columns where 4 are expected, as in f:1", "c|r|d|2015|"}));
}

TEST(FactReader, EmptyLinesCountOnlyBeforeAFact) {
  EXPECT_EQ(facts_in("a\tr\tb\t2014\n\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t2014\n\r\n\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("\na\tr\tb\t2014\n\n\nc\tr\td\t2015\n\n"),
            (Facts{"!1 the line is empty", "a|r|b|2014|", "!3 the line is empty",
                   "!4 the line is empty", "c|r|d|2015|"}));
}

TEST(FactReader, CsvFaultsAreBadLines) {
  const Facts facts = facts_in("a,r,b,2014\n\"a,r,b,2014\nc,r,d,2015\n", true);
  ASSERT_EQ(facts.size(), 3U);
  EXPECT_TRUE(contains(facts[1], "!2 a quoted field is never closed"));
  EXPECT_EQ(facts[2], "c|r|d|2015|");
}

TEST(FactReader, RowsOfSeparatorsAloneAreEmptyLines) {
  EXPECT_EQ(facts_in("s,p,o,time\na,r,b,2014\n,,,\n,,,\n", true), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in(",,,\ns,p,o,time\n,,,\na,r,b,2014\n", true),
            (Facts{"!3 the line is empty", "a|r|b|2014|"}));
}

TEST(FactReader, ChoosesTheFormatByTheEnding) {
  const testing::ScratchDirectory scratch;
  const auto first_of = [](const std::filesystem::path& path) {
    SetColumns columns;
    FactReader reader(path, columns);
    EXPECT_EQ(reader.next(), FactReader::Outcome::fact) << path;
    return std::string(reader.fact().subject);
  };
  EXPECT_EQ(first_of(scratch.write("f.csv", "\"a,a\",r,b,2014\n")), "a,a");
  EXPECT_EQ(first_of(scratch.write("f.csv.gz", testing::gzipped("\"a\",r,b,2014\n"))), "a");
  EXPECT_EQ(first_of(scratch.write("f.tsv.zst", testing::zstandard("\"a,\tr\tb\t2014\n"))), "\"a,");
  EXPECT_EQ(first_of(scratch.write("f", "a\tr\tb\t2014\n")), "a");
}

}  // namespace
}  // namespace orrery
