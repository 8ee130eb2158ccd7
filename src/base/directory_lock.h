// One process at a time in a directory.
#pragma once

#include <filesystem>

namespace orrery {

// Held as long as the object lives; the kernel lets go of it when a process ends, however it ends.
class DirectoryLock {
 public:
  // A request Error when another process holds it.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;

  // False: the directory was removed, or replaced by another, before the lock was taken.
  bool is_of(const std::filesystem::path& directory) const;

 private:
  int descriptor_ = -1;
};

}  // namespace orrery
