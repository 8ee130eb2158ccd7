#include "judge/judged_facts.h"

#include <algorithm>

#include "base/error.h"
#include "judge/questions.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

JudgedSide side_of(std::span<const float> scores, const RankQuestion& question,
                   std::size_t others) {
  const ScoreRow row(scores, question.known);
  if (!row.finite())
    fail_model("a score of the model is not a finite number: its embeddings have grown too large");
  JudgedSide side{.log_probability = row.log_probability(question.target),
                  .rank = row.rank(question.target),
                  .others = {}};
  for (const ScoredEntity& one : row.best(others, question.target))
    side.others.push_back({one.entity, row.log_probability(one.entity)});
  return side;
}

}  // namespace

std::vector<JudgedFact> judge_facts(Asker& asker, const TemporalGraph& data,
                                    const FilterIndex& known, std::span<const Fact> facts,
                                    std::size_t others,
                                    const std::function<void(std::size_t)>& done) {
  const auto entities = static_cast<std::size_t>(data.entities.size());
  const std::size_t at_once = questions_in_hand(queries_per_fact * entities);
  std::vector<JudgedFact> judged;
  std::vector<float> scores;
  for (std::size_t begin = 0; begin < facts.size(); begin += at_once) {
    const std::size_t size = std::min(at_once, facts.size() - begin);
    const AskedQuestions asked = questions_of(data, known, facts.subspan(begin, size));
    const auto queries = queries_of(asked.questions);
    scores.resize(queries.size() * entities);
    asker.score(queries, scores);
    const auto side = [&](std::size_t question) {
      return side_of(std::span(scores).subspan(question * entities, entities),
                     asked.questions[question], others);
    };
    for (std::size_t i = 0; i < size; ++i)
      judged.push_back({side(i * queries_per_fact), side(i * queries_per_fact + 1)});
    if (done) done(judged.size());
  }
  return judged;
}

}  // namespace orrery
