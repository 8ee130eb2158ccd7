// Weights of a mixture under which validation's answers are most likely: −log softmax of weighted
// sums of scores is convex in the weights.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "judge/mix_rivals.h"

namespace orrery {

class MixLikelihood {
 public:
  // A few weights need few questions: of more rivals than these, fits ask every so many-th pair of
  // facts, one of each half.
  static constexpr std::size_t usual_rivals = std::size_t{1} << 23;
  MixLikelihood(const MixRivals& rivals, ThreadPool& pool, std::size_t most_rivals = usual_rivals);

  // Newton's method, with no weight below zero: a model that speaks against what it scores highest
  // has nothing to say. Parts that are not `free` weigh nothing. Empty `half`: both.
  std::vector<double> fit(std::span<const std::size_t> free, std::optional<bool> half = {}) const;
  // The mean −log p of the answers, with the little that keeps weights finite.
  double loss(std::span<const double> weights) const;
  // 1 / rank of each question's answer, ties against it.
  std::vector<double> reciprocal_ranks(std::span<const double> weights) const;

 private:
  struct Slope {
    double loss = 0, count = 0;
    std::vector<double> gradient, curvature;  // by place in `free`; and by pairs of them
  };
  Slope slope_at(std::span<const double> weights, std::span<const std::size_t> free,
                 std::optional<bool> half) const;
  void add_question(std::size_t question, std::span<const double> weights,
                    std::span<const std::size_t> free, Slope& sum) const;
  void add_shrinkage(std::span<const double> weights, std::span<const std::size_t> free,
                     Slope& sum) const;

  const MixRivals& rivals_;
  ThreadPool& pool_;
  std::size_t stride_ = 1;       // of pairs of facts
  std::vector<double> spreads_;  // mean squares of the parts' leads
};

}  // namespace orrery
