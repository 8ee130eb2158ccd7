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
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace orrery
