// Where a formula's rows come from, in every backend.
#pragma once

#include <cstddef>

namespace orrery {

inline constexpr std::size_t most_rows = 16;  // of a formula

// A table, or (stride 0) one constant row.
struct RowOrigin {
  const float* data = nullptr;
  std::size_t stride = 0;
};

}  // namespace orrery
