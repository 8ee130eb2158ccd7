// Fuzzed bytes as a file, for readers that take a path; kept in memory where the system can.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace orrery {

class ScratchFile {
 public:
  ScratchFile(const std::string& ending, std::span<const std::uint8_t> bytes)
      : path_(folder() / ("orrery_fuzz_" + std::to_string(getpid()) + ending)) {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  static std::filesystem::path folder() {
    const std::filesystem::path in_memory = "/dev/shm";
    return access(in_memory.c_str(), W_OK) == 0 ? in_memory
                                                : std::filesystem::temp_directory_path();
  }

  std::filesystem::path path_;
};

// A fuzzer's assertion: the process dies, and libFuzzer keeps the input.
inline void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace orrery
