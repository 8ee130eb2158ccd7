// One run of a comparison: what is left to do of it, and doing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "orrery/compare.h"

namespace orrery {

struct RunLeft {
  RunAhead::Work work = RunAhead::Work::train;
  std::optional<std::string> failure = {};  // why its model failed: it is passed over
};
// What holds another run, one on other facts, or one that cannot be gone on with, is a request
// Error.
RunLeft left_of_run(const std::filesystem::path& run, const TrainOptions& wanted,
                    const Dataset& data);

// Holds the run's directory until it is evaluated. Nothing: it was interrupted. A model that fails
// is an Error of the kind `model`, and failed.txt says so from then on.
std::optional<ComparedRun> carry_out(const TrainOptions& options, const std::filesystem::path& run,
                                     const Dataset& data, TrainObserver& observer, bool keep_model);

}  // namespace orrery
