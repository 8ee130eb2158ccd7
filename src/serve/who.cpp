#include "serve/who.h"

#include <algorithm>

#include "serve/asked_scores.h"

namespace orrery {
namespace {

SideQuestion side_of(const QuestionIds& question) {
  const bool subject = question.asked == AskedPart::subject;
  return {subject ? question.object : question.subject, question.relation, subject, question.time};
}

bool needs_all_scores(const QuestionIds& question, const AnswerLimits& limits) {
  return question.time.share_of_other > 0 || !limits.most_refused();
}

void keep_allowed(TopAnswers& answers, const AnswerLimits& limits, std::size_t top) {
  std::erase_if(answers.best, [&](const ScoredEntity& one) { return !limits.allows(one.entity); });
  if (answers.best.size() > top) answers.best.resize(top);
}

TopAnswers best_of(std::span<const float> scores, const AnswerLimits& limits, std::size_t top) {
  TopAnswers answers;
  answers.log_sum = log_sum_of(scores);
  answers.highest = *std::ranges::max_element(scores);
  for (std::size_t e = 0; e < scores.size(); ++e)
    if (const auto id = static_cast<std::int32_t>(e); limits.allows(id))
      answers.best.push_back({id, scores[e]});
  const auto kept =
      answers.best.begin() + static_cast<std::ptrdiff_t>(std::min(top, answers.best.size()));
  std::partial_sort(answers.best.begin(), kept, answers.best.end(), is_better);
  answers.best.erase(kept, answers.best.end());
  return answers;
}

}  // namespace

std::vector<TopAnswers> best_entities(const ModelHeader& header, Asker& asker,
                                      std::span<const QuestionIds> questions,
                                      std::span<const AnswerLimits> limits, std::size_t top) {
  std::vector<std::size_t> direct, by_scores;
  std::vector<QueryPair> queries;
  std::vector<SideQuestion> sides;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const SideQuestion side = side_of(questions[i]);
    if (needs_all_scores(questions[i], limits[i])) {
      by_scores.push_back(i);
      sides.push_back(side);
    } else {
      direct.push_back(i);
      queries.push_back(queries_at(header, side, side.time.row));
      refused = std::max(refused, *limits[i].most_refused());
    }
  }
  std::vector<TopAnswers> found(direct.size()), answers(questions.size());
  if (!direct.empty())
    asker.top(queries, std::max(top, top + refused), found);  // of all, there is no more
  for (std::size_t i = 0; i < direct.size(); ++i) {
    keep_allowed(found[i], limits[direct[i]], top);
    answers[direct[i]] = std::move(found[i]);
  }
  score_each(header, asker, sides, [&](std::size_t i, std::span<const float> scores) {
    answers[by_scores[i]] = best_of(scores, limits[by_scores[i]], top);
  });
  return answers;
}

}  // namespace orrery
