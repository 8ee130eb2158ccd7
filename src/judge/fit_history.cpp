#include "judge/fit_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "data/filter_index.h"
#include "judge/held_out_gain.h"
#include "judge/questions.h"

namespace orrery {
namespace {

constexpr std::array sharpnesses = {0.4, 0.55, 0.7, 0.85, 1.0, 1.2};
constexpr std::array shrinkages = {1.0, 10.0, 100.0};
constexpr int rounds = 40;
constexpr std::size_t most_questions_at_once = 256;
constexpr std::size_t most_scores_at_once = std::size_t{1} << 24;  // 64 MiB, or two rows

// A candidate that has features.
struct Candidate {
  double score = 0;                // without what they are worth
  std::size_t first = 0, end = 0;  // of its features
};

struct Asked {
  // log Σ exp(sharpness · score) over candidates that have none.
  std::array<double, sharpnesses.size()> rest = {};
  std::size_t first = 0, end = 0;  // of its candidates
  std::ptrdiff_t target = -1;      // of them; −1: it has no features, and this score:
  double target_score = 0;
  bool half = false;  // of validation
};

// All that a fit needs of the scores of validation.
class Collected {
 public:
  Collected(Asker& asker, const CandidateFeatures& features, std::span<const float> worth,
            const TemporalGraph& data) {
    TemporalGraph seen = data;
    seen.facts[static_cast<int>(Split::test)].clear();
    const FilterIndex filter(seen);
    const std::span<const Fact> facts = seen.split(Split::valid);
    const auto entities = static_cast<std::size_t>(data.entities.size());
    const std::size_t questions_at_once =
        std::min(most_questions_at_once, most_scores_at_once / entities);
    const std::size_t facts_at_once =
        std::max<std::size_t>(1, questions_at_once / queries_per_fact);
    std::vector<float> scores;
    for (std::size_t begin = 0; begin < facts.size(); begin += facts_at_once) {
      const std::size_t size = std::min(facts_at_once, facts.size() - begin);
      const AskedQuestions asked = questions_of(seen, filter, facts.subspan(begin, size));
      const auto queries = queries_of(asked.questions);
      scores.resize(queries.size() * entities);
      asker.score(queries, scores);
      for (std::size_t i = 0; i < queries.size(); ++i)
        add(asked.questions[i], features, worth, std::span(scores).subspan(i * entities, entities),
            (begin + i / queries_per_fact) % 2);
    }
  }

  std::vector<Asked> questions;
  std::vector<Candidate> candidates;
  std::vector<std::int32_t> weights;  // of candidates' features

 private:
  void add(const RankQuestion& question, const CandidateFeatures& features,
           std::span<const float> worth, std::span<float> scores, bool half) {
    std::vector<CandidateFeature> found;
    features.append(question.queries.first, found);
    if (question.queries.paired) features.append(question.queries.second, found);
    std::ranges::sort(found);
    constexpr float left_out = -std::numeric_limits<float>::infinity();
    for (const std::int32_t known : question.known)
      if (known != question.target) scores[static_cast<std::size_t>(known)] = left_out;

    Asked asked{.first = candidates.size(), .half = half};
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
    for (std::size_t s = 0; s < sharpnesses.size(); ++s)
      asked.rest[s] = log_sum(scores, sharpnesses[s]);
    questions.push_back(asked);
  }

  static double log_sum(std::span<const float> scores, double sharpness) {
    const double highest = sharpness * *std::ranges::max_element(scores);
    if (std::isinf(highest)) return highest;
    double sum = 0;
    for (const float score : scores) sum += std::exp(sharpness * score - highest);
    return highest + std::log(sum);
  }
};

// Numbers in units of sharpened scores, and how well they do.
class Fit {
 public:
  Fit(const Collected& data, std::span<const float> worth, std::size_t sharpness)
      : data_(data),
        level_(sharpness),
        start_(worth.size()),
        gradient_(worth.size()),
        curvature_(worth.size()) {
    for (std::size_t i = 0; i < worth.size(); ++i) start_[i] = scale() * worth[i];
    values_ = start_;
  }

  double scale() const { return sharpnesses[level_]; }
  const std::vector<double>& values() const { return values_; }

