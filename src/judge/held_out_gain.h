// What a fit gains on questions that were left out of it, a question, and how sure that is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery {

struct HeldOutGain {
  double mean = 0, error = 0;

  // −log p of each question's answer.
  HeldOutGain(const std::vector<double>& before, const std::vector<double>& after) {
    const auto count = static_cast<double>(before.size());
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double gain = before[i] - after[i];
      sum += gain;
      squares += gain * gain;
    }
    mean = sum / count;
    error = std::sqrt(std::max(0.0, squares / count - mean * mean) / count);
  }
  // By twice its standard error.
  bool is_sure() const { return mean > 2 * error; }
};

}  // namespace orrery
