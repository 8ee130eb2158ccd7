// The pull between neighbouring rows of the time tables; depends on the algebra alone.
#pragma once

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

template <class A>
__global__ void __launch_bounds__(slice_lanes) smooth_kernel(SmoothJob job) {
  const auto row = static_cast<std::int32_t>(blockIdx.x);
  const int lane = static_cast<int>(blockIdx.y * slice_lanes + threadIdx.x);
  float value[1] = {0};
  if (lane < job.lanes) {
    const std::size_t at =
        static_cast<std::size_t>(row) * job.stride + static_cast<std::size_t>(lane_at<A>(lane));
    const float* there = job.tables[blockIdx.z] + at;
    const auto here = load_lane<A>(there);
    auto g = zero_element<float, A>();
    if (row > 0) {
      const auto before = load_lane<A>(there - job.stride);
      norm_back(add(here, scale(-1.0F, before)), job.weight, job.norm, g);
    }
    if (row + 1 < job.rows) {
      const auto after = load_lane<A>(there + job.stride);
      value[0] = norm_back(add(after, scale(-1.0F, here)), -job.weight, job.norm, g);
    }
    store_lane(g, {job.gradients[blockIdx.z], nullptr}, at);
  }
  block_sum(value);
  if (threadIdx.x == 0)
    job.values[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = value[0];
}

template <class A>
void launch_smooth(const SmoothJob& job, cudaStream_t stream) {
  if (job.table_count == 0) return;
  const dim3 grid(static_cast<unsigned>(job.rows), static_cast<unsigned>(job.slices()),
                  static_cast<unsigned>(job.table_count));
  smooth_kernel<A><<<grid, slice_lanes, 0, stream>>>(job);
  check_launch("smoothing times");
}

}  // namespace orrery::cuda
