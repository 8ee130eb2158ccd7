// The runs of a sweep on disk: OUT/runs/TRIAL-SEED.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "orrery/sweep.h"

namespace orrery {

std::filesystem::path run_of_trial(const std::filesystem::path& out, std::int64_t trial,
                                   std::uint64_t seed);

// Trains the run, goes on with it, or, where it is trained that far, only reads what came of it.
// Nothing: it was interrupted. Where it was of other facts than `data_fingerprint` says, it is a
// request Error.
std::optional<TrialRun> carry_out_run(const TrainOptions& options,
                                      const std::filesystem::path& path,
                                      const std::string& data_fingerprint, TrainObserver& observer);

// Removes the runs of all trials that are not `wanted`. What has another kind of name stays.
void remove_runs(const std::filesystem::path& out, const std::function<bool(std::int64_t)>& wanted);

}  // namespace orrery
