#include "data/pair_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {
namespace {

constexpr std::int32_t ann = 0, paris = 1, rome = 2, oslo = 3;

// Ann was in Paris at times 2 and 9, in Rome at 4.
const std::vector<KnownFact> visits = {
    {ann, 0, paris, 2, 2}, {ann, 0, paris, 9, 9}, {ann, 0, rome, 4, 4}};

std::vector<CandidateFeature> features_of(const PairHistory& history, const Query& query) {
  std::vector<CandidateFeature> features;
  history.append(query, features);
  return features;
}

TEST(PairHistory, NamesCandidatesThatAreKnownAtAnotherTime) {
  const PairHistory history(HistoryKind::relation, visits, {1, false}, 4);
  const std::vector<CandidateFeature> both = {{paris, 0}, {rome, 0}};
  EXPECT_EQ(features_of(history, {ann, 0, 7}), both);
  EXPECT_TRUE(features_of(history, {oslo, 0, 7}).empty());
}

// What train says of the very time of a question is its answer: a training example's own fact must
// not show.
TEST(PairHistory, LeavesOutWhatHoldsAtTheTimeOfTheQuestion) {
  const PairHistory history(HistoryKind::relation, visits, {1, false}, 4);
  EXPECT_EQ(features_of(history, {ann, 0, 4}), (std::vector<CandidateFeature>{{paris, 0}}));
  EXPECT_EQ(features_of(history, {ann, 0, 2}),
            (std::vector<CandidateFeature>{{paris, 0}, {rome, 0}}))
      << "Paris is known at time 9 as well";
}

TEST(PairHistory, AsksForSubjectsByTheReciprocalRelation) {
  const PairHistory history(HistoryKind::relation, visits, {1, false}, 4);
  EXPECT_EQ(features_of(history, {rome, 1, 7}), (std::vector<CandidateFeature>{{ann, 1}}));
  EXPECT_TRUE(features_of(history, {rome, 0, 7}).empty());
}

TEST(PairHistory, TellsGapsToTheNearestTimeApart) {
  const PairHistory history(HistoryKind::gap, visits, {1, false}, 4);
  const std::int32_t per_relation = features_per_relation(HistoryKind::gap);
  const auto bucket_of_paris = [&](std::int32_t time) {
    return features_of(history, {ann, 0, time}).front().weight;
  };
  EXPECT_EQ(bucket_of_paris(3), 0) << "one time away";
  EXPECT_EQ(bucket_of_paris(7), 1) << "two";
  EXPECT_EQ(bucket_of_paris(5), 1) << "three, and four to the other side";
  EXPECT_EQ(bucket_of_paris(13), 2) << "four";
  EXPECT_EQ(bucket_of_paris(40), 3) << "31";
  EXPECT_EQ(bucket_of_paris(41), 4) << "32";
  EXPECT_EQ(bucket_of_paris(137), 5) << "128";
  EXPECT_EQ(bucket_of_paris(100000), 5);
  EXPECT_EQ(features_of(history, {paris, 1, 3}),
            (std::vector<CandidateFeature>{{ann, per_relation}}));
}

TEST(PairHistory, EveryFeatureHasANameOfItsOwn) {
  for (const HistoryKind kind : {HistoryKind::none, HistoryKind::relation, HistoryKind::gap,
                                 HistoryKind::near, HistoryKind::lifetime}) {
    auto names = feature_names(kind);
    EXPECT_EQ(names.size(), static_cast<std::size_t>(features_per_relation(kind)));
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::unique(names).size(), 0U);
  }
  EXPECT_EQ(feature_names(HistoryKind::gap)[2], "known 4 to 7 times away");
  EXPECT_EQ(feature_names(HistoryKind::near)[7 + 3], "the same relation reversed, at that time");
}

