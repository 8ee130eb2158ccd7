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

  // False: the file system has no locks, and nobody is kept out.
  bool is_real() const { return descriptor_ >= 0; }
  // False: the directory was removed, or replaced by another, before the lock was taken.
  bool is_of(const std::filesystem::path& directory) const;

 private:
  int descriptor_ = -1;
};

}  // namespace orrery
