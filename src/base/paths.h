// Questions about paths that people give. Whatever keeps them from being answered (links in a
// circle, a name too long, no permission) is a request Error, where std::filesystem throws its own.
#pragma once

#include <filesystem>

namespace orrery {

bool path_exists(const std::filesystem::path& path);
bool is_directory_at(const std::filesystem::path& path);

}  // namespace orrery
