#include "judge/score_row.h"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double log_of_nothing = -80;  // of what floats cannot tell from 0

double log_of_sum(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace

ScoreRow::ScoreRow(std::span<const float> scores, std::span<const std::int32_t> known)
    : scores_(scores), known_(known) {
  const float highest = *std::ranges::max_element(scores);
  double sum = 0;
  std::size_t begin = 0;
  const auto add_until = [&](std::size_t end) {
    for (const float score : scores.subspan(begin, end - begin)) sum += std::exp(score - highest);
    begin = end + 1;
  };
  for (const std::int32_t entity : known)  // one that holds in two intervals may come twice
    if (static_cast<std::size_t>(entity) >= begin) add_until(static_cast<std::size_t>(entity));
  add_until(scores.size());
  log_sum_ = highest + (sum == 0 ? log_of_nothing : std::log(sum));
}

bool ScoreRow::knows(std::int32_t entity) const {
  return std::ranges::binary_search(known_, entity);
}

bool ScoreRow::finite() const { return std::isfinite(log_sum_); }

double ScoreRow::log_probability(std::int32_t entity) const {
  const double score = scores_[static_cast<std::size_t>(entity)];
  return score - (knows(entity) ? log_of_sum(log_sum_, score) : log_sum_);
}

double ScoreRow::log_odds(std::int32_t known) const {
  return scores_[static_cast<std::size_t>(known)] - log_sum_;
}

double ScoreRow::log_sum() const {
  double sum = log_sum_;
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (i == 0 || known_[i] != known_[i - 1])
      sum = log_of_sum(sum, scores_[static_cast<std::size_t>(known_[i])]);
  return sum;
}

std::int32_t ScoreRow::rank(std::int32_t entity) const {
  const float score = scores_[static_cast<std::size_t>(entity)];
  std::int32_t rank = 1;
  for (std::size_t e = 0; e < scores_.size(); ++e) {
    const auto other = static_cast<std::int32_t>(e);
    if (scores_[e] >= score && other != entity && !knows(other)) ++rank;
  }
  return rank;
}

std::vector<ScoredEntity> ScoreRow::best(std::size_t most, std::int32_t but) const {
  std::vector<ScoredEntity> found;
  if (most == 0) return found;
  for (std::size_t e = 0; e < scores_.size(); ++e) {
    const ScoredEntity one{static_cast<std::int32_t>(e), scores_[e]};
    const bool full = found.size() == most;
    if ((full && !is_better(one, found.back())) || one.entity == but || knows(one.entity)) continue;
    if (full) found.pop_back();
    found.insert(std::ranges::upper_bound(found, one, is_better), one);
  }
  return found;
}

}  // namespace orrery
