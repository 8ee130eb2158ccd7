// Stable sorts by the bits [begin, end) of unsigned keys. Without a space they say how much they
// need, as CUB's do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "cuda_runtime_api.h"

namespace cub {

struct DeviceRadixSort {
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* space, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                               const Value* values, Value* sorted_values, Count count,
                               int begin = 0, int end = sizeof(Key) * 8, cudaStream_t = nullptr) {
    if (space == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    const std::vector<std::size_t> order = order_of(keys, count, begin, end);
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted_keys[i] = keys[order[i]];
      sorted_values[i] = values[order[i]];
    }
    return cudaSuccess;
  }

  template <class Key, class Count>
  static cudaError_t SortKeys(void* space, std::size_t& bytes, const Key* keys, Key* sorted,
                              Count count, int begin = 0, int end = sizeof(Key) * 8,
                              cudaStream_t = nullptr) {
    if (space == nullptr) {
      bytes = 1;
      return cudaSuccess;
    }
    const std::vector<std::size_t> order = order_of(keys, count, begin, end);
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = keys[order[i]];
    return cudaSuccess;
  }

 private:
  template <class Key, class Count>
  static std::vector<std::size_t> order_of(const Key* keys, Count count, int begin, int end) {
    const auto part = [&](std::size_t i) {
      const unsigned long long shifted = static_cast<unsigned long long>(keys[i]) >> begin;
      return end - begin >= 64 ? shifted : shifted & ((1ULL << (end - begin)) - 1);
    };
    std::vector<std::size_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return part(a) < part(b); });
    return order;
  }
};

}  // namespace cub
