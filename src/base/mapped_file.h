// A file seen as memory, read-only. The pages come from the disk when they are looked at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace orrery {

// The view stays whole when the file is renamed over or removed; it must not be truncated in place
// (our own writers never do: they write aside and rename).
class MappedFile {
 public:
  // A path that is absent, unreadable or no regular file is a request Error.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

 private:
  std::span<const std::byte> bytes_;  // empty: nothing is mapped
};

}  // namespace orrery
