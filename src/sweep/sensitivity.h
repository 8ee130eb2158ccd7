// How much each searched option matters: scores of the trials grouped by its values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "orrery/sweep.h"

namespace orrery {

struct ValueGroup {
  std::string label;  // the value, or the part of a range
  double at = 0;      // where to draw it; of texts nothing
  std::int64_t trials = 0;
  double mean = 0, deviation = 0, best = 0;  // of validation MRR, over these trials
};

struct Sensitivity {
  std::string name;
  bool number = true, logarithmic = false;
  std::vector<ValueGroup> groups;  // of numbers upwards
  const ValueGroup& best() const;  // by mean
  const ValueGroup& worst() const;
};

// Of all options that were tried with different values, the one that matters most first. All
// trials are compared after the first rung.
std::vector<Sensitivity> sensitivities(const Sweep& sweep);

}  // namespace orrery
