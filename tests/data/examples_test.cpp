#include "data/examples.h"

#include <gtest/gtest.h>

#include "data/random_graph.h"

namespace orrery {
namespace {

TEST(Examples, PointFactsGiveOneADirection) {
  TemporalGraph data = testing::random_graph(1, false, 0);  // 3 relations
  data.facts[0] = {{1, 2, 3, 0}, {4, 0, 4, 3}};
  EXPECT_EQ(examples_of(data, data.split(Split::train)),
            (std::vector<Example>{{{1, 2, 0}, 3}, {{3, 5, 0}, 1}, {{4, 0, 3}, 4}, {{4, 3, 3}, 4}}));
  EXPECT_TRUE(examples_of(data, data.split(Split::valid)).empty());
  EXPECT_FALSE(queries_of(data, data.facts[0][0], Direction::object).paired);
}

TEST(Examples, IntervalFactsGiveStartAndEndADirection) {
  TemporalGraph data = testing::random_graph(1, true, 0);
  data.times.moments = {{1, 2}, {1, Moment::unknown}, {Moment::unknown, 2}};
  data.times.moment_names = {"1950\t1960", "1950\t####", "####\t1960"};
  data.facts[0] = {{7, 1, 8, 0}};
  data.facts[1] = {{7, 1, 8, 1}};
  data.facts[2] = {{7, 1, 8, 2}};
  // Relation rows: r, r + |R| for ends, r + 2|R| and r + 3|R| for the reciprocals of both.
  const auto key = [&](Split split) { return data.dates_key(data.split(split).front()); };
  const std::int32_t both = key(Split::train), open = key(Split::valid), until = key(Split::test);
  EXPECT_EQ(examples_of(data, data.split(Split::train)),
            (std::vector<Example>{{{7, 1, 1, both}, 8},
                                  {{7, 4, 2, both}, 8},
                                  {{8, 7, 1, both}, 7},
                                  {{8, 10, 2, both}, 7}}));
  EXPECT_EQ(
      examples_of(data, data.split(Split::valid)),
      (std::vector<Example>{
          {{7, 1, 1, open}, 8}, {{7, 1, 1, open}, 8}, {{8, 7, 1, open}, 7}, {{8, 7, 1, open}, 7}}));
  EXPECT_EQ(examples_of(data, data.split(Split::test)),
            (std::vector<Example>{{{7, 4, 2, until}, 8},
                                  {{7, 4, 2, until}, 8},
                                  {{8, 10, 2, until}, 7},
                                  {{8, 10, 2, until}, 7}}));
  EXPECT_NE(both, open);
  EXPECT_NE(open, until);
  EXPECT_NE(both, 0) << "dates are known";
  data.times.within = true;
  EXPECT_EQ(key(Split::train), 0) << "where a time row says as much";
}

TEST(Examples, AreTheQueriesOfTheJudge) {
  for (const bool intervals : {false, true}) {
    const TemporalGraph data = testing::random_graph(2, intervals);
    const std::vector<Example> examples = examples_of(data, data.split(Split::train));
    std::size_t at = 0;
    for (const Fact& fact : data.split(Split::train)) {
      for (const Direction direction : {Direction::object, Direction::subject}) {
        const QueryPair queries = queries_of(data, fact, direction);
        EXPECT_EQ(queries.paired, intervals);
        EXPECT_EQ(examples[at++].query, queries.first);
        if (queries.paired) {
          EXPECT_EQ(examples[at++].query, queries.second);
        }
        for (const Query& query : {queries.first, queries.second}) {
          EXPECT_GE(query.relation, 0);
          EXPECT_LT(query.relation, data.relation_ids().count());
          EXPECT_GE(query.time, 0);
          EXPECT_LT(query.time, data.times.size());
        }
      }
    }
    EXPECT_EQ(at, examples.size());
  }
}

}  // namespace
}  // namespace orrery
