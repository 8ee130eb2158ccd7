#include "judge/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/caught.h"
#include "data/within_graph.h"
#include "judge/questions.h"
#include "judge/random_world.h"

namespace orrery {
namespace {

using testing_world::PlainRanker;
using testing_world::random_dataset;
using testing_world::tied_score;

// The slow truth, written from the protocol alone: it uses neither queries_of nor FilterIndex.
class BruteForce {
 public:
  explicit BruteForce(const TemporalGraph& data) : data_(data) {}

  RankCounts counts(const Fact& fact, Direction direction) const {
    const std::int32_t target = answer(fact, direction);
    const float target_score = score(fact, direction, target);
    RankCounts counts;
    for (std::int32_t entity = 0; entity < data_.entities.size(); ++entity) {
      if (entity == target || is_true(fact, direction, entity)) continue;
      const float other = score(fact, direction, entity);
      counts.higher += other > target_score;
      counts.equal += other == target_score;
    }
    return counts;
  }

 private:
  static std::int32_t answer(const Fact& fact, Direction direction) {
    return direction == Direction::object ? fact.object : fact.subject;
  }

  bool is_true(Fact fact, Direction direction, std::int32_t entity) const {
    (direction == Direction::object ? fact.object : fact.subject) = entity;
    for (const Split split : all_splits) {
      for (const Fact& other : data_.split(split)) {
        if (other == fact) return true;
      }
    }
    return false;
  }

  float score(const Fact& fact, Direction direction, std::int32_t entity) const {
    const std::int32_t given = direction == Direction::object ? fact.subject : fact.object;
    const std::int32_t relations = data_.relations.size();
    const Moment moment = data_.times.moments[static_cast<std::size_t>(fact.when)];
    const bool reverse = direction == Direction::subject;
    if (!data_.times.intervals) {
      return tied_score({given, fact.relation + (reverse ? relations : 0), moment.start}, entity);
    }
    const std::int32_t begins = fact.relation + (reverse ? 2 * relations : 0);
    const std::int32_t ends = begins + relations;
    if (moment.end == Moment::unknown) return 2 * tied_score({given, begins, moment.start}, entity);
    if (moment.start == Moment::unknown) return 2 * tied_score({given, ends, moment.end}, entity);
    return tied_score({given, begins, moment.start}, entity) +
           tied_score({given, ends, moment.end}, entity);
  }

