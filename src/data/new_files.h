// How facts that the program makes come to disk.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct NewFile {
  std::string_view name;
  std::string text;
};

// Returns the paths. A file of that name with other content is never overwritten: a request Error,
// before anything is written.
std::vector<std::filesystem::path> write_new_files(std::span<const NewFile> files,
                                                   const std::filesystem::path& directory);

}  // namespace orrery
