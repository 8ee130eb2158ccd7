// Sorted lists: places in them, and how many bits a sort must look at.
#pragma once

#include <cstdint>

namespace orrery::cuda {

// The first place in [first, end) whose item is not below `item`; `end` where there is none.
template <class Item>
__device__ inline std::int32_t lower_bound(const Item* items, std::int32_t first, std::int32_t end,
                                           Item item) {
  while (first < end) {
    const std::int32_t middle = first + (end - first) / 2;
    if (items[middle] < item)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

inline int bits_of(std::uint32_t bound) {
  int bits = 1;
  while (bits < 32 && (bound >> bits) != 0) ++bits;
  return bits;
}

}  // namespace orrery::cuda
