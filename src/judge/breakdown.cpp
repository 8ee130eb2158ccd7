#include "judge/breakdown.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "data/pair_history.h"
#include "judge/questions.h"
#include "judge/scores.h"
#include "page/text_table.h"

namespace orrery {
namespace {

// What train says of a question's candidates at other times.
constexpr std::array<std::string_view, 3> history_groups = {
    "answer known at another time", "nothing known", "only rivals known at another time"};

// Which row a question belongs to.
class Groups {
 public:
  Groups(const TemporalGraph& data, By by) : data_(data), by_(by) {
    if (by == By::history)
      history_.emplace(HistoryKind::relation, known_facts(data), data.relation_ids(),
                       data.entities.size());
  }

  std::size_t count() const {
    switch (by_) {
      case By::relation:
        return static_cast<std::size_t>(data_.relations.size());
      case By::entity:
        return static_cast<std::size_t>(data_.entities.size());
      case By::history:
        return history_groups.size();
      default:
        return data_.times.rows.size();
    }
  }

  std::size_t of(const Fact& fact, Direction direction) const {
    const bool asks_object = direction == Direction::object;
    switch (by_) {
      case By::relation:
        return static_cast<std::size_t>(fact.relation);
      case By::entity:
        return static_cast<std::size_t>(asks_object ? fact.subject : fact.object);
      case By::history:
        return by_history(queries_of(data_, fact, direction),
                          asks_object ? fact.object : fact.subject);
      default:
        return static_cast<std::size_t>(queries_of(data_, fact, direction).first.time);
    }
  }

  std::string name(std::size_t group) const {
    const auto id = static_cast<std::int32_t>(group);
    switch (by_) {
      case By::relation:
        return data_.relations.name(id);
      case By::entity:
        return data_.entities.name(id);
      case By::history:
        return std::string(history_groups[group]);
      default:
        return data_.times.rows[group].label;
    }
  }

 private:
  std::size_t by_history(const QueryPair& queries, std::int32_t answer) const {
    std::vector<CandidateFeature> known;
    history_->append(queries.first, known);
    if (queries.paired) history_->append(queries.second, known);
    if (known.empty()) return 1;
    return std::ranges::find(known, answer, &CandidateFeature::entity) != known.end() ? 0 : 2;
  }

  const TemporalGraph& data_;
  By by_;
  std::optional<PairHistory> history_;
};

}  // namespace

std::string_view name_of(By by) {
  switch (by) {
    case By::relation:
      return "relation";
    case By::entity:
      return "entity";
    case By::history:
      return "history";
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
  const Groups groups(data, by);
  std::vector<ScoresSum> sums(groups.count());
  for (std::size_t i = 0; i < evaluation.ranks.size(); ++i) {
    const std::size_t group = groups.of(facts[i / queries_per_fact], direction_of_question(i));
    sums.at(group).add(rank_of(evaluation.ranks[i], Ties::pessimistic));
  }
  std::vector<BreakdownRow> rows;
  for (std::size_t group = 0; group < sums.size(); ++group) {
    const Scores scores = sums[group].mean();
    if (scores.queries == 0) continue;
    rows.push_back({groups.name(group), scores});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const BreakdownRow& a, const BreakdownRow& b) {
    return a.scores.queries > b.scores.queries;
  });
  return rows;
}

}  // namespace orrery
