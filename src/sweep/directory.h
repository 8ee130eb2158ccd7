// A sweep's directory belongs to one sweep.
#pragma once

#include <filesystem>

#include "orrery/sweep.h"

namespace orrery {

// Where a sweep.toml is that says otherwise, all that differs is named in a request Error, but for
// what may change: where the data is, how fast it goes, the runs that are kept, more random trials.
// Where there is none, anything else but hidden files is refused: runs of others would be mixed in.
// The caller holds the directory.
void check_directory(const SweepOptions& options, const std::filesystem::path& out);
void write_sweep_toml(const SweepOptions& options, const std::filesystem::path& out);

}  // namespace orrery
