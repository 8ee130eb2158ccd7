// Logistic regression of a few features.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace orrery {

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

template <std::size_t N>
double weighted_sum(const std::array<double, N>& weights, const std::array<double, N>& features) {
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += weights[i] * features[i];
  return sum;
}

template <std::size_t N>
struct LogisticPoint {
  std::array<double, N> features;
  bool truth = false;
};

// The solution of a symmetric positive system, by elimination.
template <std::size_t N>
std::array<double, N> solved(std::array<std::array<double, N>, N> matrix,
                             std::array<double, N> right) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t row = i + 1; row < N; ++row) {
      const double factor = matrix[row][i] / matrix[i][i];
      for (std::size_t column = i; column < N; ++column)
        matrix[row][column] -= factor * matrix[i][column];
      right[row] -= factor * right[i];
    }
  for (std::size_t i = N; i-- > 0;) {
    for (std::size_t column = i + 1; column < N; ++column)
      right[i] -= matrix[i][column] * right[column];
    right[i] /= matrix[i][i];
  }
  return right;
}

// How unlikely the points are: −log p of all, and what shrinks the weights towards `start`.
template <std::size_t N>
struct LogisticLoss {
  std::span<const LogisticPoint<N>> points;
  std::array<double, N> start;
  double shrinkage = 1;

  double at(const std::array<double, N>& weights) const {
    double loss = 0;
    for (std::size_t i = 0; i < N; ++i)
      loss += shrinkage / 2 * (weights[i] - start[i]) * (weights[i] - start[i]);
    for (const auto& [x, truth] : points) {
      const double sum = weighted_sum(weights, x);
      loss += std::max(sum, 0.0) + std::log1p(std::exp(-std::abs(sum))) - (truth ? sum : 0);
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
    for (const auto& [x, truth] : points) {
      const double p = sigmoid(weighted_sum(weights, x));
      for (std::size_t i = 0; i < N; ++i) {
        gradient[i] += (p - truth) * x[i];
        for (std::size_t j = 0; j < N; ++j) curvature[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    return solved(curvature, gradient);
  }
};

// The minimum of a convex loss, by Newton's steps, each halved until it leads down.
template <class Loss>
auto lowest_of(const Loss& loss) {
  constexpr int most_rounds = 60, most_halvings = 30;
  constexpr double least_gain = 1e-9;
  auto weights = loss.start;
  double reached = loss.at(weights);
  for (int round = 0; round < most_rounds; ++round) {
    const auto step = loss.step(weights);
    double share = 1, next = reached;
    auto tried = weights;
    for (int halved = 0; halved < most_halvings; ++halved, share /= 2) {
      for (std::size_t i = 0; i < step.size(); ++i) tried[i] = weights[i] - share * step[i];
      next = loss.at(tried);
      if (next < reached) break;
    }
    if (!(next < reached - least_gain * std::abs(reached))) break;
    weights = tried;
    reached = next;
  }
  return weights;
}

// Weights that make the points likely; `shrinkage` pulls them towards `start`. Where the weight of
// one of the first `rising` features is negative, that has no part: what speaks for a truth must
// never speak against it.
template <std::size_t N>
std::array<double, N> fit_logistic(std::vector<LogisticPoint<N>> points,
                                   std::array<double, N> start, double shrinkage,
                                   std::size_t rising = 0) {
  for (;;) {
    std::array<double, N> weights = lowest_of(LogisticLoss<N>{points, start, shrinkage});
    bool rises = true;
    for (std::size_t i = 0; i < rising; ++i) {
      if (weights[i] >= 0) continue;
      rises = false;
      start[i] = 0;
      for (LogisticPoint<N>& point : points) point.features[i] = 0;
    }
    if (rises) return weights;
  }
}

}  // namespace orrery
