#include <gtest/gtest.h>

#include "facts/formats.h"
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

class JsonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_json()) GTEST_SKIP() << "this build has no simdjson";
  }
  static std::unique_ptr<RecordReader> open(std::string text, std::size_t at_once = 1 << 16) {
    return read_json(std::make_unique<TextSource>(std::move(text), at_once), "facts.json");
  }
  static Rows rows(std::string text, std::size_t at_once = 1 << 16) {
    return rows_of(*open(std::move(text), at_once));
  }
};

TEST_F(JsonTest, LinesBecomeRecordsByPath) {
  const std::string text =
      "{\"source\": \"Ada\", \"rel\": {\"type\": \"knows\", \"ok\": true}, \"n\": 12}\n"
      "\n"
      "{\"n\":1.0e9,\"source\":\"B\\u00e9a "
      "\\\"B\\\"\",\"rel\":null,\"extra\":[1,2],\"more\":\"x\"}\r\n"
      "{\"n\": 123456789012345678901234567890, \"rel\": {\"type\": \"a\\tb\"}}";
  const auto reader = open(text);
  EXPECT_EQ(titles_of(*reader), (Titles{"source", "rel.type", "rel.ok", "n", "rel", "more"}));
  const Rows expected = {{1, {"Ada", "knows", "true", "12", "", ""}},
                         {3, {"Béa \"B\"", "", "", "1.0e9", "", "x"}},
                         {4, {"", "a\tb", "", "123456789012345678901234567890", "", ""}}};
  EXPECT_EQ(rows_of(*reader), expected);
  for (const std::size_t at_once : {1, 2, 7}) EXPECT_EQ(rows(text, at_once), expected);
}

TEST_F(JsonTest, SelectGivesTheColumnsAskedFor) {
  const auto reader = open("{\"a\":1,\"b\":2,\"c\":3}\n{\"c\":6,\"a\":4}\n");
  const std::array<std::size_t, 3> columns = {2, 0, 2};
  reader->select(columns);
  EXPECT_EQ(rows_of(*reader), (Rows{{1, {"3", "1", "3"}}, {2, {"6", "4", "6"}}}));
}

TEST_F(JsonTest, ArraysAndObjectsOverManyLines) {
  const Rows expected = {{1, {"a", "1"}}, {2, {"b", ""}}, {3, {"c]}", "3"}}};
  for (const std::string text :
       {"[{\"s\":\"a\",\"t\":1},{\"s\":\"b\"},{\"s\":\"c]}\",\"t\":3}]",
        "\xEF\xBB\xBF [\n  {\n    \"s\": \"a\",\n    \"t\": 1\n  },\n  {\"s\": \"b\"},\n"
        "  {\"s\": \"c]}\", \"t\": 3}\n]\n",
        "{\n  \"s\": \"a\",\n  \"t\": 1\n}\n{\n  \"s\": \"b\"\n}\n{\n  \"s\": \"c]}\", \"t\": "
        "3\n}\n",
        "{\"s\":\"a\",\"t\":1}{\"s\":\"b\"}{\"s\":\"c]}\",\"t\":3}",
        "[{\"s\":\"a\",\"t\":1},{\"s\":\"b\"}]\n[{\"s\":\"c]}\",\"t\":3}]"}) {
    for (const std::size_t at_once : {1, 3, 1 << 16})
      EXPECT_EQ(rows(text, at_once), expected) << text;
  }
}

TEST_F(JsonTest, AnObjectThatHoldsTheFacts) {
  EXPECT_EQ(rows("{\"total\": 2, \"facts\": [{\"s\": \"a\"}, {\"s\": \"b\"}]}"),
            (Rows{{1, {"a"}}, {2, {"b"}}}));
  EXPECT_EQ(rows("{\"meta\":[{\"x\":1}],\"data\":{\"rows\":[{\"s\":\"a\"},{\"s\":\"b\"}]}}\n"),
            (Rows{{1, {"a"}}, {2, {"b"}}}));
  // A single fact is one record.
  EXPECT_EQ(rows("{\"s\": \"a\", \"tags\": [\"x\"]}\n"), (Rows{{1, {"a"}}}));
}

