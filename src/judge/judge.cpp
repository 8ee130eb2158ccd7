#include "judge/judge.h"

#include <algorithm>
#include <span>

#include "base/error.h"
#include "judge/questions.h"

namespace orrery {
namespace {

// Which rows of the model occur in any training example.
class TrainedRows {
 public:
  explicit TrainedRows(const TemporalGraph& data)
      : entities_(static_cast<std::size_t>(data.entities.size())),
        relations_(static_cast<std::size_t>(data.relation_ids().count())),
        times_(static_cast<std::size_t>(data.times.size())) {
    for (const Fact& fact : data.split(Split::train)) {
      entities_[static_cast<std::size_t>(fact.subject)] = true;
      entities_[static_cast<std::size_t>(fact.object)] = true;
      for (const Direction direction : question_directions) {
        const QueryPair queries = queries_of(data, fact, direction);
        mark(queries.first);
        if (queries.paired) mark(queries.second);
      }
      if (!data.times.within) continue;
      const Moment held = data.times.rows_of(fact);
      for (std::int32_t row = held.start; row <= held.end; ++row)
        times_[static_cast<std::size_t>(row)] = true;
    }
  }

  void count_unseen(const RankQuestion& question, UnseenCounts& unseen) const {
    const auto& [first, second, paired] = question.queries;
    const bool entity = !entities_[static_cast<std::size_t>(first.subject)] ||
                        !entities_[static_cast<std::size_t>(question.target)];
    const bool relation = !has_relation(first) || (paired && !has_relation(second));
    const bool time = !has_time(first) || (paired && !has_time(second));
    unseen.entity += entity;
    unseen.relation += relation;
    unseen.time += time;
    unseen.any += entity || relation || time;
  }

 private:
  void mark(const Query& query) {
    relations_[static_cast<std::size_t>(query.relation)] = true;
    times_[static_cast<std::size_t>(query.time)] = true;
  }
  bool has_relation(const Query& query) const {
    return relations_[static_cast<std::size_t>(query.relation)];
  }
  bool has_time(const Query& query) const { return times_[static_cast<std::size_t>(query.time)]; }

  std::vector<bool> entities_, relations_, times_;
};

Protocol protocol_of(const Timeline& times) {
  if (!times.intervals) return Protocol::points;
  return times.within ? Protocol::within : Protocol::ends;
}

Scores scores_of_direction(std::span<const RankCounts> counts, Direction direction) {
  ScoresSum sum;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (direction_of_question(i) == direction) sum.add(rank_of(counts[i], Ties::pessimistic));
  }
  return sum.mean();
}

}  // namespace

std::string_view name_of(Protocol protocol) {
  switch (protocol) {
    case Protocol::points:
      return "points";
    case Protocol::ends:
      return "ends";
    default:
      return "within";
  }
}

EvaluationScores judge(Ranker& ranker, const TemporalGraph& data, const FilterIndex& filter,
                       Split split, const JudgeOptions& options) {
  const std::span<const Fact> facts = data.split(split);
  if (facts.empty()) {
    fail_request(About{.option = "split", .advice = "choose another split or data set"},
                 "the {} split is empty", name_of(split));
  }
  EvaluationScores result;
  result.split = split;
  result.protocol = protocol_of(data.times);
  result.ranks.resize(facts.size() * queries_per_fact);
  const TrainedRows trained(data);
  const std::size_t facts_at_once = std::max<std::size_t>(1, options.batch / queries_per_fact);
  for (std::size_t begin = 0; begin < facts.size(); begin += facts_at_once) {
    const std::size_t size = std::min(facts_at_once, facts.size() - begin);
    const AskedQuestions asked = questions_of(data, filter, facts.subspan(begin, size));
    const std::span<const RankQuestion> questions = asked.questions;
    const std::size_t done = begin * queries_per_fact;
    ranker.rank(questions, std::span(result.ranks).subspan(done, questions.size()));
    for (const RankQuestion& question : questions) trained.count_unseen(question, result.unseen);
    if (options.progress) options.progress(done + questions.size(), result.ranks.size());
  }
  result.pessimistic = scores_of(result.ranks, Ties::pessimistic);
  result.realistic = scores_of(result.ranks, Ties::realistic);
  result.optimistic = scores_of(result.ranks, Ties::optimistic);
  result.object = scores_of_direction(result.ranks, Direction::object);
  result.subject = scores_of_direction(result.ranks, Direction::subject);
  return result;
}

}  // namespace orrery