TEST(PairHistory, WithLifetimesHasTheFeaturesOfNearAndOneColumnMore) {
  const PairHistory near(HistoryKind::near, visits, {1, false}, 4);
  const PairHistory lifetime(HistoryKind::lifetime, visits, {1, false}, 4);
  const std::int32_t width = features_per_relation(HistoryKind::lifetime);
  ASSERT_EQ(width, features_per_relation(HistoryKind::near) + 1);
  for (const Query& query : {Query{ann, 0, 3}, Query{paris, 1, 3}}) {
    auto wanted = features_of(near, query);
    for (CandidateFeature& feature : wanted) feature.weight += query.relation;
    EXPECT_EQ(features_of(lifetime, query), wanted);
  }
  std::vector<float> table(static_cast<std::size_t>(2 * width));
  const std::vector<float> column = {3, 4};
  set_lifetime_column(HistoryKind::lifetime, column, table);
  EXPECT_EQ(table.back(), 4);
  EXPECT_EQ(lifetime_column(HistoryKind::lifetime, table), column);
  EXPECT_TRUE(lifetime_column(HistoryKind::near, table).empty());
}

// Ann met Bo at time 5; at time 6 he praised her, and at 4 she wrote to him.
TEST(PairHistory, SeesOtherFactsOfAPairAroundTheTimeOfTheQuestion) {
  constexpr std::int32_t bo = 1, meets = 0, praises = 1, writes_to = 2;
  const std::vector<KnownFact> facts = {
      {ann, meets, bo, 5, 5}, {bo, praises, ann, 6, 6}, {ann, writes_to, bo, 4, 4}};
  const RelationIds relations{3, false};
  const PairHistory history(HistoryKind::near, facts, relations, 4);
  const auto names = feature_names(HistoryKind::near);
  const auto count = static_cast<std::int32_t>(names.size());
  std::vector<std::string> found;
  for (const CandidateFeature& feature : features_of(history, {ann, meets, 5})) {
    EXPECT_EQ(feature.entity, bo);
    EXPECT_EQ(feature.weight / count, meets);
    found.push_back(names[static_cast<std::size_t>(feature.weight % count)]);
  }
  EXPECT_EQ(found, (std::vector<std::string>{"another relation, 1 time before",
                                             "another relation, reversed, 1 time after"}))
      << "the fact that is asked for must not show";
  found.clear();
  for (const CandidateFeature& feature : features_of(history, {bo, relations.id(meets, true), 5}))
    found.push_back(names[static_cast<std::size_t>(feature.weight % count)]);
  EXPECT_EQ(found, (std::vector<std::string>{"another relation, 1 time before",
                                             "another relation, reversed, 1 time after"}))
      << "the same pair, asked from the other side";
  EXPECT_TRUE(features_of(history, {ann, praises, 20}).empty()) << "nothing is near";
}

// Both ends of an interval are its own fact.
TEST(PairHistory, AnIntervalsOtherEndIsNotNear) {
  const std::vector<KnownFact> jobs = {{ann, 0, paris, 5, 6}};
  const RelationIds relations{1, true};
  const PairHistory history(HistoryKind::near, jobs, relations, 4);
  EXPECT_TRUE(features_of(history, {ann, relations.id(0, false), 5}).empty());
  EXPECT_TRUE(features_of(history, {ann, relations.id(0, false, true), 6}).empty());
}

TEST(PairHistory, SpansCountFromTheirNearestEnd) {
  const std::vector<KnownFact> jobs = {{ann, 0, paris, 5, 9}};
  const PairHistory history(HistoryKind::gap, jobs, {1, false}, 4);
  EXPECT_TRUE(features_of(history, {ann, 0, 7}).empty()) << "it holds then";
  EXPECT_EQ(features_of(history, {ann, 0, 10}).front().weight, 0);
  EXPECT_EQ(features_of(history, {ann, 0, 1}).front().weight, 2);
}

