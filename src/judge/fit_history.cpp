#include "judge/fit_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/thread_pool.h"
#include "judge/held_out_gain.h"
#include "judge/history_questions.h"

namespace orrery {
namespace {

constexpr std::array shrinkages = {0.1, 1.0, 10.0, 100.0};
constexpr int rounds = 60;
constexpr std::size_t pieces = 16;  // that questions are cut into, whatever the threads

// Numbers in units of sharpened scores, and how well they do. A number is the sum of its own part,
// what its group has in common in its relation row, and what the group has in common everywhere:
// so numbers of which validation says little are like their neighbours, and not zero.
class Fit {
 public:
  Fit(const HistoryQuestions& data, std::span<const float> worth,
      std::span<const std::int32_t> groups, std::size_t sharpness, ThreadPool& pool)
      : data_(data), groups_(groups), pool_(pool), level_(sharpness), start_(worth.size()) {
    for (std::size_t i = 0; i < worth.size(); ++i) start_[i] = scale() * worth[i];
    values_ = start_;
    group_count_ = 0;
    for (const std::int32_t group : groups)
      group_count_ = std::max(group_count_, static_cast<std::size_t>(group + 1));
  }

  double scale() const { return sharpnesses[level_]; }
  const std::vector<double>& values() const { return values_; }

  // −log p of the answers of one half of the questions, each in its place.
  void take_losses(bool half, std::vector<double>& losses) const {
    parallel_for(pool_, losses.size(), 256, [&](std::size_t begin, std::size_t end) {
      std::vector<double> scores;
      for (std::size_t i = begin; i < end; ++i)
        if (data_.questions[i].half == half) losses[i] = loss_of(data_.questions[i], scores);
    });
  }
  double mean_loss() const {
    std::vector<double> losses(data_.questions.size());
    for (const bool half : {false, true}) take_losses(half, losses);
    double sum = 0;
    for (const double loss : losses) sum += loss;
    return sum / static_cast<double>(losses.size());
  }

  // Newton's steps part by part. Parts that are added to the same score share its curvature.
  void learn(std::span<const bool> halves, double shrinkage) {
    values_ = start_;
    const std::size_t rows = start_.size() / groups_.size();
    std::vector<double> own(start_.size()), by_row(rows * group_count_), common(group_count_);
    for (int round = 0; round < rounds; ++round) {
      const Slopes slopes = slopes_over(halves);
      std::vector<Slope> of_row(by_row.size()), of_all(group_count_);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const std::int32_t group = groups_[i % groups_.size()];
        const Slope slope = {slopes[i].gradient, slopes[i].curvature * (group < 0 ? 1 : 3)};
        if (group >= 0) {
          const auto g = static_cast<std::size_t>(group);
          of_row[i / groups_.size() * group_count_ + g].add(slope);
          of_all[g].add(slope);
        }
        step(own[i], slope, shrinkage);
      }
      for (std::size_t i = 0; i < by_row.size(); ++i) step(by_row[i], of_row[i], shrinkage);
      for (std::size_t g = 0; g < group_count_; ++g) step(common[g], of_all[g], shrinkage);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const std::int32_t group = groups_[i % groups_.size()];
        values_[i] = start_[i] + own[i];
        if (group < 0) continue;
        const auto g = static_cast<std::size_t>(group);
        values_[i] += by_row[i / groups_.size() * group_count_ + g] + common[g];
      }
    }
  }

 private:
  struct Slope {
    double gradient = 0, curvature = 0;

    void add(const Slope& other) {
      gradient += other.gradient;
      curvature += other.curvature;
    }
  };
  using Slopes = std::vector<Slope>;

  static void step(double& value, const Slope& slope, double shrinkage) {
    value -= (slope.gradient + shrinkage * value) / (slope.curvature + shrinkage);
  }

