// CUDA's device code as C++ of the host: what nvcc knows without being told. to_host_code.sed turns
// what is no C++ (launches, dynamic shared memory, instructions of the device) into calls of this.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "cuda_bf16.h"
#include "emulated_gpu/threads.h"

#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __CUDA_ARCH__ 900

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline int __popc(unsigned bits) { return std::popcount(bits); }
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
void __stcs(T* to, const T& value) {
  *to = value;
}
template <class T>
T atomicAdd(T* sum, T more) {
  const T before = *sum;
  *sum += more;
  return before;
}
template <class T>
T atomicMin(T* least, T value) {
  const T before = *least;
  if (value < before) *least = value;
  return before;
}

inline void __syncthreads() { orrery::emulated_gpu::wait_for_block(); }
inline int __syncthreads_or(int own) { return orrery::emulated_gpu::any_of_block(own != 0); }
inline int __syncthreads_and(int own) { return orrery::emulated_gpu::all_of_block(own != 0); }
inline unsigned __ballot_sync(unsigned, int own) {
  return orrery::emulated_gpu::ballot_of_warp(own != 0);
}
template <class T>
T __shfl_sync(unsigned, T own, int lane) {
  return orrery::emulated_gpu::from_lane(own, lane);
}
template <class T>
T __shfl_xor_sync(unsigned, T own, int distance) {
  return orrery::emulated_gpu::from_lane(own, orrery::emulated_gpu::own_lane() ^ distance);
}
template <class T>
T __shfl_up_sync(unsigned, T own, int distance) {
  const int lane = orrery::emulated_gpu::own_lane();
  return orrery::emulated_gpu::from_lane(own, lane < distance ? lane : lane - distance);
}

namespace orrery::emulated_gpu {

// kernel<<<grid, block, shared, stream>>>(job) becomes
// kernel % Launch(grid, block, shared, stream) % std::tuple(job).
struct Launch {
  dim3 grid, block;
  std::size_t shared;
  Launch(const dim3& grid_, const dim3& block_, std::size_t shared_, cudaStream_t)
      : grid(grid_), block(block_), shared(shared_) {}
};

template <class... Parameters>
struct LaunchedKernel {
  void (*kernel)(Parameters...);
  Launch launch;
};

template <class... Parameters>
LaunchedKernel<Parameters...> operator%(void (*kernel)(Parameters...), const Launch& launch) {
  return {kernel, launch};
}

template <class... Parameters, class... Arguments>
void operator%(const LaunchedKernel<Parameters...>& launched,
               const std::tuple<Arguments...>& arguments) {
  run_kernel(launched.launch.grid, launched.launch.block, launched.launch.shared,
             [&] { std::apply(launched.kernel, arguments); });
}

}  // namespace orrery::emulated_gpu
