// The facts of a comparison, read once for all runs that read them in the same way.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "orrery/dataset.h"
#include "orrery/options.h"

namespace orrery {

class Facts {
 public:
  // With `given` facts nothing is read.
  explicit Facts(std::optional<Dataset> given) : given_(std::move(given)) {}

  // `options` are those of a run: its seed cuts a single file that is split at random.
  const Dataset& of(const TrainOptions& options);

 private:
  std::optional<Dataset> given_;
  std::map<std::pair<std::string, DataOptions>, Dataset> read_;
};

}  // namespace orrery