TEST_F(JsonTest, GraphitiEdgesTakeTheNamesOfTheirNodes) {
  const auto reader = open(
      "{\"nodes\": [{\"uuid\": \"n1\", \"name\": \"Ada\", \"labels\": [\"Person\"]},\n"
      "  {\"uuid\": \"n2\", \"name\": \"Acme\"}, {\"uuid\": \"n3\", \"name\": \"Ben\"}],\n"
      " \"edges\": [{\"uuid\": \"e1\", \"name\": \"WORKS_AT\", \"fact\": \"Ada works at Acme\",\n"
      "   \"source_node_uuid\": \"n1\", \"target_node_uuid\": \"n2\",\n"
      "   \"valid_at\": \"2021-03-01T00:00:00Z\", \"invalid_at\": null},\n"
      "  {\"name\": \"KNOWS\", \"source_node_uuid\": \"n1\", \"target_node_uuid\": \"n9\"}]}");
  const Titles titles = titles_of(*reader);
  ASSERT_EQ(titles, (Titles{"uuid", "name", "fact", "source_node_uuid", "target_node_uuid",
                            "valid_at", "invalid_at", "source_node_name", "target_node_name"}));
  const std::array<std::size_t, 5> columns = {7, 1, 8, 5, 6};
  reader->select(columns);
  EXPECT_EQ(rows_of(*reader), (Rows{{1, {"Ada", "WORKS_AT", "Acme", "2021-03-01T00:00:00Z", ""}},
                                    {2, {"Ada", "KNOWS", "n9", "", ""}}}));
}

TEST_F(JsonTest, ADamagedLineCostsItsOwnRecordOnly) {
  const Rows read = rows(
      "{\"s\":\"a\"}\n{\"s\":\"b\"\n{\"s\":\"\\ud800\"}\n{\"s\":\"\xFF\"}\n[1]\n{\"s\":01}\n"
      "{\"s\":\"c\"} {\n{\"s\":\"d\"}\n{\"s\":\"e");
  ASSERT_EQ(read.size(), 9U);
  EXPECT_EQ(read[0], (Row{1, {"a"}}));
  for (const std::size_t bad : {1, 2, 3, 4, 5, 6, 8}) {
    EXPECT_EQ(read[bad].fields[0], "!") << bad;
    EXPECT_EQ(read[bad].line, bad + 1);
    EXPECT_TRUE(contains(read[bad].fields.back(), "no JSON object")) << read[bad];
  }
  EXPECT_EQ(read[7], (Row{8, {"d"}}));
  // Also where it is the first.
  const Rows first = rows("{\"s\":\"a\n{\"s\":\"b\"}\n");
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].fields[0], "!");
  EXPECT_EQ(first[1], (Row{2, {"b"}}));
}

TEST_F(JsonTest, ADamagedElementIsNamedByNumberAndLine) {
  const Rows read = rows("[{\"s\":\"a\"},\n{\"s\":tru},\n7,\n{\"s\":\"b\"},\n{\"s\":\"c\"");
  ASSERT_EQ(read.size(), 5U);
  EXPECT_EQ(read[0], (Row{1, {"a"}}));
  EXPECT_EQ(read[1].line, 2U);
  EXPECT_TRUE(contains(read[1].fields.back(), "begins in line 2")) << read[1];
  EXPECT_TRUE(contains(read[2].fields.back(), "not an object")) << read[2];
  EXPECT_EQ(read[3], (Row{4, {"b"}}));
  EXPECT_TRUE(contains(read[4].fields.back(), "file ends inside")) << read[4];
}

