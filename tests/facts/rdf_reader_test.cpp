#include <gtest/gtest.h>

#include "facts/formats.h"
#include "facts/rdf_facts.h"
#include "facts/rdf_nesting.h"
#include "facts/records.h"
#include "facts/scratch.h"
#include "facts/text_source.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Row;
using testing::Rows;
using testing::rows_of;
using testing::TextSource;
using testing::titles_of;
using Titles = std::vector<std::string>;

TEST(RdfDate, InTheNameOfAGraph) {
  EXPECT_EQ(date_in_name("http://e/graph/2014-04-25"), "2014-04-25");
  EXPECT_EQ(date_in_name("http://e/2014-04-25T10:00:00Z"), "2014-04-25T10:00:00Z");
  EXPECT_EQ(date_in_name("urn:date:2014"), "2014");
  EXPECT_EQ(date_in_name("urn:date:-0431"), "-0431");
  EXPECT_EQ(date_in_name("http://e/day#2014-04"), "2014-04");
  EXPECT_EQ(date_in_name("http://e/graph/12"), "");
  EXPECT_EQ(date_in_name("http://e/2014-04-25/version2"), "");
  EXPECT_EQ(date_in_name(""), "");
}

TEST(RdfNesting, CountsBracketsOutsideOfTexts) {
  const std::string open(2000, '('), pairs = "([])";
  EXPECT_FALSE(RdfNesting().pass("<a> <b> " + open));
  EXPECT_FALSE(RdfNesting().pass("\"\" \"a\\\"\" 'b' a:x\\' # (\n" + open));
  EXPECT_FALSE(RdfNesting().pass("\"\"\"a\"\"b\"\"\"" + open));
  EXPECT_TRUE(RdfNesting().pass("\"\"\"a\"\"b\n" + open));
  EXPECT_TRUE(RdfNesting().pass("<a" + open + "> '" + open + "' #" + open));
  RdfNesting nesting;
  for (int i = 0; i < 2000; ++i) EXPECT_TRUE(nesting.pass(pairs));
}

class RdfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_rdf()) GTEST_SKIP() << "this build has no serd";
  }
  static std::unique_ptr<RecordReader> open(std::string text, RdfSyntax syntax) {
    return read_rdf(std::make_unique<TextSource>(std::move(text), 100), "facts.rdf", syntax);
  }
  static Rows rows(std::string text, RdfSyntax syntax) {
    return rows_of(*open(std::move(text), syntax));
  }
};

TEST_F(RdfTest, QuadsWithTheDateInTheGraphsName) {
  const auto reader = open(
      "# a comment\n"
      "<http://e/Ada> <http://e/meets> <http://e/Ben> <http://e/day/2014-04-25> .\n"
      "\n"
      "<http://e/Ben> <http://e/says> \"hi \\\"all\\\" \\u00e9\"@en <http://e/day/2014-04-26> .\n"
      "_:b0 <http://e/age> \"7\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
      RdfSyntax::n_quads);
  EXPECT_EQ(titles_of(*reader), (Titles{"subject", "relation", "object", "time"}));
  EXPECT_EQ(rows_of(*reader),
            (Rows{{2, {"http://e/Ada", "http://e/meets", "http://e/Ben", "2014-04-25"}},
                  {4, {"http://e/Ben", "http://e/says", "hi \"all\" é", "2014-04-26"}},
                  {5, {"_:b0", "http://e/age", "7", ""}}}));
}

TEST_F(RdfTest, ABadLineOfQuadsCostsItselfOnly) {
  const Rows read = rows(
      "<http://e/a> <http://e/p> <http://e/b> .\n"
      "<http://e/a> <http://e/p> .\n"
      "<http://e/a> <http://e/p> <http://e/c> . nonsense\n"
      "a\tb\tc\n"
      "<http://e/a> <http://e/p> \"open\n"
      "<http://e/a> <http://e/p> <http://e/d> .",
      RdfSyntax::n_triples);
  ASSERT_EQ(read.size(), 6U);
  EXPECT_EQ(read[0], (Row{1, {"http://e/a", "http://e/p", "http://e/b", ""}}));
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_EQ(read[i].line, i + 1);
    EXPECT_TRUE(contains(read[i].fields.back(), "no RDF statement")) << read[i];
    EXPECT_FALSE(contains(read[i].fields.back(), "\xFF")) << read[i];
  }
  EXPECT_EQ(read[5], (Row{6, {"http://e/a", "http://e/p", "http://e/d", ""}}));
}

