#include "judge/reliability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace orrery {
namespace {

ReliabilityBin bin_of(std::span<const Prediction> predictions) {
  ReliabilityBin bin{.count = predictions.size()};
  for (const Prediction& one : predictions) {
    bin.probability += one.probability;
    bin.truth += one.truth;
  }
  const double count = std::max<double>(1, static_cast<double>(bin.count));
  bin.probability /= count;
  bin.truth /= count;
  return bin;
}

double error_of(const ReliabilityBin& bin, std::size_t all) {
  return std::abs(bin.probability - bin.truth) * static_cast<double>(bin.count) /
         static_cast<double>(all);
}

}  // namespace

// Sorted by probability, bins of either kind are next to each other. Truth has no part in the
// order, so that equal probabilities are not sorted by it.
Reliability reliability_of(std::vector<Prediction> predictions) {
  std::ranges::stable_sort(predictions, {}, &Prediction::probability);
  Reliability result;
  const std::size_t all = predictions.size();
  const std::span<const Prediction> sorted = predictions;
  std::size_t wide = 0;
  for (std::size_t i = 0; i < reliability_bins; ++i) {
    const std::size_t first = all * i / reliability_bins, end = all * (i + 1) / reliability_bins;
    if (end > first) result.bins.push_back(bin_of(sorted.subspan(first, end - first)));
    const double highest = static_cast<double>(i + 1) / reliability_bins;
    const std::size_t begin = wide;
    while (wide < all && (sorted[wide].probability < highest || i + 1 == reliability_bins)) ++wide;
    if (wide > begin)
      result.equal_width += error_of(bin_of(sorted.subspan(begin, wide - begin)), all);
  }
  for (const ReliabilityBin& bin : result.bins) result.equal_mass += error_of(bin, all);
  return result;
}

}  // namespace orrery
