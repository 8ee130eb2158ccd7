// CRC-32C (Castagnoli): finds every flipped bit and every run of damage of up to 32 bits, at the
// speed of memory. Values are those of every other implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery {

class ThreadPool;

// `before`: the checksum of what stands before these bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

// Without the processor's instruction for it: the same value, more slowly.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before = 0);

// Of two pieces side by side, from the checksum of each and the length of the second.
std::uint32_t crc32c_joined(std::uint32_t first, std::uint32_t second, std::uint64_t second_length);

// Cut into blocks for the team's threads: the same value again.
std::uint32_t crc32c(std::span<const std::byte> bytes, ThreadPool& team);

}  // namespace orrery
