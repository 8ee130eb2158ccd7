// Random numbers as pure functions of (key, counter): no state to save, the same on every device.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

// Inlined by force: kernels compiled for one instruction set must not share functions with others.
#define ORRERY_RANDOM_INLINE __attribute__((always_inline)) constexpr

namespace orrery {

// The finaliser of splitmix64: a bijection of 64-bit words with full avalanche.
ORRERY_RANDOM_INLINE std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

ORRERY_RANDOM_INLINE std::uint64_t random_bits(std::uint64_t key, std::uint64_t counter) {
  return mix(mix(key) ^ mix(counter ^ 0x6a09e667f3bcc909ULL));
}

// Uniform in [0, 1), 53 bits.
constexpr double random_uniform(std::uint64_t key, std::uint64_t counter) {
  return static_cast<double>(random_bits(key, counter) >> 11) * 0x1.0p-53;
}

// Uniform in {0, …, bound − 1}.
constexpr std::uint32_t random_below(std::uint64_t key, std::uint64_t counter,
                                     std::uint32_t bound) {
  return static_cast<std::uint32_t>(((random_bits(key, counter) >> 32) * bound) >> 32);
}

// Standard normal by Box and Muller.
inline double random_normal(std::uint64_t key, std::uint64_t counter) {
  const double u = 1.0 - random_uniform(key, 2 * counter);
  const double v = random_uniform(key, 2 * counter + 1);
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

// A random permutation of {0, …, size − 1} that is computed, not stored: a six-round Feistel
// network over the next power of four, walked until it lands inside.
class RandomPermutation {
 public:
  constexpr RandomPermutation(std::uint64_t size, std::uint64_t key) : size_(size), key_(key) {
    while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
  }

  constexpr std::uint64_t operator()(std::uint64_t index) const {
    do index = shuffle_once(index);
    while (index >= size_);
    return index;
  }

 private:
  constexpr std::uint64_t shuffle_once(std::uint64_t index) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = index >> half_bits_;
    std::uint64_t right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (random_bits(key_ + round, right) & mask);
      left = right;
      right = next;
    }
    return (left << half_bits_) | right;
  }

  std::uint64_t size_, key_;
  int half_bits_ = 1;
};

}  // namespace orrery
