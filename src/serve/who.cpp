#include "serve/who.h"

#include <algorithm>
#include <cmath>

#include "serve/asked_scores.h"

namespace orrery {
namespace {

bool needs_all_scores(const QuestionIds& question, const AnswerLimits& limits) {
  return question.time.share_of_other > 0 || !limits.most_refused();
}

// The engine gives the sum over all. Of what is known the highest scores are among the best that
// were asked for, and the rest of it weighs nothing; what is left is at least what was found.
double log_sum_of_unknown(const TopAnswers& found, const std::vector<std::int32_t>& known) {
  double of_known = 0, of_others = 0;
  for (const ScoredEntity& one : found.best)
    (std::ranges::binary_search(known, one.entity) ? of_known : of_others) +=
        std::exp(one.score - found.log_sum);
  return found.log_sum + std::log(std::max(1 - of_known, of_others));
}

BestEntities kept(TopAnswers found, std::vector<std::int32_t> known, const AnswerLimits& limits,
                  std::size_t top) {
  BestEntities answers{.best = {},
                       .log_sum = found.log_sum,
                       .log_sum_of_unknown = log_sum_of_unknown(found, known),
                       .known = std::move(known)};
  for (const ScoredEntity& one : found.best)
    if (answers.best.size() < top && limits.allows(one.entity)) answers.best.push_back(one);
  return answers;
}

BestEntities best_of(std::span<const float> scores, std::vector<std::int32_t> known,
                     const AnswerLimits& limits, std::size_t top) {
  BestEntities answers{.best = {}, .known = std::move(known)};
  answers.log_sum = log_sum_of(scores);
  double of_unknown = 0;
  for (std::size_t e = 0; e < scores.size(); ++e) {
    const auto id = static_cast<std::int32_t>(e);
    if (!std::ranges::binary_search(answers.known, id))
      of_unknown += std::exp(scores[e] - answers.log_sum);
    if (limits.allows(id)) answers.best.push_back({id, scores[e]});
  }
  answers.log_sum_of_unknown = answers.log_sum + std::log(of_unknown);
  const auto end =
      answers.best.begin() + static_cast<std::ptrdiff_t>(std::min(top, answers.best.size()));
  std::partial_sort(answers.best.begin(), end, answers.best.end(), is_better);
  answers.best.erase(end, answers.best.end());
  return answers;
}

}  // namespace

double BestEntities::log_probability(const ScoredEntity& one) const {
  if (!std::ranges::binary_search(known, one.entity)) return one.score - log_sum_of_unknown;
  const double more = log_sum_of_unknown - one.score;  // beside itself
  return more > 0 ? -more - std::log1p(std::exp(-more)) : -std::log1p(std::exp(more));
}

std::vector<BestEntities> best_entities(const StoredModel& model, Asker& asker,
                                        const FactsAtHand* facts,
                                        std::span<const QuestionIds> questions,
                                        std::span<const AnswerLimits> limits, std::size_t top) {
  const ModelHeader& header = model.header();
  const bool timed = knows_time(model);
  std::vector<std::size_t> direct, by_scores;
  std::vector<QueryPair> queries;
  std::vector<SideQuestion> sides;
  std::vector<std::vector<std::int32_t>> known;
  std::size_t more = 0;  // than are wanted, since some may be refused or left out of sums
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const SideQuestion side = questions[i].side();
    known.push_back(facts == nullptr ? std::vector<std::int32_t>()
                                     : known_now(*facts, side, timed));
    if (needs_all_scores(questions[i], limits[i])) {
      by_scores.push_back(i);
      sides.push_back(side);
    } else {
      direct.push_back(i);
      queries.push_back(queries_at(header, side, side.time.row));
      more = std::max({more, *limits[i].most_refused(), known.back().size()});
    }
  }
  std::vector<TopAnswers> found(direct.size());
  std::vector<BestEntities> answers(questions.size());
  if (!direct.empty()) asker.top(queries, std::max(top, top + more), found);
  for (std::size_t i = 0; i < direct.size(); ++i)
    answers[direct[i]] =
        kept(std::move(found[i]), std::move(known[direct[i]]), limits[direct[i]], top);
  score_each(header, asker, sides, [&](std::size_t i, std::span<const float> scores) {
    const std::size_t question = by_scores[i];
    answers[question] = best_of(scores, std::move(known[question]), limits[question], top);
  });
  return answers;
}

}  // namespace orrery
