#include "judge/fit_mix.h"

#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "judge/mix_likelihood.h"

namespace orrery {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By more than twice the standard error of the difference, question by question.
bool clearly_better(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> gains(one.size());
  for (std::size_t i = 0; i < one.size(); ++i) gains[i] = one[i] - other[i];
  const double mean = mean_of(gains);
  double squares = 0;
  for (const double gain : gains) squares += (gain - mean) * (gain - mean);
  return mean > 2 * std::sqrt(squares) / static_cast<double>(gains.size());
}

using Half = std::optional<bool>;

std::vector<double> fitted_weights(const MixLikelihood& likelihood, std::size_t parts, Half half) {
  std::vector<std::size_t> all(parts);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return likelihood.fit(all, half);
}

// Each part in units of its own best sharpness.
std::vector<double> average_weights(const MixLikelihood& likelihood, std::size_t parts, Half half) {
  std::vector<double> weights(parts);
  for (std::size_t part = 0; part < parts; ++part)
    weights[part] = likelihood.fit(std::span(&part, 1), half)[part] / static_cast<double>(parts);
  return weights;
}

// Of questions that were left out when the weights were made.
template <class Weights>
std::vector<double> held_out_ranks(const MixLikelihood& likelihood, std::size_t questions,
                                   const Weights& weights_of) {
  std::vector<double> result(questions);
  for (const bool half : {false, true}) {
    const std::vector<double> ranks = likelihood.reciprocal_ranks(weights_of(Half(!half)));
    for (std::size_t q = 0; q < questions; ++q)
      if (MixRivals::half_of(q) == half) result[q] = ranks[q];
  }
  return result;
}

}  // namespace

MixFit fit_mix(std::span<Asker* const> parts, const TemporalGraph& data, int threads) {
  if (data.split(Split::valid).empty())
    fail_request(About{.option = "data"},
                 "there are no validation facts, on which a mixture's weights are chosen");
  const MixRivals rivals(parts, data);
  ThreadPool pool(threads);
  const MixLikelihood likelihood(rivals, pool);
  MixFit fit{.facts = rivals.facts()};
  std::vector<double> best;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::vector<double> weights(parts.size());
    weights[part] = 1;
    std::vector<double> ranks = likelihood.reciprocal_ranks(weights);
    const double mrr = mean_of(ranks);
    if (part > 0 && mrr <= fit.mrr_of_best) continue;
    fit.best_part = part;
    fit.mrr_of_best = mrr;
    fit.weights = std::move(weights);
    best = std::move(ranks);
  }

  const auto average = [&](Half half) { return average_weights(likelihood, parts.size(), half); };
  const auto fitted = [&](Half half) { return fitted_weights(likelihood, parts.size(), half); };
  const auto by_average = held_out_ranks(likelihood, rivals.questions(), average);
  const auto by_fit = held_out_ranks(likelihood, rivals.questions(), fitted);
  fit.mrr_of_average = mean_of(by_average);
  fit.mrr_of_fitted = mean_of(by_fit);
  const bool fits_best = fit.mrr_of_fitted > fit.mrr_of_average;
  if (!clearly_better(fits_best ? by_fit : by_average, best)) return fit;
  fit.kind = fits_best ? MixKind::fitted : MixKind::average;
  fit.weights = fits_best ? fitted({}) : average({});
  return fit;
}

}  // namespace orrery
