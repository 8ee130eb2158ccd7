#include "judge/calibration_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "base/random.h"
#include "data/filter_index.h"
#include "judge/questions.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

constexpr std::uint64_t draw_key = 0x63616c6962726174;
constexpr std::size_t queries_per_pair = 3;  // of a fact and its false one
constexpr std::uint64_t most_draws = 64;

TemporalGraph only(const TemporalGraph& data, const std::vector<Split>& splits) {
  TemporalGraph graph = data;
  for (const Split split : all_splits)
    if (std::ranges::find(splits, split) == splits.end())
      graph.facts[static_cast<std::size_t>(split)].clear();
  return graph;
}

std::vector<Split> splits_before(Split split) {
  std::vector<Split> before;
  for (const Split one : all_splits)
    if (one < split) before.push_back(one);
  return before;
}

// In the split's order.
std::vector<std::size_t> drawn_places(std::size_t size, std::size_t most) {
  const RandomPermutation shuffled(size, draw_key);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < std::min(size, most); ++i)
    places.push_back(static_cast<std::size_t>(shuffled(i)));
  std::ranges::sort(places);
  return places;
}

bool holds(std::span<const std::int32_t> sorted, std::int32_t entity) {
  return std::ranges::binary_search(sorted, entity);
}

// A fact with one side replaced, asked at the time of the fact.
struct FalseFact {
  Direction replaced = Direction::object;
  std::int32_t entity = 0;
};

class PointCollector {
 public:
  PointCollector(Asker& asker, const TemporalGraph& data, Split split)
      : asker_(asker),
        own_data_(only(data, {split})),
        own_(own_data_),
        earlier_(only(data, splits_before(split))),
        entities_(static_cast<std::size_t>(data.entities.size())) {}

  void collect(std::span<const Fact> facts, std::span<const std::size_t> places) {
    const std::size_t at_once = questions_in_hand(queries_per_pair * entities_);
    std::vector<Fact> some;
    for (std::size_t begin = 0; begin < places.size(); begin += at_once) {
      some.clear();
      const auto these = places.subspan(begin, std::min(at_once, places.size() - begin));
      for (const std::size_t place : these) some.push_back(facts[place]);
      collect_some(some, these);
    }
    points_.asked = places.size();
  }

  CalibrationPoints take() { return std::move(points_); }

 private:
  void collect_some(std::span<const Fact> facts, std::span<const std::size_t> places) {
    const AskedQuestions truths = questions_of(own_data_, own_, facts),
                         known = questions_of(own_data_, earlier_, facts);
    std::vector<QueryPair> queries = queries_of(truths.questions);
    std::vector<std::optional<FalseFact>> drawn;
    std::vector<std::vector<std::int32_t>> others;  // known answers to the last of three queries
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const std::size_t first = i * queries_per_fact;
      drawn.push_back(draw(places[i], std::span(truths.questions).subspan(first),
                           std::span(known.questions).subspan(first)));
      const QueryPair other = other_side(std::span(queries).subspan(first), drawn.back());
      queries.push_back(other);
      others.push_back(known_of_other_side(facts[i], drawn.back()));
    }
    scores_.resize(queries.size() * entities_);
    asker_.score(queries, scores_);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const std::size_t first = i * queries_per_fact;
      const std::array rows = {row(first, known.questions[first].known),
                               row(first + 1, known.questions[first + 1].known),
                               row(facts.size() * queries_per_fact + i, others[i])};
      for (std::size_t side = 0; side < queries_per_fact; ++side)
        add_answers(rows[side], truths.questions[first + side].known, direction_of_question(side));
      if (drawn[i]) add_facts(facts[i], *drawn[i], rows);
    }
  }

  ScoreRow row(std::size_t i, std::span<const std::int32_t> known) {
    const ScoreRow scored(std::span<const float>(scores_).subspan(i * entities_, entities_), known);
    points_.finite = points_.finite && scored.finite();
    return scored;
  }

  // Nothing: nearly all entities are known to be true.
  std::optional<FalseFact> draw(std::size_t place, std::span<const RankQuestion> truths,
                                std::span<const RankQuestion> known) const {
    const std::uint64_t key = random_bits(draw_key, place);
    const std::size_t side = random_below(key, 0, queries_per_fact);
    for (std::uint64_t i = 1; i <= most_draws; ++i) {
      const auto entity =
          static_cast<std::int32_t>(random_below(key, i, static_cast<std::uint32_t>(entities_)));
      if (!holds(truths[side].known, entity) && !holds(known[side].known, entity))
        return FalseFact{direction_of_question(side), entity};
    }
    return {};
  }

  // With the replaced side given; the question for it is the fact's own.
  static QueryPair other_side(std::span<const QueryPair> queries,
                              const std::optional<FalseFact>& drawn) {
    if (!drawn) return queries[0];
    QueryPair asked = queries[drawn->replaced == Direction::object ? 1 : 0];
    asked.first.subject = asked.second.subject = drawn->entity;
    return asked;
  }

  std::vector<std::int32_t> known_of_other_side(Fact fact,
                                                const std::optional<FalseFact>& drawn) const {
    if (!drawn) return {};
    const bool object = drawn->replaced == Direction::object;
    const TimePoint point = own_data_.times.within ? asked_point(own_data_, fact) : 0;
    (object ? fact.object : fact.subject) = drawn->entity;
    const Direction asked = object ? Direction::subject : Direction::object;
    std::vector<std::int32_t> known;
    if (own_data_.times.within)
      earlier_.append_answers_at(point, fact, asked, known);
    else
      std::ranges::copy(earlier_.known_answers(fact, asked), std::back_inserter(known));
    return known;
  }

  void add_answers(const ScoreRow& row, std::span<const std::int32_t> truths, Direction asked) {
    const auto best = row.best(calibrated_answers);
    for (const ScoredEntity& one : best)
      points_.answers.push_back(
          {asked, &one == best.data(), holds(truths, one.entity), row.log_probability(one.entity)});
  }

  void add_facts(const Fact& fact, const FalseFact& drawn,
                 const std::array<ScoreRow, queries_per_pair>& rows) {
    points_.facts.push_back(
        {true, rows[0].log_probability(fact.object), rows[1].log_probability(fact.subject)});
    points_.facts.push_back(drawn.replaced == Direction::object
                                ? FactPoint{false, rows[0].log_probability(drawn.entity),
                                            rows[2].log_probability(fact.subject)}
                                : FactPoint{false, rows[2].log_probability(fact.object),
                                            rows[1].log_probability(drawn.entity)});
  }

  Asker& asker_;
  TemporalGraph own_data_;
  FilterIndex own_, earlier_;
  std::size_t entities_;
  std::vector<float> scores_;
  CalibrationPoints points_;
};

}  // namespace

CalibrationPoints calibration_points(Asker& asker, const TemporalGraph& data, Split split,
                                     std::size_t most) {
  const std::span<const Fact> facts = data.split(split);
  PointCollector collector(asker, data, split);
  collector.collect(facts, drawn_places(facts.size(), most));
  return collector.take();
}

}  // namespace orrery
