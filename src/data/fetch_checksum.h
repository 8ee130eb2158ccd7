// Knowing a file by its bytes: its SHA-256, or where that is not known the name git gives it.
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

// What a file must be. One of the two may be empty (not known); the SHA-256 decides where it is.
struct Checksum {
  std::string sha256;
  std::string git_blob;

  bool matches(const FileDigest& digest) const;
  const std::string& expected() const { return sha256.empty() ? git_blob : sha256; }
  std::string describe() const;                          // "sha256 a6c7…"
  std::string describe(const FileDigest& digest) const;  // the same kind, of what was found
};

}  // namespace orrery
