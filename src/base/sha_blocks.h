// What SHA-1 and SHA-256 share: 64-byte blocks, a padded tail that ends in the bit count, and a
// state of 32-bit words written as hex.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace orrery {

template <std::size_t words>
class ShaBlocks {
 public:
  using State = std::array<std::uint32_t, words>;
  static constexpr std::size_t block_size = 64;
  // Folds `blocks` whole blocks into the state.
  using Compress = void (*)(State& state, const std::byte* bytes, std::size_t blocks);

  ShaBlocks(const State& start, Compress compress) : state_(start), compress_(compress) {}

  void update(std::span<const std::byte> bytes) {
    length_ += bytes.size();
    if (held_ > 0) {
      const std::size_t taken = std::min(block_size - held_, bytes.size());
      std::copy_n(bytes.begin(), taken, tail_.begin() + static_cast<std::ptrdiff_t>(held_));
      held_ += taken;
      bytes = bytes.subspan(taken);
      if (held_ < block_size) return;
      compress_(state_, tail_.data(), 1);
      held_ = 0;
    }
    const std::size_t whole = bytes.size() / block_size;
    if (whole > 0) compress_(state_, bytes.data(), whole);
    bytes = bytes.subspan(whole * block_size);
    std::copy(bytes.begin(), bytes.end(), tail_.begin());
    held_ = bytes.size();
  }

  // The digest of all bytes so far; more may follow.
  std::string hex_digest() const {
    ShaBlocks closed = *this;
    closed.pad();
    std::string text;
    for (const std::uint32_t word : closed.state_) {
      for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
    }
    return text;
  }

 private:
  void pad() {
    const std::uint64_t bits = length_ * 8;
    std::array<std::byte, 2 * block_size> padding{};
    padding[0] = std::byte{0x80};
    const std::size_t zeros_end = (held_ < 56 ? 56 : 120) - held_;
    for (std::size_t i = 0; i < 8; ++i) {
      padding[zeros_end + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    }
    update(std::span(padding).first(zeros_end + 8));
  }

  State state_;
  Compress compress_;
  std::uint64_t length_ = 0;
  std::size_t held_ = 0;
  std::array<std::byte, block_size> tail_{};
};

// Both hashes read their words high byte first.
inline std::uint32_t sha_word(const std::byte* bytes) {
  return std::to_integer<std::uint32_t>(bytes[0]) << 24 |
         std::to_integer<std::uint32_t>(bytes[1]) << 16 |
         std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

}  // namespace orrery