  // −log p of the answers of one half of the questions, each in its place.
  void take_losses(bool half, std::vector<double>& losses) {
    for (std::size_t i = 0; i < data_.questions.size(); ++i)
      if (data_.questions[i].half == half) losses[i] = loss_of(data_.questions[i], false);
  }
  double mean_loss() {
    double sum = 0;
    for (const Asked& asked : data_.questions) sum += loss_of(asked, false);
    return sum / static_cast<double>(data_.questions.size());
  }

  // Newton's steps number by number. Numbers that are added to the same score share its curvature.
  void learn(std::span<const bool> halves, double shrinkage) {
    values_ = start_;
    for (int round = 0; round < rounds; ++round) {
      std::ranges::fill(gradient_, 0.0);
      std::ranges::fill(curvature_, 0.0);
      for (const Asked& asked : data_.questions)
        if (std::ranges::find(halves, asked.half) != halves.end()) loss_of(asked, true);
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const double pull = shrinkage * (values_[i] - start_[i]);
        values_[i] -= (gradient_[i] + pull) / (curvature_[i] + shrinkage);
      }
    }
  }

 private:
  double worth_of(const Candidate& candidate) const {
    double sum = 0;
    for (std::size_t i = candidate.first; i < candidate.end; ++i) sum += value_at(i);
    return sum;
  }
  double value_at(std::size_t feature) const {
    return values_[static_cast<std::size_t>(data_.weights[feature])];
  }

  double loss_of(const Asked& asked, bool derivatives) {
    scores_.clear();
    double highest = asked.rest[level_];
    for (std::size_t c = asked.first; c < asked.end; ++c) {
      const Candidate& candidate = data_.candidates[c];
      scores_.push_back(scale() * candidate.score + worth_of(candidate));
      highest = std::max(highest, scores_.back());
    }
    double sum = std::exp(asked.rest[level_] - highest);
    for (const double score : scores_) sum += std::exp(score - highest);
    const double log_sum = highest + std::log(sum);
    const double target = asked.target < 0
                              ? scale() * asked.target_score
                              : scores_[static_cast<std::size_t>(asked.target) - asked.first];
    if (derivatives) add_derivatives(asked, log_sum);
    return log_sum - target;
  }

  void add_derivatives(const Asked& asked, double log_sum) {
    for (std::size_t c = asked.first; c < asked.end; ++c) {
      const Candidate& candidate = data_.candidates[c];
      const double p = std::exp(scores_[c - asked.first] - log_sum);
      const double g = p - (static_cast<std::ptrdiff_t>(c) == asked.target ? 1 : 0);
      const double shared = static_cast<double>(candidate.end - candidate.first);
      for (std::size_t i = candidate.first; i < candidate.end; ++i) {
        gradient_[static_cast<std::size_t>(data_.weights[i])] += g;
        curvature_[static_cast<std::size_t>(data_.weights[i])] += shared * p * (1 - p);
      }
    }
  }

  const Collected& data_;
  std::size_t level_;
  std::vector<double> start_, values_, gradient_, curvature_, scores_;
};

// A model that is too sure of itself would have its features make up for it.
std::size_t best_sharpness(const Collected& data, std::span<const float> worth) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sharpnesses.size(); ++s) {
    const double loss = Fit(data, worth, s).mean_loss();
    if (loss < least) {
      least = loss;
      best = s;
    }
  }
  return best;
}

}  // namespace

HistoryFit fit_history(Asker& asker, const CandidateFeatures& features,
                       std::span<const float> worth, const TemporalGraph& data) {
  HistoryFit result{.worth = {worth.begin(), worth.end()}};
  const Collected collected(asker, features, worth, data);
  if (collected.questions.empty()) return result;
  Fit fit(collected, worth, best_sharpness(collected, worth));
  std::vector<double> before(collected.questions.size()), after(before);
  for (const bool half : {false, true}) fit.take_losses(half, before);
  result.before = fit.mean_loss();
  double chosen = 0, most = 0;
  for (const double shrinkage : shrinkages) {
    for (const bool half : {false, true}) {
      fit.learn({{half}}, shrinkage);
      fit.take_losses(!half, after);
    }
    const HeldOutGain gain(before, after);
    if (gain.mean <= most || !gain.is_sure()) continue;
    most = gain.mean;
    chosen = shrinkage;
  }
  result.after = result.before - most;
  if (chosen == 0) return result;
  fit.learn({{false, true}}, chosen);
  for (std::size_t i = 0; i < worth.size(); ++i)
    result.worth[i] = static_cast<float>(fit.values()[i] / fit.scale());
  return result;
}

}  // namespace orrery
