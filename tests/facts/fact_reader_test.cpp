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
std::vector<std::string> facts_in(const std::string& text, ColumnCount& columns, bool csv = false) {
  LineReader lines(std::make_unique<TextSource>(text), "f");
  FactReader reader(read_table(std::move(lines), {csv ? ',' : '\t', csv}), "f", columns);
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
  ColumnCount columns;
  return facts_in(text, columns, csv);
}

using Facts = std::vector<std::string>;

TEST(FactReader, FourAndFiveColumns) {
  EXPECT_EQ(facts_in("a\tr\tb\t2014\nc\tr\td\t2015\n"), (Facts{"a|r|b|2014|", "c|r|d|2015|"}));
  EXPECT_EQ(facts_in("a\tr\tb\t2014\t####\n"), (Facts{"a|r|b|2014|####"}));
  EXPECT_EQ(facts_in("a,r,\"b, c\",2014\n", true), (Facts{"a|r|b, c|2014|"}));
  EXPECT_EQ(facts_in(""), Facts{});
}

TEST(FactReader, SkipsAHeaderOfWhichATitleIsKnown) {
  EXPECT_EQ(facts_in("s\tp\to\twhen\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("s\tp\twhom\tthen\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("who,does,whom,DATE\na,r,b,2014\n", true), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("Head\tlink\twhom\tera\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("s\tp\to\tfrom\tto\na\tr\tb\t2014\t\n"), (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("s\tp\to\twhen\n"), Facts{});
  EXPECT_EQ(facts_in("s\tp\to\twhen\n\n"), Facts{});
}

TEST(FactReader, NamedColumnsMayStandInAnyOrder) {
  EXPECT_EQ(facts_in("Timestamp\tobject\tSubject\tpredicate\n2014\tb\ta\tr\n"),
            (Facts{"a|r|b|2014|"}));
  EXPECT_EQ(facts_in("valid_to,valid_from,subject,relation,object\n2015,2014,a,r,b\n", true),
            (Facts{"a|r|b|2014|2015"}));
  // A title twice says nothing: the header is skipped and positions hold.
  EXPECT_EQ(facts_in("subject\tsubject\tobject\ttime\na\tr\tb\t2014\n"), (Facts{"a|r|b|2014|"}));
}

TEST(FactReader, AFirstLineThatIsNoHeaderIsKept) {
  // Neither a date nor a known title; one letter alone is as likely a name.
  for (const std::string relation : {"likes", "r"}) {
    const Facts facts =
        facts_in("a\t" + relation + "\tb\tApril 2014\nc\tr\td\talso\ne\tr\tf\t2014\n");
    ASSERT_EQ(facts.size(), 3U);
    EXPECT_TRUE(contains(facts[0], "!1 \"April 2014\" is no date")) << facts[0];
    EXPECT_TRUE(contains(facts[0], "titled subject, relation, object, time")) << facts[0];
    EXPECT_EQ(facts[1], "c|r|d|also|");
    EXPECT_EQ(facts[2], "e|r|f|2014|");
  }
  EXPECT_TRUE(contains(facts_in("\na\tr\tb\tApril\tMay\n")[1], "!2 \"April\" is no date"));
  // Half a date is no header.
  EXPECT_EQ(facts_in("a\tr\tb\t2014\tdate\n"), (Facts{"a|r|b|2014|date"}));
  // A damaged date is a bad line, never a title.
  EXPECT_EQ(facts_in("a\tr\tb\t2014-13-01\nc\tr\td\t2014\n"),
            (Facts{"a|r|b|2014-13-01|", "c|r|d|2014|"}));
}

TEST(FactReader, WrongColumnCountsAreBadLines) {
  const Facts facts = facts_in("a b c 2014\na\tr\tb\t2014\na\tr\tb\na\tr\tb\t2014\t2015\n");
  ASSERT_EQ(facts.size(), 4U);
  EXPECT_TRUE(contains(facts[0], "!1 1 columns where 4")) << facts[0];
  EXPECT_EQ(facts[1], "a|r|b|2014|");
  EXPECT_EQ(facts[2], "!3 3 columns where 4 are expected, as in f:2");
  EXPECT_EQ(facts[3], "!4 5 columns where 4 are expected, as in f:2");
}

TEST(FactReader, AllFilesOfASetShareTheCount) {
  ColumnCount columns;
  facts_in("a\tr\tb\t2014\n", columns);
  EXPECT_EQ(facts_in("a\tr\tb\t2014\t2015\n", columns),
            (Facts{"!1 5 columns where 4 are expected, as in f:1"}));
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

TEST(FactsFileName, TakesOffKnownEndings) {
  EXPECT_EQ(facts_file_name("d/train.txt").stem, "train");
  EXPECT_EQ(facts_file_name("train").stem, "train");
  EXPECT_EQ(facts_file_name("train.tsv.gz").stem, "train");
  EXPECT_EQ(facts_file_name("train.zst").stem, "train");
  EXPECT_EQ(facts_file_name("train.json").stem, "train.json");
  EXPECT_TRUE(facts_file_name("train.csv.zst").csv);
  EXPECT_FALSE(facts_file_name("train.csv.txt").csv);
}

TEST(FactReader, ChoosesTheFormatByTheEnding) {
  const testing::ScratchDirectory scratch;
  const auto first_of = [](const std::filesystem::path& path) {
    ColumnCount columns;
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
