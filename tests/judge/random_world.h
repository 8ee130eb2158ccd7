// Small random graphs with many shared answers, and a ranker so plain that it can be believed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "data/temporal_graph.h"
#include "engine/ranking.h"

namespace orrery::testing_world {

// Names "e00", "e01", … sort as their numbers.
inline Vocabulary numbered_names(char letter, int size) {
  std::vector<std::string> names;
  for (int i = 0; i < size; ++i) names.push_back(letter + fmt::format("{:02}", i));
  return Vocabulary(std::move(names));
}

// Few entities and many facts, so that most questions have several answers; half of the facts come
// from a quarter of the names, so that some names stay out of train. Splits share no fact.
inline TemporalGraph random_dataset(std::uint64_t seed, bool intervals) {
  TemporalGraph data;
  data.entities = numbered_names('e', 14);
  data.relations = numbered_names('r', 4);
  data.times.intervals = intervals;
  data.times.granularity = Granularity::year;
  std::uint64_t draws = 0;
  const auto below = [&](std::int32_t bound) {
    return static_cast<std::int32_t>(
        random_below(seed, draws++, static_cast<std::uint32_t>(bound)));
  };
  for (TimePoint year = 0; year < 6; ++year) {
    data.times.rows.push_back({year, year, std::to_string(year)});
    if (!intervals) {
      const auto row = static_cast<std::int32_t>(year);
      data.times.moments.push_back({row, row});
      data.times.moment_names.push_back(std::to_string(year));
    }
  }
  // Different texts of one class: their rows are the same, their filter keys are not.
  for (int i = 0; intervals && i < 9; ++i) {
    const std::int32_t start = below(6);
    Moment moment{start, start + below(6 - start)};
    if (i % 4 == 1) moment.end = Moment::unknown;
    if (i % 4 == 2) moment.start = Moment::unknown;
    data.times.moments.push_back(moment);
    data.times.moment_names.push_back(fmt::format("{}\t{}", moment.start, moment.end));
  }
  const auto skewed = [&](std::int32_t bound) {
    return below(2) == 0 ? below(bound) : below(std::max(1, bound / 4));
  };
  std::set<Fact> facts;
  while (facts.size() < 120) {
    const auto moments = static_cast<std::int32_t>(data.times.moments.size());
    facts.insert(Fact{skewed(14), skewed(4), skewed(14), skewed(moments)});
  }
  std::vector<Fact> shuffled(facts.begin(), facts.end());
  for (std::size_t i = shuffled.size(); i > 1; --i) {
    std::swap(shuffled[i - 1], shuffled[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  }
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    data.facts[i < 50 ? 0 : i < 80 ? 1 : 2].push_back(shuffled[i]);
  }
  return data;
}

// Whole numbers from 0 to 3: ties abound and sums are exact.
inline float tied_score(const Query& query, std::int32_t entity) {
  const std::uint64_t key = mix(mix(static_cast<std::uint64_t>(query.subject)) ^
                                mix(static_cast<std::uint64_t>(query.relation) << 20U) ^
                                mix(static_cast<std::uint64_t>(query.time) << 40U));
  return static_cast<float>(random_below(key, static_cast<std::uint64_t>(entity), 4));
}

class PlainRanker : public Ranker {
 public:
  explicit PlainRanker(std::int32_t entities) : entities_(entities) {}

  std::int32_t poisoned_entity = -1;  // its score is NaN
  std::vector<std::size_t> batches;   // the sizes in which questions came

  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override {
    batches.push_back(questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const RankQuestion& question = questions[i];
      const float target = score(question, question.target);
      counts[i] = {};
      for (std::int32_t entity = 0; entity < entities_; ++entity) {
        const float other = score(question, entity);
        if (!std::isfinite(other)) fail_broken("the score of entity {} is not finite", entity);
        if (std::binary_search(question.known.begin(), question.known.end(), entity)) continue;
        counts[i].higher += other > target;
        counts[i].equal += other == target;
      }
    }
  }

 private:
  float score(const RankQuestion& question, std::int32_t entity) const {
    if (entity == poisoned_entity) return std::numeric_limits<float>::quiet_NaN();
    const QueryPair& queries = question.queries;
    return tied_score(queries.first, entity) +
           (queries.paired ? tied_score(queries.second, entity) : 0.0F);
  }

  std::int32_t entities_;
};

}  // namespace orrery::testing_world