TEST_F(JsonTest, AnArrayThatIsNotClosedIsTold) {
  for (const std::string text : {"[{\"s\":1},{\"s\":2}", "[{\"s\":1},{\"s\":2},\n"}) {
    const auto reader = open(text);
    Record record;
    EXPECT_TRUE(reader->next(record) && reader->next(record));
    EXPECT_EQ(record.problem, nullptr);
    ASSERT_TRUE(reader->next(record));
    EXPECT_EQ(record.line, 3U);
    EXPECT_STREQ(record.problem, "the file ends too early: its array is not closed");
    EXPECT_FALSE(reader->next(record));
  }
  EXPECT_EQ(rows("{\"edges\":[{\"s\":1}]}").size(), 1U);
}

TEST_F(JsonTest, SeveralListsOfFactsAreRefused) {
  for (const std::string text : {R"({"2019":[{"s":1,"o":2}],"2020":[{"o":1,"s":2},{"s":3,"o":4}]})",
                                 R"({"one":{"edges":[{"s":1}]},"two":{"edges":[{"s":2,"t":3}]}})"})
    EXPECT_TRUE(contains(testing::refused([&] { open(text); }), "several arrays")) << text;
  EXPECT_EQ(rows(R"({"notes":[{"text":1}],"rows":[{"s":1},{"s":2}]})").size(), 2U);
}

TEST_F(JsonTest, LastOfDuplicateKeysAndDeepNesting) {
  EXPECT_EQ(rows("{\"s\":\"a\",\"s\":\"b\"}\n{\"s\":\"c\",\"s\":null}\n"),
            (Rows{{1, {"b"}}, {2, {""}}}));
  std::string deep, close;
  for (int i = 0; i < 100'000; ++i) {
    deep += "[{\"a\":";
    close += "}]";
  }
  deep += "1" + close;
  EXPECT_EQ(rows("{\"s\":\"x\",\"d\":[" + deep + "]}\n{\"s\":\"y\"}\n"),
            (Rows{{1, {"x"}}, {2, {"y"}}}));
  // What lies very deep is no column, and does no harm.
  std::string objects = "{\"s\":\"x\"}\n";
  for (int i = 0; i < 5000; ++i) objects += "{\"a\":";
  EXPECT_EQ(rows(objects + "1" + std::string(5000, '}') + "\n"), (Rows{{1, {"x"}}, {2, {""}}}));
}

TEST_F(JsonTest, ManyObjectsAndLateKeys) {
  std::string lines, array = "[";
  for (int i = 0; i < 5000; ++i) {
    const std::string object = "{\"s\":\"name " + std::to_string(i) +
                               "\",\"t\":" + std::to_string(i) + (i == 3000 ? ",\"late\":1}" : "}");
    lines += object + "\n";
    array += (i > 0 ? "," : "") + object;
  }
  for (const Rows& read : {rows(lines, 1000), rows(array + "]", 1000)}) {
    ASSERT_EQ(read.size(), 5000U);
    EXPECT_EQ(read[4999], (Row{5000, {"name 4999", "4999"}}));
    EXPECT_EQ(read[3000], (Row{3001, {"name 3000", "3000"}}));
  }
}

TEST_F(JsonTest, WhatIsNoJsonOfObjectsIsRefused) {
  EXPECT_EQ(rows(""), Rows{});
  EXPECT_EQ(rows("[]"), Rows{});
  const Error table = caught([] { rows("a\tb\tc\n"); });
  EXPECT_EQ(table.place(), (Place{"facts.json", 1}));
  EXPECT_TRUE(contains(table.message(), "not JSON")) << table.what();
  const Error numbers = caught([] { rows("[1, 2]"); });
  EXPECT_TRUE(contains(numbers.message(), "holds no objects")) << numbers.what();
  for (const char* text : {"{\"edges\": []}", "{}", "{\"a\":tru", "{\"s\":\"a\n{\"s\"\n"}) {
    EXPECT_EQ(caught([text] { rows(text); }).place(), (Place{"facts.json", 1})) << text;
  }
}

TEST(JsonAbsent, SaysSo) {
  if (reads_json()) GTEST_SKIP() << "this build reads JSON";
  const Error error = caught([] { read_json(std::make_unique<TextSource>("{}"), "facts.json"); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_TRUE(contains(error.what(), "without simdjson")) << error.what();
}

}  // namespace
}  // namespace orrery
