#include "serve/related_facts.h"

#include <algorithm>
#include <tuple>

namespace orrery {
namespace {

bool is_same(const Fact& fact, const AskedFact& asked) {
  return fact.subject == asked.subject && fact.relation == asked.relation &&
         fact.object == asked.object;
}

// How many rows lie between a fact and a time; 0: it holds then.
std::int32_t rows_between(const TemporalGraph& data, const Fact& fact, const AskedFact& asked) {
  if (!asked.timed) return 0;
  const Moment rows = data.times.rows_of(fact);
  if (asked.time < rows.start) return rows.start - asked.time;
  return std::max(0, asked.time - rows.end);
}

// Of a fact that shares an entity.
Link link_of(const Fact& fact, const AskedFact& asked, std::int32_t distance) {
  if (fact.subject == asked.subject && fact.object == asked.object)
    return fact.relation == asked.relation && distance == 0 ? Link::fact : Link::pair;
  if (fact.subject == asked.object && fact.object == asked.subject) return Link::inverse;
  const bool same_relation = fact.relation == asked.relation;
  if (same_relation && fact.subject == asked.subject) return Link::subject_relation;
  if (same_relation && fact.object == asked.object) return Link::object_relation;
  return fact.subject == asked.subject || fact.object == asked.subject ? Link::subject
                                                                       : Link::object;
}

// The same two entities, the same relation, anything else.
int nearness(Link link) {
  if (link <= Link::inverse) return 0;
  return link <= Link::object_relation ? 1 : 2;
}

bool is_nearer(const RelatedFact& a, const RelatedFact& b) {
  return std::tuple(nearness(a.link), a.distance, a.fact) <
         std::tuple(nearness(b.link), b.distance, b.fact);
}

}  // namespace

std::optional<KnownFactOf> find_fact(const TemporalGraph& data, const AskedFact& asked) {
  std::optional<KnownFactOf> found;
  std::int32_t nearest = 0;
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split)) {
      if (!is_same(fact, asked)) continue;
      const std::int32_t distance = rows_between(data, fact, asked);
      if (found && distance >= nearest) continue;
      nearest = distance;
      const Moment rows = data.times.rows_of(fact);
      const std::int32_t row = std::clamp(asked.time, rows.start, rows.end);
      found = {split, distance == 0, data.times.rows[static_cast<std::size_t>(row)].label};
    }
  return found;
}

std::vector<std::int32_t> known_answers(const TemporalGraph& data, const AskedFact& asked,
                                        Direction direction) {
  std::vector<std::int32_t> answers;
  const bool object = direction == Direction::object;
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split))
      if (fact.relation == asked.relation &&
          (object ? fact.subject : fact.object) == asked.given(direction) &&
          rows_between(data, fact, asked) == 0)
        answers.push_back(object ? fact.object : fact.subject);
  std::ranges::sort(answers);
  answers.erase(std::unique(answers.begin(), answers.end()), answers.end());
  return answers;
}

RelatedFacts related_facts(const TemporalGraph& data, const AskedFact& asked,
                           const ExplainOptions& options) {
  RelatedFacts found;
  const Link loosest = options.any_link ? Link::object : Link::object_relation;
  for (const Fact& fact : data.split(Split::train)) {
    const bool shares = fact.subject == asked.subject || fact.subject == asked.object ||
                        fact.object == asked.subject || fact.object == asked.object;
    if (!shares) continue;
    const std::int32_t distance = rows_between(data, fact, asked);
    const Link link = link_of(fact, asked, distance);
    if (link > loosest) continue;
    const Moment rows = data.times.has_ends()
                            ? data.times.moments.at(static_cast<std::size_t>(fact.when))
                            : data.times.rows_of(fact);
    found.nearest.push_back({fact, link, rows, distance});
  }
  std::ranges::sort(found.nearest, is_nearer);
  const auto twice = std::ranges::unique(found.nearest, {}, &RelatedFact::fact);
  found.nearest.erase(twice.begin(), twice.end());
  found.all = found.nearest.size();
  if (found.nearest.size() > options.most_facts) found.nearest.resize(options.most_facts);
  return found;
}

}  // namespace orrery
