// How demo worlds come to disk.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct DemoFile {
  std::string_view name;
  std::string text;
};

// Returns the paths. A file of that name with other content is never overwritten: a request Error,
// before anything is written.
std::vector<std::filesystem::path> write_demo_files(std::span<const DemoFile> files,
                                                    const std::filesystem::path& directory);

}  // namespace orrery
