#include "data/examples.h"

namespace orrery {

QueryPair queries_of(const TemporalGraph& data, const Fact& fact, Direction direction) {
  const std::int32_t relations = data.relations.size();
  const bool reciprocal = direction == Direction::subject;
  const std::int32_t from = reciprocal ? fact.object : fact.subject;
  const Moment moment = data.times.moments.at(static_cast<std::size_t>(fact.when));
  if (!data.times.intervals) {
    const Query query{from, fact.relation + (reciprocal ? relations : 0), moment.start};
    return {query, query, false};
  }
  // Relation rows: start, end, and the reciprocals of both.
  const std::int32_t at_start = fact.relation + (reciprocal ? 2 * relations : 0);
  const Query start{from, at_start, moment.start};
  const Query end{from, at_start + relations, moment.end};
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
