// The runs of a sweep on disk: OUT/runs/TRIAL-SEED.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "orrery/sweep.h"

namespace orrery {

// Trains the run, goes on with it, or, where it is trained that far, only reads what came of it.
// Nothing: it was interrupted. A run of other options or facts is a request Error.
std::optional<TrialRun> carry_out_run(const TrainOptions& options,
                                      const std::filesystem::path& path, const Dataset& data,
                                      TrainObserver& observer);

// Removes the runs of all trials that are not `wanted`. What has another kind of name stays.
void remove_runs(const std::filesystem::path& out, const std::function<bool(std::int64_t)>& wanted);

}  // namespace orrery
