// Sums over a block in one fixed order.
#pragma once

namespace orrery::cuda {

// Sums N values over all threads; every thread gets the totals. Needs whole warps, and a barrier
// before it is called again.
template <int N>
__device__ inline void block_sum(float (&values)[N]) {
  constexpr int warp = 32;
  __shared__ float partial[N][warp];
  const int lane = static_cast<int>(threadIdx.x) % warp;
  const int first = static_cast<int>(threadIdx.x) / warp;
  const int warps = static_cast<int>(blockDim.x) / warp;
  for (int i = 0; i < N; ++i) {
    for (int step = warp / 2; step > 0; step /= 2)
      values[i] += __shfl_xor_sync(0xffffffffU, values[i], step);
    if (lane == 0) partial[i][first] = values[i];
  }
  __syncthreads();
  for (int i = 0; i < N; ++i) {
    values[i] = lane < warps ? partial[i][lane] : 0.0F;
    for (int step = warp / 2; step > 0; step /= 2)
      values[i] += __shfl_xor_sync(0xffffffffU, values[i], step);
  }
}

}  // namespace orrery::cuda
