#include <cmath>
#include <vector>

#include "orrery/scores.h"

namespace orrery {

Statistics statistics_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  for (const double value : values) squares += std::pow(value - mean, 2);
  return {mean, count > 1 ? std::sqrt(squares / (count - 1)) : 0};
}

ScoreStatistics statistics_of(std::span<const Scores> runs) {
  ScoreStatistics result;
  for (const ScorePart& part : score_parts) {
    std::vector<double> values;
    for (const Scores& run : runs) values.push_back(run.*part.value);
    const Statistics of_part = statistics_of(values);
    result.mean.*part.value = of_part.mean;
    result.deviation.*part.value = of_part.deviation;
  }
  return result;
}

}  // namespace orrery
