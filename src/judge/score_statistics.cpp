#include <cmath>

#include "orrery/scores.h"

namespace orrery {

ScoreStatistics statistics_of(std::span<const Scores> runs) {
  ScoreStatistics result;
  const auto count = static_cast<double>(runs.size());
  for (const ScorePart& part : score_parts) {
    double sum = 0, squares = 0;
    for (const Scores& run : runs) sum += run.*part.value;
    const double mean = sum / count;
    for (const Scores& run : runs) squares += std::pow(run.*part.value - mean, 2);
    result.mean.*part.value = mean;
    result.deviation.*part.value = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
  }
  return result;
}

}  // namespace orrery