  // Pieces are added in their order.
  Slopes slopes_over(std::span<const bool> halves) const {
    std::vector<Slopes> parts(pieces, Slopes(start_.size()));
    const std::size_t size = (data_.questions.size() + pieces - 1) / pieces;
    parallel_for(pool_, data_.questions.size(), size, [&](std::size_t begin, std::size_t end) {
      std::vector<double> scores;
      for (std::size_t i = begin; i < end; ++i) {
        const HistoryQuestions::Question& asked = data_.questions[i];
        if (std::ranges::find(halves, asked.half) == halves.end()) continue;
        double log_sum = 0;
        loss_of(asked, scores, &log_sum);
        add_slopes(asked, scores, log_sum, parts[begin / size]);
      }
    });
    for (std::size_t p = 1; p < pieces; ++p)
      for (std::size_t i = 0; i < start_.size(); ++i) parts[0][i].add(parts[p][i]);
    return std::move(parts[0]);
  }

  double worth_of(const HistoryQuestions::Candidate& candidate) const {
    double sum = 0;
    for (std::size_t i = candidate.first; i < candidate.end; ++i)
      sum += values_[static_cast<std::size_t>(data_.weights[i])];
    return sum;
  }

  double loss_of(const HistoryQuestions::Question& asked, std::vector<double>& scores,
                 double* log_of_sum = nullptr) const {
    scores.clear();
    double highest = asked.rest[level_];
    for (std::size_t c = asked.first; c < asked.end; ++c) {
      const HistoryQuestions::Candidate& candidate = data_.candidates[c];
      scores.push_back(scale() * candidate.score + worth_of(candidate));
      highest = std::max(highest, scores.back());
    }
    double sum = std::exp(asked.rest[level_] - highest);
    for (const double score : scores) sum += std::exp(score - highest);
    const double log_sum = highest + std::log(sum);
    if (log_of_sum != nullptr) *log_of_sum = log_sum;
    return log_sum - (asked.target < 0
                          ? scale() * asked.target_score
                          : scores[static_cast<std::size_t>(asked.target) - asked.first]);
  }

  void add_slopes(const HistoryQuestions::Question& asked, const std::vector<double>& scores,
                  double log_sum, Slopes& slopes) const {
    for (std::size_t c = asked.first; c < asked.end; ++c) {
      const HistoryQuestions::Candidate& candidate = data_.candidates[c];
      const double p = std::exp(scores[c - asked.first] - log_sum);
      const double g = p - (static_cast<std::ptrdiff_t>(c) == asked.target ? 1 : 0);
      const double shared = static_cast<double>(candidate.end - candidate.first);
      for (std::size_t i = candidate.first; i < candidate.end; ++i)
        slopes[static_cast<std::size_t>(data_.weights[i])].add({g, shared * p * (1 - p)});
    }
  }

  const HistoryQuestions& data_;
  std::span<const std::int32_t> groups_;
  ThreadPool& pool_;
  std::size_t level_, group_count_ = 0;
  std::vector<double> start_, values_;
};

}  // namespace

HistoryFit fit_history(Asker& asker, const CandidateFeatures& features,
                       std::span<const float> worth, std::span<const std::int32_t> groups,
                       const TemporalGraph& data, int threads) {
  HistoryFit result{.worth = {worth.begin(), worth.end()}};
  ThreadPool pool(threads);
  const HistoryQuestions asked(asker, features, worth, data, pool);
  if (asked.questions.empty()) return result;
  // A model that is too sure of itself would have its features make up for it.
  std::size_t sharpness = 0;
  result.before = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sharpnesses.size(); ++s) {
    const double loss = Fit(asked, worth, groups, s, pool).mean_loss();
    if (loss >= result.before) continue;
    result.before = loss;
    sharpness = s;
  }
  Fit fit(asked, worth, groups, sharpness, pool);
  std::vector<double> before(asked.questions.size()), after(before);
  for (const bool half : {false, true}) fit.take_losses(half, before);
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
