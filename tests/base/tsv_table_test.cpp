#include "base/tsv_table.h"

#include <gtest/gtest.h>

#include "base/caught.h"

namespace orrery {
namespace {

std::vector<TsvRow> table(std::string_view text) {
  return read_tsv(text, "t.tsv", {"name", "size"});
}

TEST(TsvTable, HoldsTheRowsUnderTheirHead) {
  const auto rows = table("# sizes\nname\tsize\n\na\t1.5\r\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["name"], "a");
  EXPECT_EQ(rows[0].number("size"), 1.5);
  EXPECT_EQ(rows[0].place, (Place{"t.tsv", 4}));
}

TEST(TsvTable, OptionalColumnsMayBeAbsent) {
  const auto read = [](std::string_view text) {
    return read_tsv(text, "t.tsv", {"name"}, {"mrr", "hits1", "hits10"});
  };
  const auto rows = read("name\tmrr\thits10\na\t1\t2\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].number("hits10"), 2);
  EXPECT_EQ(rows[0]["hits1"], "");
  EXPECT_EQ(read("name\na\n").size(), 1U);
  for (const char* head : {"name\thits10\tmrr\n", "mrr\n", "name\tsize\n", "name\tmrr\tmrr\n"})
    EXPECT_EQ(caught([&] { read(head); }).place(), (Place{"t.tsv", 1})) << head;
}

TEST(TsvTable, ABadLineIsARequestErrorWithItsPlace) {
  const auto place_of = [](std::string_view text) {
    const Error error = caught([&] { table(text).at(0).number("size"); });
    EXPECT_EQ(error.kind(), Error::Kind::request) << error.what();
    return error.place();
  };
  EXPECT_EQ(place_of("size\tname\n"), (Place{"t.tsv", 1}));
  EXPECT_EQ(place_of("name\tsize\na\t1\nb\n"), (Place{"t.tsv", 3}));
  EXPECT_EQ(place_of("name\tsize\na\tbig\n"), (Place{"t.tsv", 2}));
  EXPECT_EQ(place_of("# nothing\n"), Place{"t.tsv"});
}

}  // namespace
}  // namespace orrery
