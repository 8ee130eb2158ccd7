// Of the models whose index is odd.
#include "engine/cuda/row_kernels_table.cuh"

namespace orrery::cuda {

const RowKernels& row_kernels_odd(std::size_t variant) {
  static constexpr auto table = kernel_table<1>(AllModels{});
  return table[variant];
}

}  // namespace orrery::cuda