TEST(PairHistory, KeepsStartsAndEndsApart) {
  const std::vector<KnownFact> jobs = {{ann, 0, paris, 5, 9}, {ann, 0, rome, Moment::unknown, 12}};
  const RelationIds relations{1, true};
  const PairHistory history(HistoryKind::relation, jobs, relations, 4);
  EXPECT_EQ(features_of(history, {ann, relations.id(0, false), 20}),
            (std::vector<CandidateFeature>{{paris, 0}}));
  const std::int32_t end = relations.id(0, false, true);
  EXPECT_EQ(features_of(history, {ann, end, 10}), (std::vector<CandidateFeature>{{paris, end}}));
  EXPECT_EQ(features_of(history, {ann, end, 20}),
            (std::vector<CandidateFeature>{{paris, end}, {rome, end}}));
}

// Who asks for a time, and names no fact, asks for what holds then.
TEST(PairHistory, WhatHoldsAtTheTimeOfAQuestionIsAskedWhicheverEndIsNear) {
  const std::vector<KnownFact> jobs = {{ann, 0, paris, 5, 9, 11}};
  const RelationIds relations{1, true};
  const PairHistory history(HistoryKind::relation, jobs, relations, 4);
  for (const bool end : {false, true}) {
    const std::int32_t relation = relations.id(0, false, end);
    for (const std::int32_t time : {5, 7, 9})
      EXPECT_TRUE(features_of(history, {ann, relation, time}).empty()) << time;
    for (const std::int32_t time : {4, 10})
      EXPECT_EQ(features_of(history, {ann, relation, time}).size(), 1U) << time;
  }
  // Another fact, which has dates of its own, may hold meanwhile.
  EXPECT_EQ(features_of(history, {ann, 0, 7, 12}).size(), 1U);
}

TEST(PairHistory, WhatHasNoEndHoldsAtAllLaterTimes) {
  const std::vector<KnownFact> jobs = {{ann, 0, paris, 5, Moment::unknown},
                                       {ann, 0, rome, Moment::unknown, 3}};
  const PairHistory history(HistoryKind::gap, jobs, {1, false}, 4);
  EXPECT_EQ(features_of(history, {ann, 0, 1000}).front().entity, rome);
  EXPECT_EQ(features_of(history, {ann, 0, 1000}).size(), 1U);
  EXPECT_EQ(features_of(history, {ann, 0, 0}), (std::vector<CandidateFeature>{{paris, 2}}));
}

TEST(PairHistory, WhatBelongsToOtherFactsIsNotCarriedOver) {
  const auto width = static_cast<std::size_t>(features_per_relation(HistoryKind::lifetime));
  const auto names = feature_names(HistoryKind::lifetime);
  std::vector<float> table(2 * width, 1.0F);
  keep_what_carries_over(HistoryKind::lifetime, table);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string& name = names[i % width];
    const bool of_these_facts = name.starts_with("companion") || i % width + 1 == width;
    EXPECT_EQ(table[i], of_these_facts ? 0 : 1) << name;
  }
  std::vector<float> gaps(7, 1.0F);
  keep_what_carries_over(HistoryKind::gap, gaps);
  EXPECT_EQ(gaps, std::vector<float>(7, 1.0F));
}

// Two marriages in one time row: that of the question is left out, the other one shows.
TEST(PairHistory, TellsFactsOfOneTimeRowApartByTheirDates) {
  constexpr std::int32_t may = 11, june = 12;
  const std::vector<KnownFact> facts = {{ann, 0, paris, 5, Moment::unknown, may},
                                        {ann, 0, rome, 5, Moment::unknown, june},
                                        {ann, 0, oslo, 7, Moment::unknown, june}};
  const RelationIds relations{1, true};
  const PairHistory history(HistoryKind::gap, facts, relations, 4);
  const auto names = feature_names(HistoryKind::gap);
  const auto found = [&](std::int32_t dates) {
    std::vector<std::pair<std::int32_t, std::string>> features;
    for (const CandidateFeature& feature : features_of(history, {ann, 0, 5, dates}))
      features.emplace_back(feature.entity, names.at(static_cast<std::size_t>(feature.weight)));
    return features;
  };
  using Features = std::vector<std::pair<std::int32_t, std::string>>;
  const std::pair<std::int32_t, std::string> far = {oslo, "known 2 to 3 times away"};
  const std::string other = "known at that time, by other dates";
  EXPECT_EQ(found(may), (Features{{rome, other}, far}));
  EXPECT_EQ(found(june), (Features{{paris, other}, far}));
  EXPECT_EQ(found(99), (Features{{paris, other}, {rome, other}, far}));
  EXPECT_EQ(found(0), (Features{far})) << "a question of a row, not of a fact";
}

