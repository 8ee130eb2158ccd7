#include "judge/breakdown.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "judge/random_world.h"

namespace orrery {
namespace {

using testing_world::PlainRanker;
using testing_world::random_dataset;

EvaluationScores judged(const TemporalGraph& data) {
  PlainRanker ranker(data.entities.size());
  return judge(ranker, data, FilterIndex(data), Split::test);
}

TEST(Breakdown, PartsSumToTheWhole) {
  for (const bool intervals : {false, true}) {
    const TemporalGraph data = random_dataset(21, intervals);
    const EvaluationScores whole = judged(data);
    for (const By by : all_breakdowns) {
      Scores sum;
      for (const BreakdownRow& row : breakdown(data, whole, by)) {
        const auto count = static_cast<double>(row.scores.queries);
        sum.queries += row.scores.queries;
        sum.mrr += row.scores.mrr * count;
        sum.hits1 += row.scores.hits1 * count;
        sum.hits3 += row.scores.hits3 * count;
        sum.hits10 += row.scores.hits10 * count;
      }
      const auto total = static_cast<double>(sum.queries);
      EXPECT_EQ(sum.queries, whole.pessimistic.queries);
      EXPECT_NEAR(sum.mrr / total, whole.pessimistic.mrr, 1e-12);
      EXPECT_NEAR(sum.hits1 / total, whole.pessimistic.hits1, 1e-12);
      EXPECT_NEAR(sum.hits3 / total, whole.pessimistic.hits3, 1e-12);
      EXPECT_NEAR(sum.hits10 / total, whole.pessimistic.hits10, 1e-12);
    }
  }
}

TEST(Breakdown, MostQuestionsComeFirstAndEqualsByName) {
  const TemporalGraph data = random_dataset(22, false);
  for (const By by : all_breakdowns) {
    const auto rows = breakdown(data, judged(data), by);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto before = rows[i - 1].scores.queries, after = rows[i].scores.queries;
      EXPECT_TRUE(before > after || (before == after && rows[i - 1].name < rows[i].name));
      EXPECT_GT(after, 0U);
    }
  }
}

// Ann met Bo at time 0; she is asked for at time 1: once Bo is right, once Cy. Nobody met Cy.
TEST(Breakdown, ByWhatTrainKnowsAtOtherTimes) {
  constexpr std::int32_t ann = 0, bo = 1, cy = 2;
  TemporalGraph data;
  data.entities = Vocabulary({"Ann", "Bo", "Cy"});
  data.relations = Vocabulary({"meets"});
  data.times.rows = {{0, 0, "0"}, {1, 1, "1"}};
  data.times.moments = {{0, 0}, {1, 1}};
  data.facts[static_cast<int>(Split::train)] = {{ann, 0, bo, 0}};
  data.facts[static_cast<int>(Split::test)] = {{ann, 0, bo, 1}, {ann, 0, cy, 1}};
  EvaluationScores given;
  given.ranks = {{0, 0}, {0, 0}, {1, 0}, {3, 0}};
  const auto rows = breakdown(data, given, By::history);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "answer known at another time");
  EXPECT_EQ(rows[0].scores.queries, 2U);
  EXPECT_EQ(rows[0].scores.mrr, 1);
  EXPECT_EQ(rows[1].name, "nothing known");
  EXPECT_EQ(rows[1].scores.mrr, 0.25);
  EXPECT_EQ(rows[2].name, "only rivals known at another time");
  EXPECT_EQ(rows[2].scores.mrr, 0.5);
}

TEST(Breakdown, FactsMayBeChosenByTheirPlaces) {
  EvaluationScores given;
  given.ranks = {{0, 0}, {1, 0}, {3, 0}, {9, 0}};  // ranks 1, 2, 4, 10
  const Scores second = given.of_facts([](std::size_t fact) { return fact == 1; });
  EXPECT_EQ(second.queries, 2U);
  EXPECT_DOUBLE_EQ(second.mrr, (0.25 + 0.1) / 2);
  EXPECT_EQ(given.of_facts([](std::size_t) { return true; }), scores_of(given.ranks));
  EXPECT_EQ(given.of_facts([](std::size_t) { return false; }), Scores());
}

TEST(Breakdown, AQuestionBelongsToTheEntityItIsAskedWith) {
  TemporalGraph data = random_dataset(1, false);
  data.facts[2] = {{3, 1, 4, 2}, {3, 1, 5, 2}};
  EvaluationScores given;
  given.ranks = {{0, 0}, {1, 0}, {3, 0}, {9, 0}};  // ranks 1, 2, 4, 10
  const auto entities = breakdown(data, given, By::entity);
  ASSERT_EQ(entities.size(), 3U);
  EXPECT_EQ(entities[0].name, "e03");
  EXPECT_DOUBLE_EQ(entities[0].scores.mrr, (1 + 0.25) / 2);
  EXPECT_EQ(entities[1].name, "e04");
  EXPECT_DOUBLE_EQ(entities[1].scores.mrr, 0.5);
  EXPECT_EQ(entities[2].name, "e05");
  EXPECT_DOUBLE_EQ(entities[2].scores.mrr, 0.1);
  const auto relations = breakdown(data, given, By::relation);
  ASSERT_EQ(relations.size(), 1U);
  EXPECT_EQ(relations[0].name, "r01");
  EXPECT_EQ(relations[0].scores.queries, 4U);
}

TEST(Breakdown, AnIntervalBelongsToItsStartOrElseToItsEnd) {
  TemporalGraph data = random_dataset(1, true);
  data.times.moments = {{1, 5}, {2, Moment::unknown}, {Moment::unknown, 4}};
  data.facts[0].clear();
  data.facts[1].clear();
  data.facts[2] = {{0, 0, 1, 0}, {0, 0, 1, 1}, {0, 0, 1, 2}};
  std::vector<std::string> names;
  for (const auto& row : breakdown(data, judged(data), By::time)) {
    names.push_back(row.name);
    EXPECT_EQ(row.scores.queries, 2U);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"1", "2", "4"}));
}

TEST(Breakdown, AJudgementOfOtherFactsIsRefused) {
  const TemporalGraph data = random_dataset(1, false);
  EvaluationScores other = judged(data);
  other.ranks.pop_back();
  EXPECT_THROW(breakdown(data, other, By::relation), Error);
}

TEST(Breakdown, WaysHaveNames) {
  for (const By by : all_breakdowns) EXPECT_EQ(by_named(name_of(by)), by);
  EXPECT_THROW(by_named("weather"), Error);
}

}  // namespace
}  // namespace orrery
