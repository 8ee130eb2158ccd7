#include "data/drawn_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/examples.h"
#include "data/within_graph.h"

namespace orrery {
namespace {

using testing::within_graph;

// Five rows: 1900..1909, 1910..1919, … 1940..1949; Ada's fact holds in all of them.
const std::string decades =
    "Ada\tknows\tBen\t1900\t1949\nBen\tknows\tCy\t1910\t1919\nBen\tknows\tDi\t1930\t1939\n";

TEST(DrawnTimes, OneOfEachHalfAndEveryOtherTimeTheSideItself) {
  const TemporalGraph data = within_graph(decades);
  ASSERT_EQ(data.times.size(), 5);
  const Fact ada = data.split(Split::train)[0];
  std::map<std::int32_t, int> first, second;
  for (std::int64_t epoch = 1; epoch <= 3000; ++epoch) {
    const auto rows = drawn_rows(data, ada, Direction::object, {7, epoch});
    ++first[rows[0]];
    ++second[rows[1]];
  }
  for (const std::int32_t row : {0, 1, 2}) EXPECT_NEAR(first[row], row == 0 ? 2000 : 500, 90);
  for (const std::int32_t row : {2, 3, 4}) EXPECT_NEAR(second[row], row == 4 ? 2000 : 500, 90);
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(second.size(), 3U);
}

TEST(DrawnTimes, AnOpenSideIsNoMoreLikelyThanOtherTimes) {
  const TemporalGraph data = within_graph(
      "Ada\tknows\tBen\t1900\t\nBen\tknows\tCy\t1910\t1919\nBen\tknows\tDi\t1930\t1939\n");
  ASSERT_EQ(data.times.size(), 5);
  std::map<std::int32_t, int> second;
  for (std::int64_t epoch = 1; epoch <= 3000; ++epoch)
    ++second[drawn_rows(data, data.split(Split::train)[0], Direction::object, {7, epoch})[1]];
  for (const std::int32_t row : {2, 3, 4}) EXPECT_NEAR(second[row], 1000, 120) << row;
}

TEST(DrawnTimes, ArePureFunctions) {
  const TemporalGraph data = within_graph(decades);
  const Fact ada = data.split(Split::train)[0];
  const auto draw = [&](std::uint64_t seed, Direction direction) {
    std::vector<std::int32_t> rows;
    for (std::int64_t epoch = 1; epoch < 40; ++epoch)
      for (const std::int32_t row : drawn_rows(data, ada, direction, {seed, epoch}))
        rows.push_back(row);
    return rows;
  };
  EXPECT_EQ(draw(1, Direction::object), draw(1, Direction::object));
  EXPECT_NE(draw(1, Direction::object), draw(2, Direction::object));
  EXPECT_NE(draw(1, Direction::object), draw(1, Direction::subject));
}

TEST(DrawnTimes, AskedPointsCoverTheIntervalAndNoMore) {
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += "e" + std::to_string(i) + "\tr\to\t1900\t1903\n";
  const TemporalGraph data = within_graph(lines);
  std::map<TimePoint, int> asked;
  for (const Fact& fact : data.split(Split::train)) ++asked[asked_point(data, fact)];
  ASSERT_EQ(asked.size(), 4U);
  for (const auto& [year, count] : asked) EXPECT_NEAR(count, 100, 40) << year;
}

TEST(DrawnTimes, AskedPointsOfOpenSidesReachToTheEdges) {
  const TemporalGraph data =
      within_graph("a\tr\tb\t1900\t1950\n",
                   "a\tr\tc\t\t1905\nb\tr\tc\t1948\t\nc\tr\ta\t1960\t\nc\tr\tb\t\t1890\n");
  const auto asked = [&](std::size_t i) { return asked_point(data, data.split(Split::test)[i]); };
  EXPECT_GE(asked(0), 1900);
  EXPECT_LE(asked(0), 1905);
  EXPECT_GE(asked(1), 1948);
  EXPECT_LE(asked(1), 1950);
  EXPECT_EQ(asked(2), 1960);  // beyond the axis, where it holds
  EXPECT_EQ(asked(3), 1890);
}

TEST(DrawnTimes, TheSameFactInAnotherFileIsAskedAtTheSamePoint) {
  const std::string fact = "a\tr\tb\t1900\t1990\n";
  const TemporalGraph one = within_graph(fact + "a\tr\tc\t1910\t1911\n", "a\tr\tc\t1900\t1901\n");
  const TemporalGraph other = within_graph("a\tr\tc\t1890\t1891\n" + fact, "b\tr\ta\t1900\t1980\n");
  EXPECT_EQ(asked_point(one, one.split(Split::train)[0]),
            asked_point(other, other.split(Split::train)[1]));
}

TEST(TrainingExamples, WithinDrawFourAFactAndAnotherOnesEachEpoch) {
  const TemporalGraph data = within_graph(decades);
  const TrainingExamples examples(data, 3);
  EXPECT_TRUE(examples.differ_by_epoch());
  EXPECT_EQ(examples.size(), 12);
  EXPECT_EQ(examples.of_epoch(5), examples.of_epoch(5));
  EXPECT_NE(examples.of_epoch(5), examples.of_epoch(7));
  EXPECT_EQ(data.relation_ids().count(), 2);
  for (const Example& example : examples.of_epoch(5)) {
    EXPECT_LT(example.query.relation, 2);
    EXPECT_LT(example.query.time, data.times.size());
  }
}

TEST(TrainingExamples, TheOrderOfLinesDoesNotMatter) {
  const TemporalGraph data = within_graph(decades);
  TemporalGraph turned = data;
  std::ranges::reverse(turned.facts[0]);
  EXPECT_EQ(TrainingExamples(data, 3).of_epoch(2), TrainingExamples(turned, 3).of_epoch(2));
}

TEST(Queries, WithinAskOnceAtTheAskedPoint) {
  const TemporalGraph data = within_graph(decades);
  for (const Fact& fact : data.split(Split::train)) {
    const QueryPair object = queries_of(data, fact, Direction::object);
    const QueryPair subject = queries_of(data, fact, Direction::subject);
    EXPECT_FALSE(object.paired);
    EXPECT_EQ(object.first.time, data.times.nearest_row_to(asked_point(data, fact)));
    EXPECT_EQ(object.first.time, subject.first.time);
    EXPECT_EQ(object.first.relation, 0);
    EXPECT_EQ(subject.first.relation, 1);
  }
}

}  // namespace
}  // namespace orrery
