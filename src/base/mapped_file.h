// A file seen as memory, read-only. The pages come from the disk when they are looked at.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace orrery {

enum class FileUse {
  mapped,
  copied,  // read into memory: nobody can take it away
};

// The view stays whole when the file is renamed over or removed. Where it is mapped, it must not be
// truncated in place (our own writers never do: they write aside and rename).
class MappedFile {
 public:
  // A path that is absent, unreadable or no regular file is a request Error, and so is one that
  // shrinks while it is copied.
  explicit MappedFile(const std::filesystem::path& path, FileUse use = FileUse::mapped);
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
