// Of the models whose index is even.
#include "engine/cuda/row_kernels_table.cuh"

namespace orrery::cuda {

const RowKernels& row_kernels_even(std::size_t variant) {
  static constexpr auto table = kernel_table<0>(AllModels{});
  return table[variant];
}

}  // namespace orrery::cuda
