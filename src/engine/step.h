// What a training step is made of, for every backend.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace orrery {

// A step takes the examples order(first) … of the permutation that `shuffle_key` names.
struct StepName {
  std::uint64_t shuffle_key = 0;
  std::int64_t first = 0, count = 0;

  // Of what is random in the step itself.
  std::uint64_t key() const { return random_bits(shuffle_key, static_cast<std::uint64_t>(first)); }
  friend bool operator==(const StepName&, const StepName&) = default;
};

// Examples of one time; where candidates do not depend on time, all of a step's.
struct TimeRun {
  std::int32_t time = 0;
  std::int32_t first = 0, count = 0;
};

// Stands for as many examples as a step has.
inline constexpr std::int64_t all_rows = 0;

// Some of a step's examples, by their places in the batch.
struct StepRows {
  std::int64_t first = 0, count = 0;
  bool again = false;  // others were held against the same candidates before
};

}  // namespace orrery
