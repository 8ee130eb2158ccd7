#include "data/examples.h"

namespace orrery {

QueryPair queries_of(const TemporalGraph& data, const Fact& fact, Direction direction) {
  const RelationIds ids = data.relation_ids();
  const bool reciprocal = direction == Direction::subject;
  const std::int32_t from = reciprocal ? fact.object : fact.subject;
  const Moment moment = data.times.moments.at(static_cast<std::size_t>(fact.when));
  const Query start{from, ids.id(fact.relation, reciprocal), moment.start};
  if (!data.times.intervals) return {start, start, false};
  const Query end{from, ids.id(fact.relation, reciprocal, true), moment.end};
  return {moment.start == Moment::unknown ? end : start,
          moment.end == Moment::unknown ? start : end, true};
}

std::vector<Example> examples_of(const TemporalGraph& data, Split split) {
  const auto& facts = data.split(split);
  std::vector<Example> examples;
  examples.reserve(facts.size() * (data.times.intervals ? 4 : 2));
  for (const Fact& fact : facts) {
    for (const Direction direction : {Direction::object, Direction::subject}) {
      const std::int32_t answer = direction == Direction::object ? fact.object : fact.subject;
      const QueryPair queries = queries_of(data, fact, direction);
      examples.push_back({queries.first, answer});
      if (queries.paired) examples.push_back({queries.second, answer});
    }
  }
  return examples;
}

}  // namespace orrery
