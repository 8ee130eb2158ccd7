// Questions about paths that people give. Whatever keeps them from being answered (links in a
// circle, a name too long, no permission) is a request Error, where std::filesystem throws its own.
#pragma once

#include <cstdint>
#include <filesystem>

namespace orrery {

bool path_exists(const std::filesystem::path& path);
bool is_directory_at(const std::filesystem::path& path);
// Whatever is there and no regular file (a pipe would be waited for) is a request Error.
void require_regular_or_nothing(const std::filesystem::path& path);

// Which directory a path leads to, to tell later whether it still does.
struct DirectoryIdentity {
  std::uint64_t device = 0, number = 0;  // zeros: to none

  friend bool operator==(const DirectoryIdentity&, const DirectoryIdentity&) = default;
};
DirectoryIdentity identity_of(const std::filesystem::path& directory);

}  // namespace orrery
