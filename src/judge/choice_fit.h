// Conditional logistic regression: which of some candidates was chosen, by a weighted sum of their
// features.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "judge/logistic_fit.h"

namespace orrery {

// One choice; the first candidate is the one that was chosen.
template <std::size_t N>
using ChoiceSet = std::vector<std::array<double, N>>;

// How unlikely the choices are: −log p of all, and what shrinks the weights towards `start`.
template <std::size_t N>
struct ChoiceLoss {
  std::span<const ChoiceSet<N>> choices;
  std::array<double, N> start;
  double shrinkage = 1;

  double at(const std::array<double, N>& weights) const {
    double loss = 0;
    for (std::size_t i = 0; i < N; ++i)
      loss += shrinkage / 2 * (weights[i] - start[i]) * (weights[i] - start[i]);
    for (const ChoiceSet<N>& choice : choices) {
      const auto shares = log_shares(weights, choice);
      loss -= shares.front();
    }
    return loss;
  }

  // Newton's step to its minimum.
  std::array<double, N> step(const std::array<double, N>& weights) const {
    std::array<double, N> gradient = {};
    std::array<std::array<double, N>, N> curvature = {};
    for (std::size_t i = 0; i < N; ++i) {
      gradient[i] = shrinkage * (weights[i] - start[i]);
      curvature[i][i] = shrinkage;
    }
    for (const ChoiceSet<N>& choice : choices) add(weights, choice, gradient, curvature);
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < i; ++j) curvature[i][j] = curvature[j][i];
    return solved(curvature, gradient);
  }

 private:
  static std::vector<double> log_shares(const std::array<double, N>& weights,
                                        const ChoiceSet<N>& choice) {
    std::vector<double> sums;
    sums.reserve(choice.size());
    for (const auto& features : choice) sums.push_back(weighted_sum(weights, features));
    const double highest = *std::ranges::max_element(sums);
    double total = 0;
    for (const double sum : sums) total += std::exp(sum - highest);
    for (double& sum : sums) sum -= highest + std::log(total);
    return sums;
  }

  // The upper half of the curvature: the covariance of the features under the shares.
  static void add(const std::array<double, N>& weights, const ChoiceSet<N>& choice,
                  std::array<double, N>& gradient,
                  std::array<std::array<double, N>, N>& curvature) {
    const auto shares = log_shares(weights, choice);
    std::array<double, N> mean = {};
    for (std::size_t c = 0; c < choice.size(); ++c)
      for (std::size_t i = 0; i < N; ++i) mean[i] += std::exp(shares[c]) * choice[c][i];
    for (std::size_t i = 0; i < N; ++i) gradient[i] += mean[i] - choice.front()[i];
    for (std::size_t c = 0; c < choice.size(); ++c) {
      const double share = std::exp(shares[c]);
      std::array<double, N> apart;
      for (std::size_t i = 0; i < N; ++i) apart[i] = choice[c][i] - mean[i];
      for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = i; j < N; ++j) curvature[i][j] += share * apart[i] * apart[j];
    }
  }
};

}  // namespace orrery
