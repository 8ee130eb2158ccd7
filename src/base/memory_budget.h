// How much memory may be used, and how much was: sizes as people write them, and this machine's
// and this process's figures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

// "4G", "512M", "1.5GiB", "800MB" to bytes: K, M, G, T and KiB … TiB are powers of 1024, KB … TB of
// 1000, B is bytes; upper or lower case. Anything else, zero included, is a request Error.
std::uint64_t parse_memory(std::string_view text);

std::string format_memory(std::uint64_t bytes);  // "1.6 GiB"

// What this process may still take: the kernel's MemAvailable, or the limit of a control group
// (version 1 or 2) around the process where that is less. `root` is another "/" in tests.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

// Three quarters of that: the rest is left to the libraries' own buffers and to other programs.
std::uint64_t default_memory_budget(const std::filesystem::path& root = "/");

// The most memory the process has had at a time since this was made.
class PeakMemory {
 public:
  explicit PeakMemory(std::filesystem::path root = "/");
  // Nothing where the kernel does not start counting when it is asked to.
  std::optional<std::uint64_t> bytes() const;

 private:
  std::filesystem::path root_;
  bool counts_ = false;
};

}  // namespace orrery
