// A sweep's directory belongs to one sweep.
#pragma once

#include <filesystem>

#include "orrery/sweep.h"

namespace orrery {

// Writes sweep.toml. Where one is that says otherwise, all that differs is named in a request
// Error, but for what may change: how fast it goes, the runs that are kept, more random trials.
void settle_directory(const SweepOptions& options, const std::filesystem::path& out);

}  // namespace orrery
