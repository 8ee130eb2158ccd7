// Rows in memory: blocks of 16 lanes, the components of a block side by side. The last block is as
// narrow as the lanes that are left, or padded with lanes of zeros where the loops of distances
// read it; zeros follow to the end of the cache line. One layout for every instruction set, so
// results can be compared bit by bit between thread counts and rows never need converting.
// Checkpoints hold the logical order.
#pragma once

#include <cstddef>

namespace orrery::cpu {

inline constexpr int block_lanes = 16;
inline constexpr std::size_t line_floats = 16;
inline constexpr std::size_t row_grain = 16;  // rows a task, for the loops over a unit

// From one row to the next: whole cache lines, but never whole pages, since lines that lie pages
// apart share a place in the cache.
inline std::size_t spaced(std::size_t floats) {
  constexpr std::size_t page_floats = 1024;
  const std::size_t lines = (floats + line_floats - 1) / line_floats * line_floats;
  return lines % page_floats == 0 ? lines + line_floats : lines;
}

struct RowLayout {
  int components = 1;
  int lanes = 0;
  bool padded = false;  // the last block

  int whole_lanes() const {  // in blocks of full width
    return (padded ? lanes + block_lanes - 1 : lanes) / block_lanes * block_lanes;
  }
  int held_lanes() const { return padded ? whole_lanes() : lanes; }
  // What products run over, and what lies between rows.
  std::size_t width() const {
    const auto held = static_cast<std::size_t>(components) * static_cast<std::size_t>(held_lanes());
    return (held + line_floats - 1) / line_floats * line_floats;
  }
  std::size_t floats() const { return spaced(width()); }
  // Lanes of the block that `lane` is in.
  int block_width(int lane) const {
    return lane < whole_lanes() ? block_lanes : lanes - whole_lanes();
  }
  std::size_t at(int component, int lane) const {
    return static_cast<std::size_t>(lane / block_lanes * block_lanes * components +
                                    component * block_width(lane) + lane % block_lanes);
  }
};

}  // namespace orrery::cpu
