#include "judge/mix_likelihood.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orrery/evaluate.h"

namespace orrery {
namespace {

constexpr std::size_t questions_a_task = 64;
constexpr int most_steps = 50, most_halvings = 30, sweeps = 200;
constexpr double weight_precision = 1e-5;  // of weights, in units of themselves
// Of a part's leads, in squares and beside all questions together: a model that is always right
// would weigh infinitely.
constexpr double mix_shrinkage = 0.01;

// Weighted leads of a question's rivals.
void mix_leads(std::span<const float> leads, std::size_t parts, std::span<const double> weights,
               std::vector<double>& mixed) {
  const std::size_t rivals = leads.size() / parts;
  mixed.assign(rivals, 0.0);
  for (std::size_t p = 0; p < parts; ++p) {
    if (weights[p] == 0) continue;
    const float* of_part = leads.data() + p * rivals;
    for (std::size_t i = 0; i < rivals; ++i) mixed[i] += weights[p] * of_part[i];
  }
}

// The step that minimises gradient · step + step · curvature · step / 2 where no weight falls below
// zero: coordinate by coordinate, for there are few.
std::vector<double> newton_step(const std::vector<double>& gradient,
                                const std::vector<double>& curvature,
                                const std::vector<double>& weights) {
  const std::size_t size = weights.size();
  std::vector<double> step(size);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 0; i < size; ++i) {
      double slope = gradient[i];
      for (std::size_t j = 0; j < size; ++j) slope += curvature[i * size + j] * step[j];
      step[i] = std::max(-weights[i], step[i] - slope / curvature[i * size + i]);
    }
  return step;
}

}  // namespace

MixLikelihood::MixLikelihood(const MixRivals& rivals, ThreadPool& pool, std::size_t most_rivals)
    : rivals_(rivals), pool_(pool), spreads_(rivals.parts()) {
  std::size_t all_rivals = 0;
  for (std::size_t q = 0; q < rivals.questions(); ++q) {
    const auto leads = rivals.leads(q);
    const std::size_t count = leads.size() / rivals.parts();
    all_rivals += count;
    if (count == 0) continue;
    for (std::size_t p = 0; p < rivals.parts(); ++p) {
      double squares = 0;
      for (const float lead : leads.subspan(p * count, count))
        squares += static_cast<double>(lead) * lead;
      spreads_[p] += squares / static_cast<double>(count * rivals.questions());
    }
  }
  stride_ += all_rivals / most_rivals;
  // A part that gives all the same score: whatever it weighs, it must not divide by zero.
  for (double& spread : spreads_) spread = std::max(spread, 1e-12);
}

void MixLikelihood::add_question(std::size_t question, std::span<const double> weights,
                                 std::span<const std::size_t> free, Slope& sum) const {
  thread_local std::vector<double> shares, means;
  const auto leads = rivals_.leads(question);
  mix_leads(leads, rivals_.parts(), weights, shares);
  const double highest = std::accumulate(shares.begin(), shares.end(), 0.0,
                                         [](double a, double b) { return std::max(a, b); });
  double total = std::exp(-highest);  // the answer's own lead is 0
  for (double& share : shares) total += share = std::exp(share - highest);
  sum.loss += highest + std::log(total);
  sum.count += 1;
  const std::size_t rivals = shares.size(), size = free.size();
  means.assign(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    const float* own = leads.data() + free[i] * rivals;
    for (std::size_t c = 0; c < rivals; ++c) means[i] += shares[c] * own[c];
    means[i] /= total;
    sum.gradient[i] += means[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const float* other = leads.data() + free[j] * rivals;
      double product = 0;
      for (std::size_t c = 0; c < rivals; ++c) product += shares[c] * own[c] * other[c];
      sum.curvature[i * size + j] += product / total - means[i] * means[j];
    }
  }
}

void MixLikelihood::add_shrinkage(std::span<const double> weights,
                                  std::span<const std::size_t> free, Slope& sum) const {
  const std::size_t size = free.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double pull = mix_shrinkage * spreads_[free[i]], weight = weights[free[i]];
    sum.loss += pull * weight * weight / 2;
    sum.gradient[i] += pull * weight;
    sum.curvature[i * size + i] += pull;
    for (std::size_t j = 0; j < i; ++j) sum.curvature[j * size + i] = sum.curvature[i * size + j];
  }
}

// Sums of tasks are added in their order: the number of threads changes nothing.
MixLikelihood::Slope MixLikelihood::slope_at(std::span<const double> weights,
                                             std::span<const std::size_t> free,
                                             std::optional<bool> half) const {
  const Slope none{.gradient = std::vector<double>(free.size()),
                   .curvature = std::vector<double>(free.size() * free.size())};
  std::vector<Slope> sums((rivals_.questions() + questions_a_task - 1) / questions_a_task, none);
  parallel_for(pool_, rivals_.questions(), questions_a_task,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q)
                   if (q / (2 * queries_per_fact) % stride_ == 0 &&
                       (!half || MixRivals::half_of(q) == *half))
                     add_question(q, weights, free, sums[begin / questions_a_task]);
               });
  Slope all = none;
  for (const Slope& one : sums) {
    all.loss += one.loss;
    all.count += one.count;
    for (std::size_t i = 0; i < all.gradient.size(); ++i) all.gradient[i] += one.gradient[i];
    for (std::size_t i = 0; i < all.curvature.size(); ++i) all.curvature[i] += one.curvature[i];
  }
  add_shrinkage(weights, free, all);
  return all;
}

std::vector<double> MixLikelihood::fit(std::span<const std::size_t> free,
                                       std::optional<bool> half) const {
  std::vector<double> weights(rivals_.parts());
  Slope here = slope_at(weights, free, half);
  for (int round = 0; round < most_steps; ++round) {
    std::vector<double> own;
    for (const std::size_t part : free) own.push_back(weights[part]);
    const std::vector<double> step = newton_step(here.gradient, here.curvature, own);
    double share = 1;
    Slope there;
    std::vector<double> next = weights;
    for (int halving = 0; halving <= most_halvings; ++halving, share /= 2) {
      for (std::size_t i = 0; i < free.size(); ++i)
        next[free[i]] = std::max(0.0, own[i] + share * step[i]);
      there = slope_at(next, free, half);
      if (there.loss <= here.loss) break;
    }
    if (there.loss > here.loss) break;
    bool arrived = true;
    for (std::size_t i = 0; i < free.size(); ++i)
      arrived &= std::abs(next[free[i]] - own[i]) <= weight_precision * (weight_precision + own[i]);
    weights = std::move(next);
    here = std::move(there);
    if (arrived) break;
  }
  return weights;
}

double MixLikelihood::loss(std::span<const double> weights) const {
  std::vector<std::size_t> all(rivals_.parts());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Slope slope = slope_at(weights, all, {});
  return slope.loss / std::max(1.0, slope.count);
}

std::vector<double> MixLikelihood::reciprocal_ranks(std::span<const double> weights) const {
  std::vector<double> ranks(rivals_.questions());
  parallel_for(pool_, ranks.size(), questions_a_task, [&](std::size_t begin, std::size_t end) {
    std::vector<double> mixed;
    for (std::size_t q = begin; q < end; ++q) {
      mix_leads(rivals_.leads(q), rivals_.parts(), weights, mixed);
      const auto ahead = std::ranges::count_if(mixed, [](double lead) { return lead >= 0; });
      ranks[q] = 1.0 / static_cast<double>(1 + ahead);
    }
  });
  return ranks;
}

}  // namespace orrery
