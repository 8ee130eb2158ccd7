// A directory in one process's hands, from before it is looked at until the work in it is done.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/directory_lock.h"

namespace orrery {

// Locked, and free of what killed saves left in it. A directory that another process holds, or that
// cannot be, is a request Error.
class HeldDirectory {
 public:
  // Made where it is not there. Who leaves nothing in it leaves no directory either.
  static HeldDirectory make(const std::filesystem::path& path);
  static HeldDirectory existing(const std::filesystem::path& path);
  ~HeldDirectory();
  HeldDirectory(HeldDirectory&&) noexcept = default;
  HeldDirectory& operator=(HeldDirectory&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit HeldDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  void clean() const;
  void make_missing();
  void remove_empty() noexcept;

  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  // the outermost first
  std::optional<DirectoryLock> lock_;
};

}  // namespace orrery