TEST_F(RdfTest, WikidataStatementsWithQualifiers) {
  const auto reader = open(
      "@prefix wd: <http://www.wikidata.org/entity/> .\n"
      "@prefix wds: <http://www.wikidata.org/entity/statement/> .\n"
      "@prefix wdv: <http://www.wikidata.org/value/> .\n"
      "@prefix wdt: <http://www.wikidata.org/prop/direct/> .\n"
      "@prefix p: <http://www.wikidata.org/prop/> .\n"
      "@prefix ps: <http://www.wikidata.org/prop/statement/> .\n"
      "@prefix pq: <http://www.wikidata.org/prop/qualifier/> .\n"
      "@prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .\n"
      "@prefix wikibase: <http://wikiba.se/ontology#> .\n"
      "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
      "wd:Q76 wdt:P39 wd:Q11696 ; p:P39 wds:a , wds:b ; wdt:P19 wd:Q1 .\n"
      "wds:a a wikibase:Statement ; ps:P39 wd:Q11696 ; wikibase:rank wikibase:NormalRank ;\n"
      "  pq:P580 \"2009-01-20T00:00:00Z\"^^xsd:dateTime ;\n"
      "  pq:P582 \"2017-01-01T00:00:00Z\"^^xsd:dateTime ; pqv:P582 wdv:x .\n"
      "wds:b ps:P39 wd:Q2 ; pq:P585 \"2003-01-01T00:00:00Z\"^^xsd:dateTime .\n"
      "wdv:x wikibase:timeValue \"2017-01-01T00:00:00Z\"^^xsd:dateTime ;\n"
      "  wikibase:timePrecision \"9\"^^xsd:integer .\n",
      RdfSyntax::turtle);
  EXPECT_EQ(titles_of(*reader), (Titles{"subject", "relation", "object", "start", "end"}));
  const std::string wd = "http://www.wikidata.org/entity/", p = "http://www.wikidata.org/prop/";
  // The direct statement of a dated one is left out; a point in time is its own start and end.
  EXPECT_EQ(
      rows_of(*reader),
      (Rows{{2, {wd + "Q76", p + "P39", wd + "Q11696", "2009-01-20T00:00:00Z", "2017"}},
            {3, {wd + "Q76", p + "P39", wd + "Q2", "2003-01-01T00:00:00Z", "2003-01-01T00:00:00Z"}},
            {4, {wd + "Q76", p + "direct/P19", wd + "Q1", "", ""}}}));
}

TEST_F(RdfTest, ReifiedStatementsAndTheirPlainForm) {
  EXPECT_EQ(
      rows("@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
           "@prefix : <http://e/> .\n"
           ":Ada :knows :Ben . :Ada :likes :Eve .\n"
           "[] a rdf:Statement ; rdf:subject :Ada ; rdf:predicate :knows ; rdf:object :Ben ;\n"
           "  :validFrom \"2014-01\" ; :source \"a letter\" .\n",
           RdfSyntax::turtle),
      (Rows{{2, {"http://e/Ada", "http://e/likes", "http://e/Eve", "", ""}},
            {5, {"http://e/Ada", "http://e/knows", "http://e/Ben", "2014-01", ""}}}));
}

TEST_F(RdfTest, GraphsWithTheirValidityBesideThem) {
  EXPECT_EQ(rows("@prefix schema: <http://schema.org/> .\n@prefix : <http://e/> .\n"
                 ":g1 schema:startDate \"2014-04-25\" ; schema:endDate \"2015\" ; :by :Ada .\n"
                 ":g1 { :Ada :worksFor :Acme . :Ada :startDate \"1999\" }\n"
                 "GRAPH :g2 { :Ben :worksFor :Acme }\n",
                 RdfSyntax::trig),
            (Rows{{3, {"http://e/g1", "http://e/by", "http://e/Ada", "", ""}},
                  {4, {"http://e/Ada", "http://e/worksFor", "http://e/Acme", "2014-04-25", "2015"}},
                  {5, {"http://e/Ada", "http://e/startDate", "1999", "2014-04-25", "2015"}},
                  {6, {"http://e/Ben", "http://e/worksFor", "http://e/Acme", "", ""}}}));
}

TEST_F(RdfTest, BasesAreResolvedAndPrefixesExpanded) {
  EXPECT_EQ(
      rows("<a> <b> <c> .\n@base <http://e/x/> . @prefix q: <http://q#> .\n<a> q:b <../c> .\n",
           RdfSyntax::turtle),
      (Rows{{1, {"a", "b", "c", ""}}, {2, {"http://e/x/a", "http://q#b", "http://e/c", ""}}}));
}

TEST_F(RdfTest, DamagedTurtleIsAnErrorWithItsLine) {
  const Error open_literal =
      caught([] { rows("@prefix : <http://e/> .\n:a :b :c .\n:a :b \"x .\n", RdfSyntax::turtle); });
  EXPECT_EQ(open_literal.kind(), Error::Kind::request);
  EXPECT_EQ(open_literal.place().file, "facts.rdf");
  EXPECT_EQ(open_literal.place().line, 3U) << open_literal.what();
  const Error prefix = caught([] { rows("\n<http://e/a> foaf:knows <b> .\n", RdfSyntax::turtle); });
  EXPECT_TRUE(contains(prefix.message(), "foaf:knows")) << prefix.what();
  // Endless nesting ends in an error as well.
  for (const char bracket : {'(', '['}) {
    const Error nested = caught([bracket] {
      rows("<http://e/a> <http://e/b> " + std::string(3'000'000, bracket), RdfSyntax::turtle);
    });
    EXPECT_EQ(nested.kind(), Error::Kind::request);
    EXPECT_EQ(nested.place().file, "facts.rdf") << nested.what();
  }
}

TEST(RdfAbsent, SaysSo) {
  if (reads_rdf()) GTEST_SKIP() << "this build reads RDF";
  const Error error =
      caught([] { read_rdf(std::make_unique<TextSource>(""), "facts.nq", RdfSyntax::n_quads); });
  EXPECT_TRUE(contains(error.what(), "without serd")) << error.what();
}

}  // namespace
}  // namespace orrery
