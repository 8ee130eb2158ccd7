#include "judge/breakdown.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "judge/questions.h"

namespace orrery {
namespace {

constexpr BreakdownBy all_breakdowns[] = {BreakdownBy::relation, BreakdownBy::entity,
                                          BreakdownBy::time};

std::size_t group_count(const TemporalGraph& data, BreakdownBy by) {
  switch (by) {
    case BreakdownBy::relation:
      return static_cast<std::size_t>(data.relations.size());
    case BreakdownBy::entity:
      return static_cast<std::size_t>(data.entities.size());
    default:
      return data.times.rows.size();
  }
}

std::int32_t group_of(const TemporalGraph& data, const Fact& fact, Direction direction,
                      BreakdownBy by) {
  switch (by) {
    case BreakdownBy::relation:
      return fact.relation;
    case BreakdownBy::entity:
      return direction == Direction::object ? fact.subject : fact.object;
    default:
      return queries_of(data, fact, direction).first.time;
  }
}

const std::string& group_name(const TemporalGraph& data, std::int32_t group, BreakdownBy by) {
  switch (by) {
    case BreakdownBy::relation:
      return data.relations.name(group);
    case BreakdownBy::entity:
      return data.entities.name(group);
    default:
      return data.times.rows.at(static_cast<std::size_t>(group)).label;
  }
}

}  // namespace

std::string_view name_of(BreakdownBy by) {
  switch (by) {
    case BreakdownBy::relation:
      return "relation";
    case BreakdownBy::entity:
      return "entity";
    default:
      return "time";
  }
}

std::optional<BreakdownBy> breakdown_named(std::string_view name) {
  for (const BreakdownBy by : all_breakdowns) {
    if (name_of(by) == name) return by;
  }
  return std::nullopt;
}

std::vector<BreakdownRow> breakdown(const TemporalGraph& data, const Judgement& judgement,
                                    BreakdownBy by) {
  const std::vector<Fact>& facts = data.split(judgement.split);
  if (judgement.counts.size() != facts.size() * questions_per_fact) {
    fail_broken("a judgement of {} questions does not belong to a split of {} facts",
                judgement.counts.size(), facts.size());
  }
  std::vector<MetricsSum> sums(group_count(data, by));
  for (std::size_t i = 0; i < judgement.counts.size(); ++i) {
    const auto group = group_of(data, facts[i / questions_per_fact], direction_of_question(i), by);
    sums.at(static_cast<std::size_t>(group))
        .add(rank_of(judgement.counts[i], TieRule::pessimistic));
  }
  std::vector<BreakdownRow> rows;
  for (std::size_t group = 0; group < sums.size(); ++group) {
    const Metrics metrics = sums[group].mean();
    if (metrics.count == 0) continue;
    rows.push_back({group_name(data, static_cast<std::int32_t>(group), by), metrics});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const BreakdownRow& a, const BreakdownRow& b) {
    return a.metrics.count > b.metrics.count;
  });
  return rows;
}

}  // namespace orrery
