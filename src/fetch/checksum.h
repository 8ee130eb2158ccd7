// Knowing a file by its bytes: its SHA-256, or where that is not known the name git gives it; and
// how many they are, so that no more of them are taken in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace orrery {

struct FileDigest {
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string git_blob;  // SHA-1 of "blob " + size + NUL + bytes
};
FileDigest digest_file(const std::filesystem::path& path);

struct FileSize {
  std::uint64_t most = 0;  // bytes
  bool exact = true;       // false: only a bound is known
};
constexpr FileSize at_most(std::uint64_t bytes) { return {bytes, false}; }

// What a file must be. One of the two hashes may be empty (not known); the SHA-256 decides where it
// is.
struct Checksum {
  std::string sha256;
  std::string git_blob;
  FileSize size;

  bool matches(const FileDigest& digest) const;
  const std::string& expected() const { return sha256.empty() ? git_blob : sha256; }
  std::string describe() const;                          // "sha256 a6c7…"
  std::string describe(const FileDigest& digest) const;  // the same kind, of what was found
};

}  // namespace orrery
