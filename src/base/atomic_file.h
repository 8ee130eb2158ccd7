// A file appears under its name whole or not at all: written aside, fsynced, then renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace orrery {

class AtomicFile {
 public:
  // Opens a temporary file beside `target`; nothing is visible under `target` before commit().
  explicit AtomicFile(std::filesystem::path target);
  // Without commit() the temporary is removed and `target` stays as it was.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  void flush();
  void write_through(std::span<const std::byte> bytes);
  [[noreturn]] void fail_to_write(int code) const;

  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
  std::vector<std::byte> pending_;
};

void write_file_atomically(const std::filesystem::path& target, std::string_view text);

// Removes what saves that were killed left in `directory`: nothing but temporaries of AtomicFile.
// The caller holds the directory's lock, so that none of them is still being written. What cannot
// be removed stays: it does no harm but take room.
void remove_stale_temporaries(const std::filesystem::path& directory);

// Gives a finished file its final name on the same file system, durably, replacing what was there.
void publish_file(const std::filesystem::path& finished, const std::filesystem::path& target);

}  // namespace orrery
