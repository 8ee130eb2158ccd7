#include "serve/asked_scores.h"

#include <algorithm>
#include <cmath>

#include "judge/score_row.h"

namespace orrery {
namespace {

SideQuestion for_object(const FactIds& fact) {
  return {fact.subject, fact.relation, false, fact.time};
}

SideQuestion for_subject(const FactIds& fact) {
  return {fact.object, fact.relation, true, fact.time};
}

}  // namespace

QueryPair queries_at(const ModelHeader& header, const SideQuestion& question, std::int32_t row) {
  const RelationIds ids = header.relation_ids();
  const Query start{question.given, ids.id(question.relation, question.reciprocal), row};
  if (!header.times.has_ends()) return {start, start, false};
  return {start, {question.given, ids.id(question.relation, question.reciprocal, true), row}, true};
}

double log_sum_of(std::span<const float> scores) {
  const float highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const float score : scores) {
    if (!std::isfinite(score)) fail_unrankable(0);
    sum += std::exp(static_cast<double>(score) - highest);
  }
  return highest + std::log(sum);
}

void score_each(const ModelHeader& header, Asker& asker, std::span<const SideQuestion> questions,
                const std::function<void(std::size_t, std::span<const float>)>& take) {
  const auto entities = static_cast<std::size_t>(header.entities.size());
  const std::size_t at_once = std::max<std::size_t>(1, questions_in_hand(entities) / 2);
  std::vector<float> scores;
  for (std::size_t first = 0; first < questions.size(); first += at_once) {
    const auto part = questions.subspan(first, std::min(at_once, questions.size() - first));
    std::vector<QueryPair> queries;
    for (const SideQuestion& question : part)
      queries.push_back(queries_at(header, question, question.time.row));
    for (const SideQuestion& question : part)
      if (question.time.share_of_other > 0)
        queries.push_back(queries_at(header, question, question.time.other));
    scores.resize(queries.size() * entities);
    asker.score(queries, scores);
    std::size_t other = part.size() * entities;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto row = std::span(scores).subspan(i * entities, entities);
      if (const float share = part[i].time.share_of_other; share > 0) {
        for (std::size_t e = 0; e < entities; ++e)
          row[e] = (1 - share) * row[e] + share * scores[other + e];
        other += entities;
      }
      take(first + i, row);
    }
  }
}

std::vector<FactRating> rate(const StoredModel& model, Asker& asker, const FactsAtHand* known,
                             std::span<const FactIds> facts) {
  std::vector<SideQuestion> questions;
  questions.reserve(2 * facts.size());
  for (const FactIds& fact : facts) {
    questions.push_back(for_object(fact));
    questions.push_back(for_subject(fact));
  }
  const bool timed = knows_time(model);
  std::vector<FactRating> ratings(facts.size());
  score_each(model.header(), asker, questions, [&](std::size_t i, std::span<const float> scores) {
    const FactIds& fact = facts[i / 2];
    FactRating& rating = ratings[i / 2];
    const std::int32_t answer = i % 2 == 0 ? fact.object : fact.subject;
    auto left_out =
        known == nullptr ? std::vector<std::int32_t>() : known_now(*known, questions[i], timed);
    left_out.insert(std::ranges::lower_bound(left_out, answer), answer);
    const ScoreRow row(scores, left_out);
    const double log_odds = row.log_odds(answer);
    if (!row.finite() || !std::isfinite(log_odds)) fail_unrankable(0);
    if (i % 2 == 0) {
      rating.score = scores[static_cast<std::size_t>(answer)];
      rating.probability = std::exp(rating.score - row.log_sum());
      rating.object_log_odds = log_odds;
    } else {
      rating.subject_log_odds = log_odds;
    }
  });
  return ratings;
}

double log_probability_of(double log_odds) {
  return log_odds > 0 ? -std::log1p(std::exp(-log_odds))
                      : log_odds - std::log1p(std::exp(log_odds));
}

std::vector<double> softmax(std::span<const double> values) {
  std::vector<double> shares(values.begin(), values.end());
  if (shares.empty()) return shares;
  const double highest = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - highest);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace orrery
