#include <cmath>

#include "orrery/scores.h"

namespace orrery {

ScoreStatistics statistics_of(std::span<const Scores> runs) {
  ScoreStatistics result;
  const auto count = static_cast<double>(runs.size());
  for (const auto part : score_parts) {
    double sum = 0, squares = 0;
    for (const Scores& run : runs) sum += run.*part;
    const double mean = sum / count;
    for (const Scores& run : runs) squares += std::pow(run.*part - mean, 2);
    result.mean.*part = mean;
    result.deviation.*part = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
  }
  return result;
}

}  // namespace orrery
