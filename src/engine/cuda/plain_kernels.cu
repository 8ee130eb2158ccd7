// Passes over plain floats: rounding, averages, the logical order of rows, sums of losses.
#include <cuda_bf16.h>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {
namespace {

constexpr int flat_threads = 256;

unsigned blocks_for(std::size_t items) {
  return static_cast<unsigned>((items + flat_threads - 1) / flat_threads);
}

__global__ void round_kernel(const float* from, std::uint16_t* to, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x;
  if (i < count) to[i] = __bfloat16_as_ushort(__float2bfloat16_rn(from[i]));
}

__global__ void average_kernel(float* averages, const float* values, std::size_t count,
                               float decay) {
  const std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x;
  if (i < count) averages[i] = decay * averages[i] + (1 - decay) * values[i];
}

// `logical` is the place in the packed rows; the result, the place in the device's.
__device__ inline std::size_t place_of(const RepackJob& job, std::size_t logical) {
  const auto dim = static_cast<std::size_t>(job.components) * job.lanes;
  const auto in_row = static_cast<int>(logical % dim);
  const int component = in_row / job.lanes, lane = in_row % job.lanes;
  return logical / dim * job.stride +
         static_cast<std::size_t>((lane / block_lanes * job.components + component) * block_lanes +
                                  lane % block_lanes);
}

template <bool ToLogical>
__global__ void repack_kernel(RepackJob job, const float* from, float* to) {
  const std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x;
  if (i >= job.rows * static_cast<std::size_t>(job.components) * job.lanes) return;
  if constexpr (ToLogical)
    to[i] = from[place_of(job, i)];
  else
    to[place_of(job, i)] = from[i];
}

constexpr int loss_threads = 1024;

// One block, each thread a fixed share: the order of addition never changes.
__device__ double sum_of(const float* values, std::int32_t count) {
  __shared__ double partial[loss_threads];
  double sum = 0;
  for (auto i = static_cast<std::int32_t>(threadIdx.x); i < count; i += loss_threads)
    sum += static_cast<double>(values[i]);
  __syncthreads();
  partial[threadIdx.x] = sum;
  for (unsigned half = loss_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  __syncthreads();
  return partial[0];
}

__global__ void __launch_bounds__(loss_threads) loss_kernel(LossJob job) {
  const double losses = sum_of(job.losses, job.loss_count);
  const double penalties = sum_of(job.penalties, job.penalty_count);
  const double features = sum_of(job.feature_penalties, job.feature_count);
  const double smooth = sum_of(job.smooth, job.smooth_count);
  double auxiliary = 0;
  for (std::size_t s = 0; s < auxiliary_losses; ++s)
    if (job.auxiliary[s] != nullptr)
      auxiliary += job.side_weights[s] * sum_of(job.auxiliary[s], job.loss_count);
  if (threadIdx.x != 0) return;
  job.sums->auxiliary += auxiliary;
  job.sums->cross_entropy += job.loss_weight * losses;
  job.sums->n3 += job.penalty_weight * penalties + job.feature_weight * features;
  job.sums->time += job.smooth_weight * smooth;
  ++job.sums->steps;
}

}  // namespace

void add_losses(const LossJob& job, cudaStream_t stream) {
  loss_kernel<<<1, loss_threads, 0, stream>>>(job);
  check_launch("adding losses");
}

void to_logical(const RepackJob& job, const float* rows, float* logical, cudaStream_t stream) {
  const std::size_t count = job.rows * static_cast<std::size_t>(job.components) * job.lanes;
  repack_kernel<true><<<blocks_for(count), flat_threads, 0, stream>>>(job, rows, logical);
  check_launch("reading rows");
}

void from_logical(const RepackJob& job, const float* logical, float* rows, cudaStream_t stream) {
  const std::size_t count = job.rows * static_cast<std::size_t>(job.components) * job.lanes;
  repack_kernel<false><<<blocks_for(count), flat_threads, 0, stream>>>(job, logical, rows);
  check_launch("writing rows");
}

void round_rows(const float* from, std::uint16_t* to, std::size_t count, cudaStream_t stream) {
  round_kernel<<<blocks_for(count), flat_threads, 0, stream>>>(from, to, count);
  check_launch("rounding rows");
}

void average(float* averages, const float* values, std::size_t count, float decay,
             cudaStream_t stream) {
  average_kernel<<<blocks_for(count), flat_threads, 0, stream>>>(averages, values, count, decay);
  check_launch("averaging rows");
}

}  // namespace orrery::cuda
