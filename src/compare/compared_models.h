// Who takes part in a comparison.
#pragma once

#include <cstdint>
#include <filesystem>

#include "orrery/compare.h"

namespace orrery {

std::filesystem::path run_of(const ComparedModel& model, std::uint64_t seed,
                             const std::filesystem::path& out);

// With names, and the facts as they call themselves. Refuses two of one name or of the same
// options, other data, and models that are not validated.
CompareOptions settled(CompareOptions options);

}  // namespace orrery
