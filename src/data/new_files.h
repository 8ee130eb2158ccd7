// How facts that the program makes come to disk.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/directory_lock.h"
#include "base/mapped_file.h"

namespace orrery {

// Files that are written piece by piece, side by side, and appear together. One that is there
// already is never overwritten: pieces are held against it, and the first that differs is a request
// Error, after which nothing has been written.
class NewFiles {
 public:
  // The directory is made where it is not there.
  NewFiles(std::span<const std::string_view> names, const std::filesystem::path& directory);

  void append(std::size_t file, std::string_view text);
  std::vector<std::filesystem::path> commit();  // the paths

 private:
  struct Target {
    std::filesystem::path path;
    std::optional<AtomicFile> fresh;
    std::optional<MappedFile> present;
    std::size_t compared = 0;  // bytes of what is present
  };

  std::optional<DirectoryLock> lock_;
  std::deque<Target> targets_;
};

struct NewFile {
  std::string_view name;
  std::string text;
};

// The same of whole texts.
std::vector<std::filesystem::path> write_new_files(std::span<const NewFile> files,
                                                   const std::filesystem::path& directory);

}  // namespace orrery