// A fact of an entity and itself has the same two in both directions.
TEST(PairHistory, ALoopDoesNotSeeItself) {
  const std::vector<KnownFact> loops = {{ann, 0, ann, 5, 5}};
  const RelationIds relations{1, false};
  const PairHistory history(HistoryKind::near, loops, relations, 4);
  EXPECT_TRUE(features_of(history, {ann, 0, 5}).empty());
  EXPECT_TRUE(features_of(history, {ann, relations.id(0, true), 5}).empty());
  EXPECT_FALSE(features_of(history, {ann, 0, 6}).empty()) << "it is known another time";
}

TEST(PairHistory, ALoopThatIsReadByItsEndsDoesNotSeeItselfEither) {
  const std::vector<KnownFact> facts = {{ann, 0, ann, 1, 3, 11}};
  const RelationIds relations{1, true};
  const PairHistory history(HistoryKind::near, facts, relations, 4);
  for (const bool reciprocal : {false, true})
    for (const bool end : {false, true})
      EXPECT_TRUE(
          features_of(history, {ann, relations.id(0, reciprocal, end), end ? 3 : 1, 11}).empty());
}

TEST(PairHistory, KnowsTheDatesOfFactsThatAreReadByTheirEnds) {
  TemporalGraph data;
  data.times.intervals = true;
  data.times.rows = {{0, 9, "0..9"}};
  data.times.moments = {{0, 0}, {0, 0}};
  data.times.moment_names = {"3\t4", "3\t5"};
  data.facts[static_cast<int>(Split::train)] = {{ann, 0, paris, 0}, {ann, 0, rome, 1}};
  const auto known = known_facts(data);
  ASSERT_EQ(known.size(), 2U);
  EXPECT_NE(known[0].dates, known[1].dates);
  EXPECT_EQ(known[0].dates, data.dates_key(data.split(Split::train)[0]));
}

TEST(PairHistory, DatesAreWhatTheyMeanAndNotHowTheyAreSpelled) {
  TemporalGraph data;
  data.times.intervals = true;
  data.times.rows = {{0, 9, "0..9"}};
  data.times.moments.resize(4);
  data.times.moment_names = {"1952-##-##\t1960", "1952\t1960-##-##", "1952\t1960-01", "1952\t"};
  const auto key = [&](std::int32_t when) { return data.dates_key({ann, 0, paris, when}); };
  EXPECT_EQ(key(0), key(1));
  EXPECT_NE(key(0), key(2)) << "January is less than the year";
  EXPECT_NE(key(0), key(3));
}

TEST(PairHistory, IsMadeOfTrainAlone) {
  TemporalGraph data;
  data.times.rows = {{0, 0, "0"}, {1, 1, "1"}, {2, 2, "2"}};
  data.times.moments = {{0, 0}, {1, 1}, {2, 2}};
  data.facts[static_cast<int>(Split::train)] = {{ann, 0, paris, 1}, {ann, 0, paris, 1}};
  data.facts[static_cast<int>(Split::valid)] = {{ann, 0, rome, 2}};
  data.facts[static_cast<int>(Split::test)] = {{ann, 0, oslo, 0}};
  EXPECT_EQ(known_facts(data), (std::vector<KnownFact>{{ann, 0, paris, 1, 1}}));
}

}  // namespace
}  // namespace orrery
