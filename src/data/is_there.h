// Whether something is at a path.
#pragma once

#include <filesystem>

namespace orrery {

// A path that cannot be looked at (a loop of links, a name too long, no permission) is a request
// Error that says why.
bool is_there(const std::filesystem::path& path);

}  // namespace orrery
