// How much memory may be used: sizes as people write them, and a default from this machine.
#pragma once

#include <cstdint>
#include <filesystem>
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

}  // namespace orrery
