// The file that a download grows in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace orrery {

// Locked, so that two processes never write the same one. What it holds outlives the object, except
// where that is nothing: an empty file is removed.
class PartFile {
 public:
  explicit PartFile(std::filesystem::path path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::uint64_t size() const { return size_; }
  void restart();
  void append(const char* bytes, std::size_t count);

 private:
  [[noreturn]] void fail_disk() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace orrery
