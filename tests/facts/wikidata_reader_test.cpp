#include <gtest/gtest.h>

#include "facts/formats.h"
#include "facts/records.h"
#include "facts/scratch.h"
#include "facts/text_source.h"
#include "facts/wikidata_time.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Row;
using testing::Rows;
using testing::rows_of;
using testing::TextSource;

TEST(WikidataTime, IsCutToItsPrecision) {
  EXPECT_EQ(wikidata_date("+2006-05-01T00:00:00Z", 11), "2006-05-01");
  EXPECT_EQ(wikidata_date("+2006-05-00T00:00:00Z", 10), "2006-05");
  EXPECT_EQ(wikidata_date("+2006-00-00T00:00:00Z", 9), "2006");
  EXPECT_EQ(wikidata_date("+2006-00-00T00:00:00Z", 11), "2006");
  EXPECT_EQ(wikidata_date("+2006-00-00T00:00:00Z", 8), "2000s");
  EXPECT_EQ(wikidata_date("+2006-00-00T00:00:00Z", 7), "####");
  EXPECT_EQ(wikidata_date("-0044-03-15T00:00:00Z", 11), "-0044-03-15");
  EXPECT_EQ(wikidata_date("-0044-00-00T00:00:00Z", 8), "####");
  EXPECT_EQ(wikidata_date("+00000001994-01-01T00:00:00Z", 9), "1994");
  EXPECT_EQ(wikidata_date("1994-01-01T00:00:00Z", 10), "1994-01");
  EXPECT_EQ(wikidata_date("", 11), "####");
  EXPECT_EQ(wikidata_date("+x", 11), "####");
}

std::string time_snak(const std::string& property, const std::string& time, int precision) {
  return "\"" + property + "\":[{\"snaktype\":\"value\",\"property\":\"" + property +
         "\",\"datavalue\":{\"value\":{\"time\":\"" + time +
         "\",\"precision\":" + std::to_string(precision) + "},\"type\":\"time\"}}]";
}

std::string statement(const std::string& item, const std::string& qualifiers,
                      const std::string& rank = "normal") {
  return "{\"mainsnak\":{\"snaktype\":\"value\",\"property\":\"P39\",\"datavalue\":{\"value\":{"
         "\"entity-type\":\"item\",\"numeric-id\":" +
         item.substr(1) + ",\"id\":\"" + item +
         "\"},\"type\":\"wikibase-entityid\"},\"datatype\":\"wikibase-item\"},\"type\":"
         "\"statement\",\"qualifiers\":{" +
         qualifiers + "},\"rank\":\"" + rank + "\"}";
}

std::string entity(const std::string& id, const std::string& claims) {
  return "{\"type\":\"item\",\"id\":\"" + id +
         "\",\"labels\":{\"en\":{\"language\":\"en\",\"value\":\"name of " + id +
         "\"}},\"claims\":" + claims + "}";
}

class WikidataTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_json()) GTEST_SKIP() << "this build has no simdjson";
  }
  static Rows rows(std::string text, std::size_t at_once = 1 << 16) {
    return rows_of(*read_wikidata(std::make_unique<TextSource>(std::move(text), at_once), "dump"));
  }
  const std::string first_ = entity(
      "Q76", "{\"P39\":[" +
                 statement("Q11696", time_snak("P580", "+2009-01-20T00:00:00Z", 11) + "," +
                                         time_snak("P582", "+2017-01-20T00:00:00Z", 11)) +
                 "," + statement("Q4416090", time_snak("P580", "+2005-01-00T00:00:00Z", 10)) + "," +
                 statement("Q1", "", "deprecated") +
                 "],\"P569\":[{\"mainsnak\":{\"snaktype\":\"value\",\"datavalue\":{\"value\":{"
                 "\"time\":\"+1961-08-04T00:00:00Z\",\"precision\":11},\"type\":\"time\"}}}],"
                 "\"P26\":[{\"mainsnak\":{\"snaktype\":\"somevalue\"}}]}");
  const std::string second_ = entity(
      "Q2", "{\"P166\":[" + statement("Q37922", time_snak("P585", "+1921-00-00T00:00:00Z", 9)) +
                "," + statement("Q3", "\"P582\":[{\"snaktype\":\"somevalue\"}]") + "," +
                statement("Q4", "") + "]}");
  const Row r1_ = {2, {"Q76", "P39", "Q11696", "2009-01-20", "2017-01-20", "name of Q76"}};
  const Row r2_ = {2, {"Q76", "P39", "Q4416090", "2005-01", "", "name of Q76"}};
  const Row r3_ = {3, {"Q2", "P166", "Q37922", "1921", "1921", "name of Q2"}};
  const Row r4_ = {3, {"Q2", "P166", "Q3", "", "####", "name of Q2"}};
  const Row r5_ = {3, {"Q2", "P166", "Q4", "", "", "name of Q2"}};
};

TEST_F(WikidataTest, ADumpGivesItsStatementsAboutItems) {
  const std::string dump = "[\n" + first_ + ",\n" + second_ + ",\n" + entity("Q5", "[]") + "\n]\n";
  for (const std::size_t at_once : {7, 1 << 16}) {
    EXPECT_EQ(rows(dump, at_once), (Rows{r1_, r2_, r3_, r4_, r5_}));
  }
  EXPECT_EQ(rows("\n" + first_ + "\n" + second_), (Rows{r1_, r2_, r3_, r4_, r5_}));
}

TEST_F(WikidataTest, OneEntityAndAPageOfEntities) {
  const Rows one = rows(first_);
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(one[0].fields, r1_.fields);
  const Rows page = rows("{\"entities\":{\"Q76\":" + first_ + ",\"Q2\":" + second_ + "}}");
  ASSERT_EQ(page.size(), 5U);
  EXPECT_EQ(page[4].fields, r5_.fields);
}

TEST_F(WikidataTest, ADamagedEntityCostsItsOwnLine) {
  const Rows read =
      rows("[\n" + first_ + ",\n{\"id\":\"Q9\",\"claims\":{\"P1\":tru}},\n{\"x\":1},\n5,\n" +
           second_.substr(0, 100));
  ASSERT_EQ(read.size(), 6U);
  EXPECT_EQ(read[0], r1_);
  EXPECT_EQ(read[1], r2_);
  for (std::size_t i = 2; i < 6; ++i) {
    EXPECT_EQ(read[i].line, i + 1);
    EXPECT_TRUE(contains(read[i].fields.back(), "no entity of Wikidata")) << read[i];
  }
  EXPECT_TRUE(contains(read[3].fields.back(), "has no id"));
  EXPECT_TRUE(contains(read[5].fields.back(), "file ends inside"));
}

}  // namespace
}  // namespace orrery
