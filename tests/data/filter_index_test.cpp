#include "data/filter_index.h"

#include <gtest/gtest.h>

#include <set>

#include "data/random_graph.h"
#include "data/within_graph.h"

namespace orrery {
namespace {

// The slow truth: look at every fact.
std::vector<std::int32_t> brute_force(const TemporalGraph& data, const Fact& asked,
                                      Direction direction) {
  std::set<std::int32_t> answers;
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      if (fact.relation != asked.relation || fact.when != asked.when) continue;
      if (direction == Direction::object && fact.subject == asked.subject) {
        answers.insert(fact.object);
      }
      if (direction == Direction::subject && fact.object == asked.object) {
        answers.insert(fact.subject);
      }
    }
  }
  return {answers.begin(), answers.end()};
}

TEST(FilterIndex, AgreesWithBruteForceOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const TemporalGraph data = testing::random_graph(seed, seed % 2 == 1, seed < 4 ? 40 : 600);
    const FilterIndex index(data);
    for (const Split split : all_splits) {
      for (const Fact& fact : data.split(split)) {
        for (const Direction direction : {Direction::object, Direction::subject}) {
          const auto known = index.known_answers(fact, direction);
          ASSERT_EQ(std::vector(known.begin(), known.end()), brute_force(data, fact, direction));
        }
      }
    }
  }
}

TEST(FilterIndex, WhatNoFactAsksHasNoAnswer) {
  TemporalGraph data = testing::random_graph(1, false, 0);
  EXPECT_TRUE(FilterIndex(data).known_answers({0, 0, 1, 0}, Direction::object).empty());
  data.facts[0] = {{0, 0, 1, 0}};
  const FilterIndex index(data);
  EXPECT_EQ(index.known_answers({0, 0, 5, 0}, Direction::object).size(), 1U);
  EXPECT_TRUE(index.known_answers({0, 0, 5, 0}, Direction::subject).empty());
  EXPECT_TRUE(index.known_answers({0, 0, 1, 1}, Direction::object).empty());
  EXPECT_TRUE(index.known_answers({0, 1, 1, 0}, Direction::object).empty());
  EXPECT_TRUE(index.known_answers({1, 0, 0, 0}, Direction::object).empty());
}

TEST(FilterIndex, WithinKnowsWhatHoldsAtATime) {
  std::string lines[3];
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint32_t start = 1900 + random_below(1, i, 30), length = random_below(2, i, 20);
    lines[i % 3] +=
        fmt::format("e{}\tr{}\te{}\t{}\t{}\n", random_below(3, i, 6), random_below(4, i, 2),
                    random_below(5, i, 6), i % 7 == 0 ? "" : std::to_string(start),
                    i % 5 == 0 ? "2000" : std::to_string(start + length));
  }
  const TemporalGraph data = testing::within_graph(lines[0], lines[1], lines[2]);
  const FilterIndex index(data);
  for (const Fact& asked : data.split(Split::test)) {
    for (TimePoint year = 1895; year < 1960; year += 3) {
      for (const Direction direction : {Direction::object, Direction::subject}) {
        std::set<std::int32_t> wanted;
        for (const Split split : all_splits)
          for (const Fact& fact : data.split(split)) {
            const bool object = direction == Direction::object;
            if (fact.relation == asked.relation &&
                (object ? fact.subject == asked.subject : fact.object == asked.object) &&
                data.times.spans[static_cast<std::size_t>(fact.when)].holds(year))
              wanted.insert(object ? fact.object : fact.subject);
          }
        std::vector<std::int32_t> found = {-1};
        index.append_answers_at(year, asked, direction, found);
        ASSERT_EQ(std::vector(found.begin() + 1, found.end()),
                  std::vector(wanted.begin(), wanted.end()));
      }
    }
  }
}

}  // namespace
}  // namespace orrery
