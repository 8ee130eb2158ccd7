#include "data/examples.h"

#include <algorithm>
#include <tuple>

namespace orrery {
namespace {

std::int32_t asked_with(const Fact& fact, Direction direction) {
  return direction == Direction::object ? fact.subject : fact.object;
}

std::int32_t answer_of(const Fact& fact, Direction direction) {
  return direction == Direction::object ? fact.object : fact.subject;
}

Query query_at(const TemporalGraph& data, const Fact& fact, Direction direction,
               std::int32_t time) {
  return {asked_with(fact, direction),
          data.relation_ids().id(fact.relation, direction == Direction::subject), time,
          data.dates_key(fact)};
}

// Neither lines nor dates that share a row decide it.
auto by_ids(const Example& example) {
  const Query& query = example.query;
  return std::tuple(query.subject, query.relation, query.time, example.object, query.dates);
}

}  // namespace

std::int64_t examples_per_fact(const TemporalGraph& data) { return data.times.intervals ? 4 : 2; }

QueryPair queries_of(const TemporalGraph& data, const Fact& fact, Direction direction) {
  if (data.times.within) {
    const std::int32_t row = data.times.nearest_row_to(asked_point(data, fact));
    const Query query = query_at(data, fact, direction, row);
    return {query, query, false};
  }
  const Moment moment = data.times.moments.at(static_cast<std::size_t>(fact.when));
  const Query start = query_at(data, fact, direction, moment.start);
  if (!data.times.intervals) return {start, start, false};
  const bool reciprocal = direction == Direction::subject;
  const Query end{start.subject, data.relation_ids().id(fact.relation, reciprocal, true),
                  moment.end, start.dates};
  return {moment.start == Moment::unknown ? end : start,
          moment.end == Moment::unknown ? start : end, true};
}

std::vector<Example> examples_of(const TemporalGraph& data, std::span<const Fact> facts,
                                 const Draw& draw) {
  std::vector<Example> examples;
  examples.reserve(facts.size() * static_cast<std::size_t>(examples_per_fact(data)));
  for (const Fact& fact : facts) {
    for (const Direction direction : {Direction::object, Direction::subject}) {
      const std::int32_t answer = answer_of(fact, direction);
      if (data.times.within) {
        for (const std::int32_t row : drawn_rows(data, fact, direction, draw))
          examples.push_back({query_at(data, fact, direction, row), answer});
        continue;
      }
      const QueryPair queries = queries_of(data, fact, direction);
      examples.push_back({queries.first, answer});
      if (queries.paired) examples.push_back({queries.second, answer});
    }
  }
  return examples;
}

TrainingExamples::TrainingExamples(const TemporalGraph& data, std::uint64_t seed)
    : data_(data), seed_(seed) {
  if (!differ_by_epoch()) return;
  sorted_ = data.split(Split::train);
  std::ranges::sort(sorted_);
}

std::int64_t TrainingExamples::size() const {
  return static_cast<std::int64_t>(data_.split(Split::train).size()) * examples_per_fact(data_);
}

std::vector<Example> TrainingExamples::of_epoch(std::int64_t epoch) const {
  if (differ_by_epoch()) return examples_of(data_, sorted_, {seed_, epoch});
  auto examples = examples_of(data_, data_.split(Split::train));
  std::ranges::sort(examples, {}, by_ids);
  return examples;
}

}  // namespace orrery
