// Sums over a block in one fixed order.
#pragma once

#include <bit>

namespace orrery::cuda {

// Sums N values over a warp at once: where a plain butterfly moves every value at every step, here
// a lane gives away half of its values and keeps the other half. Lane l ends with the total of
// value l / (32 / N).
template <int N>
__device__ inline float warp_sum(float (&values)[N]) {
  static_assert((N & (N - 1)) == 0 && N <= 32);
  constexpr unsigned everybody = 0xffffffffU;
  const unsigned lane = threadIdx.x % 32;
  unsigned partner = 16;
#pragma unroll
  for (int half = N / 2; half > 0; half /= 2) {
    const bool upper = (lane & partner) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const float given = upper ? values[i] : values[i + half];
      const float kept = upper ? values[i + half] : values[i];
      values[i] = kept + __shfl_xor_sync(everybody, given, partner);
    }
    partner /= 2;
  }
  for (; partner > 0; partner /= 2) values[0] += __shfl_xor_sync(everybody, values[0], partner);
  return values[0];
}

// Sums values over all threads; every thread gets the totals. Needs whole warps, 16 at most, and
// a barrier before it is called again.
template <int Count>
__device__ inline void block_sum(float (&values)[Count]) {
  constexpr unsigned everybody = 0xffffffffU;
  constexpr int N = static_cast<int>(std::bit_ceil(static_cast<unsigned>(Count)));
  constexpr int most_warps = 16, sharers = 32 / N;  // lanes that share a value
  __shared__ float partial[N][most_warps];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warps = static_cast<int>(blockDim.x) / 32;
  float padded[N] = {};
  for (int i = 0; i < Count; ++i) padded[i] = values[i];
  const float own = warp_sum(padded);
  if (lane % sharers == 0) partial[lane / sharers][threadIdx.x / 32] = own;
  __syncthreads();
  float total = 0;
  for (int w = lane % sharers; w < warps; w += sharers) total += partial[lane / sharers][w];
#pragma unroll
  for (int partner = sharers / 2; partner > 0; partner /= 2)
    total += __shfl_xor_sync(everybody, total, partner);
#pragma unroll
  for (int i = 0; i < Count; ++i) values[i] = __shfl_sync(everybody, total, i * sharers);
}

}  // namespace orrery::cuda
