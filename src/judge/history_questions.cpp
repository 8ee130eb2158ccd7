#include "judge/history_questions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/filter_index.h"
#include "judge/questions.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

constexpr std::size_t most_questions_at_once = 256;

double log_sum(std::span<const float> scores, double sharpness) {
  const double highest = sharpness * *std::ranges::max_element(scores);
  if (std::isinf(highest)) return highest;
  double sum = 0;
  for (const float score : scores) sum += std::exp(sharpness * score - highest);
  return highest + std::log(sum);
}

// An entity with many facts gives each of its questions many candidates: their number grows with
// the square of the data. A few hundred facts tell how many there are of a fact.
std::vector<Fact> facts_to_ask(const TemporalGraph& data, const FilterIndex& filter,
                               const CandidateFeatures& features, std::size_t most_features) {
  constexpr std::size_t most_looked_at = 256;
  const std::span<const Fact> all = data.split(Split::valid);
  const std::vector<Fact> some = spread_facts(all, most_looked_at);
  std::vector<CandidateFeature> found;
  std::size_t count = 0;
  for (const RankQuestion& question : questions_of(data, filter, some).questions) {
    found.clear();
    features.append(question.queries.first, found);
    if (question.queries.paired) features.append(question.queries.second, found);
    count += found.size();
  }
  if (count == 0 || all.size() <= most_features / count * some.size())
    return {all.begin(), all.end()};
  return spread_facts(all, std::max(some.size(), most_features * some.size() / count));
}

}  // namespace

HistoryQuestions::HistoryQuestions(Asker& asker, const CandidateFeatures& features,
                                   std::span<const float> worth, const TemporalGraph& data,
                                   ThreadPool& pool, const Pause& pause,
                                   std::size_t most_features) {
  TemporalGraph seen = data;
  seen.facts[static_cast<int>(Split::test)].clear();
  const FilterIndex filter(seen);
  const std::vector<Fact> facts = facts_to_ask(seen, filter, features, most_features);
  const auto entities = static_cast<std::size_t>(data.entities.size());
  const std::size_t facts_at_once = std::max<std::size_t>(
      1, std::min(most_questions_at_once, questions_in_hand(entities)) / queries_per_fact);
  std::vector<float> scores;
  for (std::size_t begin = 0; begin < facts.size(); begin += facts_at_once) {
    if (pause) pause();
    const std::size_t size = std::min(facts_at_once, facts.size() - begin);
    const AskedQuestions asked = questions_of(seen, filter, std::span(facts).subspan(begin, size));
    const auto queries = queries_of(asked.questions);
    scores.resize(queries.size() * entities);
    asker.score(queries, scores);
    const auto row = [&](std::size_t i) {
      return std::span(scores).subspan(i * entities, entities);
    };
    const std::size_t before = questions.size();
    for (std::size_t i = 0; i < queries.size(); ++i)
      add(asked.questions[i], features, worth, row(i), (begin + i / queries_per_fact) % 2);
    parallel_for(pool, queries.size(), 1, [&](std::size_t i, std::size_t) {
      for (std::size_t s = 0; s < sharpnesses.size(); ++s)
        questions[before + i].rest[s] = log_sum(row(i), sharpnesses[s]);
    });
  }
}

void HistoryQuestions::add(const RankQuestion& question, const CandidateFeatures& features,
                           std::span<const float> worth, std::span<float> scores, bool half) {
  std::vector<CandidateFeature> found;
  features.append(question.queries.first, found);
  if (question.queries.paired) features.append(question.queries.second, found);
  std::ranges::sort(found);
  constexpr float left_out = -std::numeric_limits<float>::infinity();
  for (const std::int32_t known : question.known)
    if (known != question.target) scores[static_cast<std::size_t>(known)] = left_out;

  Question asked{.first = candidates.size(), .half = half};
  asked.target_score = scores[static_cast<std::size_t>(question.target)];
  for (std::size_t i = 0; i < found.size();) {
    float& score = scores[static_cast<std::size_t>(found[i].entity)];
    const std::int32_t entity = found[i].entity;
    Candidate candidate{.score = score, .first = weights.size()};
    for (; i < found.size() && found[i].entity == entity; ++i) {
      candidate.score -= worth[static_cast<std::size_t>(found[i].weight)];
      weights.push_back(found[i].weight);
    }
    candidate.end = weights.size();
    if (score == left_out) {
      weights.resize(candidate.first);
      continue;
    }
    if (entity == question.target) asked.target = static_cast<std::ptrdiff_t>(candidates.size());
    candidates.push_back(candidate);
    score = left_out;
  }
  asked.end = candidates.size();
  questions.push_back(asked);
}

}  // namespace orrery
