#include "facts/open_records.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "facts/fact_reader.h"
#include "facts/formats.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;

std::string first_fact(const std::filesystem::path& path) {
  SetColumns set;
  FactReader reader(path, set);
  EXPECT_EQ(reader.next(), FactReader::Outcome::fact) << path << reader.problem();
  const FactText& fact = reader.fact();
  std::string text;
  for (const auto part : {fact.subject, fact.relation, fact.object, fact.start, fact.end})
    text += std::string(part) + "|";
  return text;
}

TEST(OpenRecords, WhatIsCompressedIsKnownByItsBytes) {
  const testing::ScratchDirectory scratch;
  const std::string text = "a,r,b,2014\n";
  EXPECT_EQ(first_fact(scratch.write("f.csv", testing::gzipped(text))), "a|r|b|2014||");
  EXPECT_EQ(first_fact(scratch.write("g.csv", testing::zstandard(text))), "a|r|b|2014||");
}

TEST(OpenRecords, TheLineThatNamesTheSeparatorIsNoFact) {
  const testing::ScratchDirectory scratch;
  EXPECT_EQ(first_fact(scratch.write("f.csv", "sep=;\na, b;r;c;2014\n")), "a, b|r|c|2014||");
  EXPECT_EQ(first_fact(scratch.write("g.csv", "sep=,\nobject,relation,subject,time\na,r,b,2014\n")),
            "b|r|a|2014||");
}

TEST(OpenRecords, StandardInput) {
  const testing::ScratchDirectory scratch;
  const auto path =
      scratch.write("f", testing::gzipped("subject;relation;object;date\na;r;b;2014\n"));
  const int kept = dup(STDIN_FILENO);
  ASSERT_NE(freopen(path.c_str(), "rb", stdin), nullptr);
  EXPECT_EQ(first_fact("-"), "a|r|b|2014||");
  dup2(kept, STDIN_FILENO);
  close(kept);
}

TEST(OpenRecords, JsonByItsPaths) {
  if (!reads_json()) GTEST_SKIP() << "this build reads no JSON";
  const testing::ScratchDirectory scratch;
  const std::string lines =
      "{\"source\": {\"name\": \"a\"}, \"target\": {\"name\": \"b\"}, \"name\": \"r\", "
      "\"valid_at\": \"2014\", \"invalid_at\": null}\n";
  EXPECT_EQ(first_fact(scratch.write("f.jsonl", lines)), "a|r|b|2014||");
  EXPECT_EQ(first_fact(scratch.write("f", lines)), "a|r|b|2014||");
  const auto odd = scratch.write("odd.jsonl", "{\"who\": \"a\", \"date\": \"2014\"}\n");
  const Error error = caught([&] { first_fact(odd); });
  EXPECT_EQ(error.option(), "columns");
  EXPECT_TRUE(contains(error.message(), "no column is titled as the subject")) << error.what();
}

TEST(OpenRecords, NQuads) {
  if (!reads_rdf()) GTEST_SKIP() << "this build reads no RDF";
  const testing::ScratchDirectory scratch;
  const std::string quad = "<http://x/a> <http://x/r> <http://x/b> <http://x/2014-01-01> .\n";
  const std::string fact = first_fact(scratch.write("f.nq", quad));
  EXPECT_TRUE(contains(fact, "a|") && contains(fact, "2014-01-01")) << fact;
}

TEST(OpenRecords, ADatabaseIsNeitherCompressedNorAStream) {
  const testing::ScratchDirectory scratch;
  const std::string bytes = std::string(sqlite_mark) + std::string(100, '\0');
  const auto packed = scratch.write("f.db", testing::gzipped(bytes));
  EXPECT_TRUE(contains(testing::refused([&] { open_records(packed); }), "neither compressed nor"));
}

}  // namespace
}  // namespace orrery
