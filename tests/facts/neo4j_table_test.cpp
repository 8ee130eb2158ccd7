#include "facts/neo4j_table.h"

#include <gtest/gtest.h>

#include "facts/fact_reader.h"
#include "facts/records.h"
#include "facts/scratch.h"
#include "facts/text_source.h"

namespace orrery {
namespace {

using testing::Row;
using testing::Rows;
using testing::TextSource;

std::unique_ptr<RecordReader> neo4j(const std::string& text) {
  return read_neo4j_table(
      read_table(LineReader(std::make_unique<TextSource>(text), "f"), {',', true}));
}

constexpr const char* header =
    "\"_id\",\"_labels\",\"title\",\"name\",\"_start\",\"_end\",\"_type\",\"date\"\n";

TEST(Neo4jTable, RelationshipsHaveTheNamesOfTheirNodes) {
  const auto reader = neo4j(std::string(header) +
                            "0,:A,Dr,Ada,,,,\n1,:A,Sir,,,,,\n2,:A,,,,,,\n"
                            ",,,,0,1,MEETS,2014\n,,,,2,7,MEETS,2015\n");
  EXPECT_EQ(testing::titles_of(*reader),
            (std::vector<std::string>{"source_node_name", "target_node_name", "_start", "_end",
                                      "_type", "date"}));
  EXPECT_EQ(testing::rows_of(*reader), (Rows{Row{5, {"Ada", "Sir", "0", "1", "MEETS", "2014"}},
                                             Row{6, {"2", "7", "2", "7", "MEETS", "2015"}}}));
}

TEST(Neo4jTable, BadRowsKeepTheirLines) {
  const auto reader =
      neo4j(std::string(header) + "0,:A,Dr,Ada,,,,\n,,,,0,0\n,,,,0,\"x\"y,M,2014\n");
  const Rows rows = testing::rows_of(*reader);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].line, 3U);
  EXPECT_TRUE(testing::contains(rows[0].fields[1], "another number of columns"));
  EXPECT_EQ(rows[1].line, 4U);
  EXPECT_TRUE(testing::contains(rows[1].fields[1], "closing quote"));
}

TEST(Neo4jTable, ItsHeaderIsKnown) {
  EXPECT_TRUE(is_neo4j_header({"_id", "_labels", "_start", "_end", "_type"}));
  EXPECT_FALSE(is_neo4j_header({"_start", "_end", "_type", "since"}));
  EXPECT_FALSE(is_neo4j_header({"_start", "_end", "_type", "_id"}));
}

TEST(Neo4jTable, NumbersOfColumnsAreThoseOfTheFile) {
  const testing::ScratchDirectory scratch;
  const auto path = scratch.write("f.csv", std::string(header) + ",,,,0,1,MEETS,2014\r\n");
  for (const auto* columns : {"", "subject=5,relation=7,object=6,time=8"}) {
    SetColumns set;
    ReadOptions options;
    options.columns = column_request(columns);
    FactReader reader(path, set, options);
    ASSERT_EQ(reader.next(), FactReader::Outcome::fact) << reader.problem();
    EXPECT_EQ(reader.fact().subject, "0");
    EXPECT_EQ(reader.fact().relation, "MEETS");
    EXPECT_EQ(reader.fact().start, "2014");
    EXPECT_TRUE(reader.understood().header);
    EXPECT_EQ(reader.understood().separator, "comma");
  }
}

}  // namespace
}  // namespace orrery
