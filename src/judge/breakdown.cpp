#include "judge/breakdown.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "judge/questions.h"
#include "judge/scores.h"
#include "page/text_table.h"

namespace orrery {
namespace {

std::size_t group_count(const TemporalGraph& data, By by) {
  switch (by) {
    case By::relation:
      return static_cast<std::size_t>(data.relations.size());
    case By::entity:
      return static_cast<std::size_t>(data.entities.size());
    default:
      return data.times.rows.size();
  }
}

std::int32_t group_of(const TemporalGraph& data, const Fact& fact, Direction direction, By by) {
  switch (by) {
    case By::relation:
      return fact.relation;
    case By::entity:
      return direction == Direction::object ? fact.subject : fact.object;
    default:
      return queries_of(data, fact, direction).first.time;
  }
}

const std::string& group_name(const TemporalGraph& data, std::int32_t group, By by) {
  switch (by) {
    case By::relation:
      return data.relations.name(group);
    case By::entity:
      return data.entities.name(group);
    default:
      return data.times.rows.at(static_cast<std::size_t>(group)).label;
  }
}

}  // namespace

std::string_view name_of(By by) {
  switch (by) {
    case By::relation:
      return "relation";
    case By::entity:
      return "entity";
    default:
      return "time";
  }
}

By by_named(std::string_view name) {
  for (const By by : all_breakdowns)
    if (name_of(by) == name) return by;
  std::vector<std::string> known;
  for (const By by : all_breakdowns) known.emplace_back(name_of(by));
  fail_request(About{.option = "by", .advice = "there are " + listed(known)},
               "a breakdown by '{}' is unknown", name);
}

Scores EvaluationScores::of_facts(const std::function<bool(std::size_t fact)>& belongs) const {
  ScoresSum sum;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (belongs(i / queries_per_fact)) sum.add(rank_of(ranks[i]));
  return sum.mean();
}

std::vector<BreakdownRow> breakdown(const TemporalGraph& data, const EvaluationScores& evaluation,
                                    By by) {
  const std::vector<Fact>& facts = data.split(evaluation.split);
  if (evaluation.ranks.size() != facts.size() * queries_per_fact) {
    fail_broken("an evaluation of {} questions does not belong to a split of {} facts",
                evaluation.ranks.size(), facts.size());
  }
  std::vector<ScoresSum> sums(group_count(data, by));
  for (std::size_t i = 0; i < evaluation.ranks.size(); ++i) {
    const auto group = group_of(data, facts[i / queries_per_fact], direction_of_question(i), by);
    sums.at(static_cast<std::size_t>(group)).add(rank_of(evaluation.ranks[i], Ties::pessimistic));
  }
  std::vector<BreakdownRow> rows;
  for (std::size_t group = 0; group < sums.size(); ++group) {
    const Scores scores = sums[group].mean();
    if (scores.queries == 0) continue;
    rows.push_back({group_name(data, static_cast<std::int32_t>(group), by), scores});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const BreakdownRow& a, const BreakdownRow& b) {
    return a.scores.queries > b.scores.queries;
  });
  return rows;
}

}  // namespace orrery
