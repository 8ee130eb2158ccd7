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
constexpr double least_gain = 1e-12;  // of a round, of the loss; less is rounding
constexpr std::size_t pieces = 16;    // that questions are cut into, whatever the threads

// Numbers in units of sharpened scores, and how well they do. A number is the sum of its own part,
// what its group has in common in its relation row, and what the group has in common everywhere:
// so numbers of which validation says little are like their neighbours, and not zero.
class Fit {
 public:
  Fit(const HistoryQuestions& data, std::span<const float> worth,
      std::span<const std::int32_t> groups, std::size_t sharpness, ThreadPool& pool,
      const Pause& pause)
      : data_(data),
        groups_(groups),
        pool_(pool),
        pause_(pause),
        level_(sharpness),
        start_(worth.size()) {
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

  // Newton's steps part by part. Parts that are added to the same score share its curvature; where
  // that was not enough, and the loss rises, the step is taken back and those after it are shorter.
  void learn(std::span<const bool> halves, double shrinkage) {
    Parts parts(start_.size(), groups_.size(), group_count_);
    Parts best = parts;
    SlopesAndLoss best_slopes;
    double length = 1;
    for (int round = 0; round <= rounds; ++round) {
      if (pause_) pause_();
      values_ = sums_of(parts);
      SlopesAndLoss slopes = slopes_over(halves);
      slopes.loss += parts.penalty(shrinkage);
      if (round == 0 || slopes.loss <= best_slopes.loss) {
        const double gained = round == 0 ? 1 : best_slopes.loss - slopes.loss;
        best = parts;
        best_slopes = std::move(slopes);
        if (gained <= least_gain * std::abs(best_slopes.loss)) break;
      } else {
        length /= 2;
      }
      parts = best;
      take_step(parts, best_slopes.slopes, shrinkage, length);
    }
    values_ = sums_of(best);
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
  struct SlopesAndLoss {
    Slopes slopes;  // by number
    double loss = 0;
  };

  // What numbers are sums of.
  struct Parts {
    std::vector<double> own, by_row, common;

    Parts(std::size_t numbers, std::size_t features, std::size_t groups)
        : own(numbers), by_row(numbers / features * groups), common(groups) {}
    double penalty(double shrinkage) const {
      double squares = 0;
      for (const auto* list : {&own, &by_row, &common})
        for (const double part : *list) squares += part * part;
      return shrinkage * squares / 2;
    }
  };

  std::int32_t group_of(std::size_t number) const { return groups_[number % groups_.size()]; }
  std::size_t row_part(std::size_t number, std::int32_t group) const {
    return number / groups_.size() * group_count_ + static_cast<std::size_t>(group);
  }

  std::vector<double> sums_of(const Parts& parts) const {
    std::vector<double> sums = start_;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += parts.own[i];
      if (const std::int32_t group = group_of(i); group >= 0)
        sums[i] += parts.by_row[row_part(i, group)] + parts.common[static_cast<std::size_t>(group)];
    }
    return sums;
  }

  void take_step(Parts& parts, const Slopes& slopes, double shrinkage, double length) const {
    const auto step = [&](double& part, const Slope& slope) {
      part -= length * (slope.gradient + shrinkage * part) / (slope.curvature + shrinkage);
    };
    Slopes of_row(parts.by_row.size()), of_all(parts.common.size());
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const std::int32_t group = group_of(i);
      const Slope slope = {slopes[i].gradient, slopes[i].curvature * (group < 0 ? 1 : 3)};
      if (group >= 0) {
        of_row[row_part(i, group)].add(slope);
        of_all[static_cast<std::size_t>(group)].add(slope);
      }
      step(parts.own[i], slope);
    }
    for (std::size_t i = 0; i < of_row.size(); ++i) step(parts.by_row[i], of_row[i]);
    for (std::size_t g = 0; g < of_all.size(); ++g) step(parts.common[g], of_all[g]);
  }

  // Pieces are added in their order.
  SlopesAndLoss slopes_over(std::span<const bool> halves) const {
    std::vector<SlopesAndLoss> parts(pieces, {Slopes(start_.size()), 0});
    const std::size_t size = (data_.questions.size() + pieces - 1) / pieces;
    parallel_for(pool_, data_.questions.size(), size, [&](std::size_t begin, std::size_t end) {
      SlopesAndLoss& part = parts[begin / size];
      std::vector<double> scores;
      for (std::size_t i = begin; i < end; ++i) {
        const HistoryQuestions::Question& asked = data_.questions[i];
        if (std::ranges::find(halves, asked.half) == halves.end()) continue;
        double log_sum = 0;
        part.loss += loss_of(asked, scores, &log_sum);
        add_slopes(asked, scores, log_sum, part.slopes);
      }
    });
    for (std::size_t p = 1; p < pieces; ++p) {
      parts[0].loss += parts[p].loss;
      for (std::size_t i = 0; i < start_.size(); ++i) parts[0].slopes[i].add(parts[p].slopes[i]);
    }
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
  const Pause& pause_;
  std::size_t level_, group_count_ = 0;
  std::vector<double> start_, values_;
};

}  // namespace

HistoryFit fit_history(Asker& asker, const CandidateFeatures& features,
                       std::span<const float> worth, std::span<const std::int32_t> groups,
                       const TemporalGraph& data, int threads, const Pause& pause) {
  HistoryFit result{.worth = {worth.begin(), worth.end()}};
  ThreadPool pool(threads);
  const HistoryQuestions asked(asker, features, worth, data, pool, pause);
  if (asked.questions.empty()) return result;
  // A model that is too sure of itself would have its features make up for it.
  std::size_t sharpness = 0;
  result.before = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < sharpnesses.size(); ++s) {
    const double loss = Fit(asked, worth, groups, s, pool, pause).mean_loss();
    if (loss >= result.before) continue;
    result.before = loss;
    sharpness = s;
  }
  Fit fit(asked, worth, groups, sharpness, pool, pause);
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
