// The facts of a sweep: read once for all trials that read them in the same way. Trials differ
// in how years are pooled into classes, at most.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

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
  std::map<std::pair<std::string, DataOptions>, Dataset> read_;
};

}  // namespace orrery