  const TemporalGraph& data_;
};

TemporalGraph within_world() {
  std::string lines[3];
  for (std::uint64_t i = 0; i < 240; ++i) {
    const std::uint32_t start = 1900 + random_below(1, i, 40), length = random_below(2, i, 25);
    lines[i % 3] +=
        fmt::format("e{}\tr{}\te{}\t{}\t{}\n", random_below(3, i, 7), random_below(4, i, 2),
                    random_below(5, i, 7), i % 7 == 0 ? "" : std::to_string(start),
                    i % 5 == 0 ? "1990" : std::to_string(start + length));
  }
  return testing::within_graph(lines[0], lines[1], lines[2]);
}

TEST(Judge, AgreesWithBruteForceOnRandomGraphs) {
  std::uint64_t tied = 0, filtered = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TemporalGraph data = random_dataset(seed, seed % 2 == 1);
    const FilterIndex filter(data);
    const BruteForce truth(data);
    for (const Split split : all_splits) {
      PlainRanker ranker(data.entities.size());
      const EvaluationScores result = judge(ranker, data, filter, split);
      std::vector<RankCounts> both, objects, subjects;
      for (const Fact& fact : data.split(split)) {
        objects.push_back(truth.counts(fact, Direction::object));
        subjects.push_back(truth.counts(fact, Direction::subject));
        both.push_back(objects.back());
        both.push_back(subjects.back());
        filtered += filter.known_answers(fact, Direction::object).size() - 1;
      }
      for (const RankCounts& counts : both) tied += counts.equal > 0;
      ASSERT_EQ(result.ranks, both) << "seed " << seed;
      EXPECT_EQ(result.split, split);
      EXPECT_EQ(result.protocol, data.times.intervals ? Protocol::ends : Protocol::points);
      EXPECT_EQ(result.pessimistic, scores_of(both, Ties::pessimistic));
      EXPECT_EQ(result.realistic, scores_of(both, Ties::realistic));
      EXPECT_EQ(result.optimistic, scores_of(both, Ties::optimistic));
      EXPECT_EQ(result.object, scores_of(objects, Ties::pessimistic));
      EXPECT_EQ(result.subject, scores_of(subjects, Ties::pessimistic));
      EXPECT_LT(result.pessimistic.mrr, result.realistic.mrr);
      EXPECT_LT(result.realistic.mrr, result.optimistic.mrr);
    }
  }
  EXPECT_GT(tied, 5000U);  // the graphs do test what they are for
  EXPECT_GT(filtered, 500U);
}

TEST(Judge, BatchesDoNotChangeABit) {
  const TemporalGraph data = random_dataset(3, true);
  const FilterIndex filter(data);
  PlainRanker whole(data.entities.size());
  const EvaluationScores expected = judge(whole, data, filter, Split::test);
  EXPECT_EQ(whole.batches, std::vector<std::size_t>{80});
  for (const std::size_t batch : {0, 1, 2, 3, 14, 80, 1000}) {
    PlainRanker ranker(data.entities.size());
    std::vector<std::size_t> told;
    const auto progress = [&](std::size_t done, std::size_t total) {
      EXPECT_EQ(total, 80U);
      told.push_back(done);
    };
    const EvaluationScores result = judge(ranker, data, filter, Split::test, {batch, progress});
    EXPECT_EQ(result.ranks, expected.ranks);
    EXPECT_EQ(result.pessimistic, expected.pessimistic);
    EXPECT_EQ(result.unseen, expected.unseen);
    for (const std::size_t size : ranker.batches) EXPECT_LE(size, std::max<std::size_t>(2, batch));
    std::vector<std::size_t> sums(ranker.batches.size());
    std::partial_sum(ranker.batches.begin(), ranker.batches.end(), sums.begin());
    EXPECT_EQ(told, sums);
  }
}

TEST(Judge, OrderOfFactsDoesNotMatter) {
  TemporalGraph data = random_dataset(8, false);
  PlainRanker ranker(data.entities.size());
  const EvaluationScores forward = judge(ranker, data, FilterIndex(data), Split::test);
  for (auto& facts : data.facts) std::reverse(facts.begin(), facts.end());
  const EvaluationScores backward = judge(ranker, data, FilterIndex(data), Split::test);
  const std::size_t facts = data.split(Split::test).size();
  for (std::size_t i = 0; i < facts; ++i) {
    EXPECT_EQ(forward.ranks[2 * i], backward.ranks[2 * (facts - 1 - i)]);
    EXPECT_EQ(forward.ranks[2 * i + 1], backward.ranks[2 * (facts - 1 - i) + 1]);
  }
  EXPECT_NEAR(forward.pessimistic.mrr, backward.pessimistic.mrr, 1e-14);
  EXPECT_EQ(forward.pessimistic.hits3, backward.pessimistic.hits3);
  EXPECT_EQ(forward.unseen, backward.unseen);
}

TEST(Judge, AScoreThatIsNotFiniteIsAnErrorAndNoRank) {
  const TemporalGraph data = random_dataset(5, false);
  PlainRanker ranker(data.entities.size());
  ranker.poisoned_entity = 7;
  const Error error = caught([&] { judge(ranker, data, FilterIndex(data), Split::test); });
  EXPECT_NE(error.message().find("not finite"), std::string::npos) << error.what();
}

TEST(Judge, AnEmptySplitIsARequestError) {
  TemporalGraph data = random_dataset(5, false);
  data.facts[static_cast<int>(Split::valid)].clear();
  PlainRanker ranker(data.entities.size());
  const Error error = caught([&] { judge(ranker, data, FilterIndex(data), Split::valid); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.option(), "split");
  EXPECT_EQ(error.message(), "the valid split is empty");
}

TEST(Judge, CountsWhatTrainingNeverSaw) {
  TemporalGraph data = random_dataset(1, false);
  data.facts[0] = {{0, 0, 1, 0}, {1, 1, 2, 1}};
  data.facts[1] = {{5, 3, 6, 5}};  // validation facts are not seen by training
  data.facts[2] = {{0, 0, 2, 1},   // all seen
                   {0, 0, 5, 1},   // entity
                   {0, 3, 1, 0},   // relation
                   {0, 1, 1, 5},   // time
                   {5, 3, 6, 5}};  // everything
  PlainRanker ranker(data.entities.size());
  const EvaluationScores result = judge(ranker, data, FilterIndex(data), Split::test);
  EXPECT_EQ(result.unseen, (UnseenCounts{4, 4, 4, 8}));
}

// Relations that never ended in training have no trained end row, however often they began.
TEST(Judge, CountsUnseenEndsOfIntervals) {
  TemporalGraph data = random_dataset(1, true);
  data.times.moments = {{0, 1}, {0, Moment::unknown}, {Moment::unknown, 1}};
  data.facts[0] = {{0, 0, 1, 0}, {0, 1, 1, 1}};
  data.facts[1] = {};
  data.facts[2] = {{1, 0, 0, 2},   // relation 0 was seen to end
                   {1, 1, 0, 1},   // relation 1 was seen to begin
                   {1, 1, 0, 2}};  // but never to end
  PlainRanker ranker(data.entities.size());
  const EvaluationScores result = judge(ranker, data, FilterIndex(data), Split::test);
  EXPECT_EQ(result.unseen, (UnseenCounts{0, 2, 0, 2}));
}

TEST(Questions, ComeObjectFirstWithEveryKnownAnswer) {
  TemporalGraph data = random_dataset(1, false);
  data.facts[0] = {{0, 2, 9, 3}, {0, 2, 9, 4}};
  data.facts[1] = {{0, 2, 7, 3}};
  data.facts[2] = {{0, 2, 8, 3}, {4, 2, 8, 3}};
  const FilterIndex filter(data);
  const AskedQuestions asked = questions_of(data, filter, data.split(Split::test));
  const std::vector<RankQuestion>& questions = asked.questions;
  ASSERT_EQ(questions.size(), 4U);
  EXPECT_EQ(questions[0].queries.first, (Query{0, 2, 3}));
  EXPECT_EQ(questions[0].target, 8);
  EXPECT_EQ(std::vector(questions[0].known.begin(), questions[0].known.end()),
            (std::vector<std::int32_t>{7, 8, 9}));
  EXPECT_EQ(questions[1].queries.first, (Query{8, 2 + data.relations.size(), 3}));
  EXPECT_EQ(questions[1].target, 0);
  EXPECT_EQ(std::vector(questions[1].known.begin(), questions[1].known.end()),
            (std::vector<std::int32_t>{0, 4}));
  EXPECT_EQ(questions[2].target, 8);
  EXPECT_EQ(questions[3].target, 4);
}

// The protocol of facts that hold within, written from its words: one question a direction at the
// asked point, against all that does not hold then.
TEST(Judge, WithinAgreesWithBruteForce) {
  const TemporalGraph data = within_world();
  const FilterIndex filter(data);
  PlainRanker ranker(data.entities.size());
  JudgeOptions options;
  options.batch = 14;
  const EvaluationScores result = judge(ranker, data, filter, Split::test, options);
  EXPECT_EQ(result.protocol, Protocol::within);
  std::size_t question = 0, filtered = 0;
  for (const Fact& fact : data.split(Split::test)) {
    const TimePoint when = asked_point(data, fact);
    for (const bool object : {true, false}) {
      std::set<std::int32_t> true_then;
      for (const Split split : all_splits)
        for (const Fact& other : data.split(split))
          if (other.relation == fact.relation &&
              data.times.spans[static_cast<std::size_t>(other.when)].holds(when) &&
              (object ? other.subject == fact.subject : other.object == fact.object))
            true_then.insert(object ? other.object : other.subject);
      const Query query{object ? fact.subject : fact.object,
                        fact.relation + (object ? 0 : data.relations.size()),
                        data.times.nearest_row_to(when)};
      const float target = tied_score(query, object ? fact.object : fact.subject);
      RankCounts counts;
      for (std::int32_t entity = 0; entity < data.entities.size(); ++entity) {
        if (true_then.contains(entity)) continue;
        counts.higher += tied_score(query, entity) > target;
        counts.equal += tied_score(query, entity) == target;
      }
      filtered += true_then.size() - 1;
      ASSERT_EQ(result.ranks[question++], counts);
    }
  }
  EXPECT_EQ(question, result.ranks.size());
  EXPECT_GT(filtered, 50U);
}

TEST(Judge, WithinEveryTimeInWhichATrainingFactHoldsWasSeen) {
  const TemporalGraph data =
      testing::within_graph("a\tr\tb\t1900\t1990\nb\tr\tc\t1950\t1951\n", "a\tr\tc\t1940\t1949\n");
  PlainRanker ranker(data.entities.size());
  EXPECT_EQ(judge(ranker, data, FilterIndex(data), Split::test).unseen, UnseenCounts());
}

}  // namespace
}  // namespace orrery
