// Rows in memory: blocks of 16 lanes, the components of a block side by side, the last block padded
// with zeros. One block layout for every instruction set, so results can be compared bit by bit
// between thread counts and rows never need converting. Checkpoints hold the logical order.
#pragma once

#include <cstddef>

namespace orrery::cpu {

inline constexpr int block_lanes = 16;
inline constexpr std::size_t row_grain = 16;  // rows a task, for the loops over a unit

struct RowLayout {
  int components = 1;
  int lanes = 0;

  int blocks() const { return (lanes + block_lanes - 1) / block_lanes; }
  std::size_t block_floats() const { return static_cast<std::size_t>(components) * block_lanes; }
  std::size_t floats() const { return static_cast<std::size_t>(blocks()) * block_floats(); }
  std::size_t at(int component, int lane) const {
    return static_cast<std::size_t>(lane / block_lanes) * block_floats() +
           static_cast<std::size_t>(component * block_lanes + lane % block_lanes);
  }
};

}  // namespace orrery::cpu
