// Numbers summed up for a person: how they are spread, and whether two lists rise together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "orrery/scores.h"

namespace orrery {

// Bars of equal width from the least to the most, about √n of them for n values; one bar where all
// values are the same.
struct Histogram {
  double mean = 0, deviation = 0, least = 0, most = 0;  // the deviation of one value is 0
  double width = 0;                  // of a bar, the first of which begins at `least`
  std::vector<std::int64_t> counts;  // empty: there were no values
};

inline Histogram histogram_of(std::span<const double> values) {
  Histogram h;
  if (values.empty()) return h;
  const auto count = static_cast<double>(values.size());
  const auto [least, most] = std::ranges::minmax(values);
  h.least = least;
  h.most = most;
  const Statistics all = statistics_of(values);
  h.mean = all.mean;
  h.deviation = all.deviation;
  const auto bars = static_cast<std::size_t>(std::clamp(std::sqrt(count), 8.0, 60.0));
  h.width = (most - least) / static_cast<double>(bars);
  if (!(h.width > 0)) {
    h.counts = {static_cast<std::int64_t>(values.size())};
    return h;
  }
  h.counts.resize(bars);
  for (const double v : values)
    ++h.counts[std::min(bars - 1, static_cast<std::size_t>((v - least) / h.width))];
  return h;
}

// Places in ascending order from 1; equal values share the mean of theirs.
inline std::vector<double> places_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> places(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      places[order[i]] = 0.5 * static_cast<double>(begin + end + 1);
  }
  return places;
}

// Spearman's: 1 where both rise together, −1 where one falls; NaN where either never changes.
inline double rank_correlation(std::span<const double> a, std::span<const double> b) {
  const auto x = places_of(a), y = places_of(b);
  const double middle = 0.5 * (static_cast<double>(a.size()) + 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace orrery
