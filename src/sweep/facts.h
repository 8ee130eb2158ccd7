// The facts of a sweep: the same in all trials, and read once for each way in which they pool
// years into classes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "orrery/dataset.h"
#include "orrery/options.h"

namespace orrery {

class TrialFacts {
 public:
  // With `given` facts nothing is read.
  explicit TrialFacts(std::optional<Dataset> given = {}) : given_(std::move(given)) {}

  // `options` are those of a trial. Facts without train or valid are a request Error.
  const Dataset& of(const TrainOptions& options);

 private:
  std::optional<Dataset> given_;
  std::map<std::int64_t, Dataset> read_;  // by min_facts
};

}  // namespace orrery
