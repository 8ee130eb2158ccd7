#include <gtest/gtest.h>

#include "facts/formats.h"
#include "facts/records.h"
#include "facts/scratch.h"
#include "facts/sqlite_samples.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::Rows;
using testing::rows_of;
using testing::ScratchDirectory;
using testing::titles_of;
using Titles = std::vector<std::string>;

class SqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!reads_sqlite()) GTEST_SKIP() << "this build has no SQLite";
  }
  ScratchDirectory folder_;
  const std::filesystem::path journal_ =
      folder_.write("journal.db", testing::unhex(testing::journal_database));
};

TEST_F(SqliteTest, RowsOfAQuery) {
  const auto reader =
      read_sqlite(journal_, "select who, what, whom, day, day + 0.5 as half from log");
  EXPECT_EQ(titles_of(*reader), (Titles{"who", "what", "whom", "day", "half"}));
  EXPECT_EQ(rows_of(*reader), (Rows{{1, {"Ada", "meets", "Ben", "20140425", "20140425.5"}},
                                    {2, {"Béa", "writes to", "", "20140426", "20140426.5"}}}));
  Record record;
  EXPECT_FALSE(reader->next(record));
}

TEST_F(SqliteTest, AQueryMayLookLikeAnAddress) {
  EXPECT_EQ(rows_of(*read_sqlite(journal_, "select=who from log where day=20140425")),
            (Rows{{1, {"Ada"}}}));
}

TEST_F(SqliteTest, SelectedColumnsInTheirOrder) {
  const auto reader = read_sqlite(journal_, " WITH x AS (SELECT * FROM log) SELECT * FROM x;\n");
  const std::array<std::size_t, 2> columns = {3, 1};
  reader->select(columns);
  EXPECT_EQ(rows_of(*reader), (Rows{{1, {"20140425", "meets"}}, {2, {"20140426", "writes to"}}}));
}

TEST_F(SqliteTest, TheOnlyTableThatCanHoldFactsNeedsNoQuery) {
  EXPECT_EQ(titles_of(*read_sqlite(journal_, "")), (Titles{"who", "what", "whom", "day"}));
}

TEST_F(SqliteTest, SeveralTablesAreListed) {
  const auto two = folder_.write("two.db", testing::unhex(testing::two_tables_database));
  const std::string message = refused([&] { read_sqlite(two, ""); });
  EXPECT_TRUE(contains(message, "a(x, y, z)")) << message;
  EXPECT_TRUE(contains(message, "b(u, v, w)")) << message;
  EXPECT_TRUE(contains(message, "?select=")) << message;
}

TEST_F(SqliteTest, OnlyOneReadingQueryIsTaken) {
  for (const char* query : {"delete from log", "drop table log", "pragma user_version = 5",
                            "select 1; drop table log", "select nothing from log", "selec",
                            "with x as (select 1) delete from log", "attach 'x.db' as x"}) {
    const std::string message = refused([&] { read_sqlite(journal_, query); });
    EXPECT_TRUE(contains(message, "journal.db")) << message;
  }
  EXPECT_EQ(rows_of(*read_sqlite(journal_, "select * from log")).size(), 2U);
}

TEST_F(SqliteTest, ABlobIsABadRow) {
  const Rows rows = rows_of(*read_sqlite(journal_, "select x'00ff' as a, 1 as b"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(contains(rows[0].fields.back(), "blob"));
}

TEST_F(SqliteTest, OtherAndDamagedFilesAreRefusedByName) {
  const auto text = folder_.write("facts.db", "a\tb\tc\t2014\n");
  EXPECT_TRUE(contains(refused([&] { read_sqlite(text, ""); }), "facts.db: is not an SQLite file"));
  EXPECT_TRUE(contains(refused([&] { read_sqlite(folder_.path() / "none.db", ""); }), "opened"));
  std::string bytes = testing::unhex(testing::journal_database);
  const auto half = folder_.write("half.db", bytes.substr(0, 700));
  EXPECT_TRUE(
      contains(refused([&] { rows_of(*read_sqlite(half, "select * from log")); }), "half.db"));
}

TEST(SqliteAbsent, SaysSo) {
  if (reads_sqlite()) GTEST_SKIP() << "this build reads SQLite";
  EXPECT_TRUE(contains(refused([] { read_sqlite("facts.db", ""); }), "without SQLite"));
}

}  // namespace
}  // namespace orrery
