// Benchmark sets that are opened by their names: fetched once and kept.
#pragma once

#include <filesystem>
#include <string_view>

#include "orrery/benchmarks.h"

namespace orrery {

// Its directory, complete: in $ORRERY_DATA, else in the user's cache folder.
std::filesystem::path cached_benchmark(std::string_view name, const FetchObserver& observer);

}  // namespace orrery
