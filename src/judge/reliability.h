// How far probabilities are from the shares that came true.
#pragma once

#include <vector>

#include "orrery/calibration.h"

namespace orrery {

struct Prediction {
  double probability = 0;
  bool truth = false;
};

inline constexpr std::size_t reliability_bins = 15;

Reliability reliability_of(std::vector<Prediction> predictions);

}  // namespace orrery
