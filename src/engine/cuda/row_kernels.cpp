#include "engine/cuda/row_kernels.h"

namespace orrery::cuda {

const RowKernels& row_kernels(std::size_t variant) {
  return variant % 2 == 0 ? row_kernels_even(variant) : row_kernels_odd(variant);
}

}  // namespace orrery::cuda
