// bf16 matrices as fp32 ones, for libraries or processors that cannot multiply them as they are.
#pragma once

#include <utility>
#include <vector>

#include "engine/cpu/gemm.h"

namespace orrery::cpu {

// The same numbers, stored without gaps in the same order.
class Widened {
 public:
  Widened(const Matrix<std::uint16_t>& matrix, std::size_t rows, std::size_t columns)
      : transposed_(matrix.transposed) {
    if (transposed_) std::swap(rows, columns);
    stride_ = columns;
    values_.resize(rows * columns);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        values_[r * columns + c] = __builtin_bit_cast(
            float, static_cast<std::uint32_t>(matrix.data[r * matrix.stride + c]) << 16);
  }

  Matrix<float> matrix() const { return {values_.data(), stride_, transposed_}; }

 private:
  std::vector<float> values_;
  std::size_t stride_ = 0;
  bool transposed_;
};

}  // namespace orrery::cpu
