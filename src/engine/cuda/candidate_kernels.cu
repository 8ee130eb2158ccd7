// Candidates that are not the entity table itself, sums over rows, and the outer products of a core
// tensor.
#include <cuda_bf16.h>

#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::size_t items) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

__global__ void list_kernel(const std::int32_t* ids, std::int32_t count, std::int32_t time,
                            Example* examples) {
  const auto i = static_cast<std::int32_t>(blockIdx.x * threads + threadIdx.x);
  if (i < count) examples[i] = {{ids != nullptr ? ids[i] : i, 0, time}, 0};
}

// One thread takes four floats of a row.
struct Place {
  std::size_t row, column;
  bool inside;
};
__device__ inline Place place_in(const PickJob& job) {
  const std::size_t i = 4 * (std::size_t{blockIdx.x} * threads + threadIdx.x);
  const std::size_t row = i / job.stride;
  return {row, i % job.stride, row < static_cast<std::size_t>(job.count)};
}

__global__ void pick_kernel(PickJob job, const float* table, RowsOut to) {
  const auto [row, column, inside] = place_in(job);
  if (!inside) return;
  const auto id = static_cast<std::size_t>(job.ids[row]);
  const float4 x = *reinterpret_cast<const float4*>(table + id * job.stride + column);
  const std::size_t at = row * job.stride + column;
  if (to.bf16 != nullptr) {
    auto* pairs = reinterpret_cast<__nv_bfloat162*>(to.bf16 + at);
    pairs[0] = __floats2bfloat162_rn(x.x, x.y);
    pairs[1] = __floats2bfloat162_rn(x.z, x.w);
  } else {
    *reinterpret_cast<float4*>(to.fp32 + at) = x;
  }
}

__global__ void add_picked_kernel(PickJob job, const float* rows, float* table) {
  const auto [row, column, inside] = place_in(job);
  if (!inside) return;
  const auto id = static_cast<std::size_t>(job.ids[row]);
  const float4 x = *reinterpret_cast<const float4*>(rows + row * job.stride + column);
  auto* to = reinterpret_cast<float4*>(table + id * job.stride + column);
  const float4 there = *to;
  *to = {there.x + x.x, there.y + x.y, there.z + x.z, there.w + x.w};
}

__global__ void clear_kernel(PickJob job, float* table) {
  const auto [row, column, inside] = place_in(job);
  if (!inside) return;
  const auto id = static_cast<std::size_t>(job.ids[row]);
  *reinterpret_cast<float4*>(table + id * job.stride + column) = {};
}

// A warp takes 32 columns of every eighth row.
constexpr int sum_columns = 32, sum_shares = threads / sum_columns;
__global__ void __launch_bounds__(threads) sum_kernel(SumJob job) {
  __shared__ float partial[sum_shares][sum_columns];
  const int share = static_cast<int>(threadIdx.x) / sum_columns;
  const int own = static_cast<int>(threadIdx.x) % sum_columns;
  const std::size_t column = std::size_t{blockIdx.x} * sum_columns + own;
  float sum = 0;
  if (column < job.width) {
#pragma unroll 4
    for (std::int32_t row = share; row < job.count; row += sum_shares)
      sum += job.rows[static_cast<std::size_t>(row) * job.width + column];
  }
  partial[share][own] = sum;
  __syncthreads();
  if (share != 0 || column >= job.width) return;
  float total = job.add ? job.to[column] : 0.0F;
  for (int k = 0; k < sum_shares; ++k) total += partial[k][own];
  job.to[column] = total;
}

// Where a pair's lane lies, its left (0) or its right component.
__device__ inline int pair_at(int lane, int side) {
  return lane / block_lanes * (2 * block_lanes) + side * block_lanes + lane % block_lanes;
}

// A block takes one row.
__global__ void __launch_bounds__(threads)
    outer_kernel(OuterJob job, const float* pairs, float* products) {
  const float* pair = pairs + blockIdx.x * job.pair_stride;
  float* row = products + blockIdx.x * job.product_stride;
  const int width = job.lanes * job.lanes;
  for (int k = static_cast<int>(threadIdx.x); k < static_cast<int>(job.product_stride);
       k += threads)
    row[k] = k < width ? pair[pair_at(k / job.lanes, 0)] * pair[pair_at(k % job.lanes, 1)] : 0.0F;
}

// A block takes one row: its threads sum along rows of its products for the left side, and along
// columns for the right one.
__global__ void __launch_bounds__(threads)
    outer_back_kernel(OuterJob job, const float* pairs, const float* product_gradients,
                      float* pair_gradients) {
  const float* pair = pairs + blockIdx.x * job.pair_stride;
  float* to = pair_gradients + blockIdx.x * job.pair_stride;
  const float* gradients = product_gradients + blockIdx.x * job.product_stride;
  for (int j = static_cast<int>(threadIdx.x); j < job.lanes; j += threads) {
    float sum = 0;
    for (int i = 0; i < job.lanes; ++i) sum += gradients[i * job.lanes + j] * pair[pair_at(i, 0)];
    to[pair_at(j, 1)] = sum;
  }
  constexpr int warp = 32;
  const int lane = static_cast<int>(threadIdx.x) % warp;
  for (int i = static_cast<int>(threadIdx.x) / warp; i < job.lanes; i += threads / warp) {
    float sum = 0;
    for (int j = lane; j < job.lanes; j += warp)
      sum += gradients[i * job.lanes + j] * pair[pair_at(j, 1)];
    for (int step = warp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, step);
    if (lane == 0) to[pair_at(i, 0)] = sum;
  }
}

}  // namespace

void list_candidates(const std::int32_t* ids, std::int32_t count, std::int32_t time,
                     Example* examples, cudaStream_t stream) {
  list_kernel<<<blocks_for(static_cast<std::size_t>(count)), threads, 0, stream>>>(ids, count, time,
                                                                                   examples);
  check_launch("listing candidates");
}

void pick_rows(const PickJob& job, const float* table, const RowsOut& to, cudaStream_t stream) {
  const std::size_t quads = static_cast<std::size_t>(job.count) * job.stride / 4;
  pick_kernel<<<blocks_for(quads), threads, 0, stream>>>(job, table, to);
  check_launch("picking candidates");
}

void add_picked(const PickJob& job, const float* rows, float* table, cudaStream_t stream) {
  const std::size_t quads = static_cast<std::size_t>(job.count) * job.stride / 4;
  add_picked_kernel<<<blocks_for(quads), threads, 0, stream>>>(job, rows, table);
  check_launch("adding candidates' gradients");
}

void clear_rows(const PickJob& job, float* table, cudaStream_t stream) {
  const std::size_t quads = static_cast<std::size_t>(job.count) * job.stride / 4;
  clear_kernel<<<blocks_for(quads), threads, 0, stream>>>(job, table);
  check_launch("clearing candidates' gradients");
}

void sum_rows(const SumJob& job, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((job.width + sum_columns - 1) / sum_columns);
  sum_kernel<<<blocks, threads, 0, stream>>>(job);
  check_launch("adding rows");
}

void outer_products(const OuterJob& job, const float* pairs, float* products, cudaStream_t stream) {
  outer_kernel<<<static_cast<unsigned>(job.rows), threads, 0, stream>>>(job, pairs, products);
  check_launch("taking outer products");
}

void outer_products_back(const OuterJob& job, const float* pairs, const float* product_gradients,
                         float* pair_gradients, cudaStream_t stream) {
  outer_back_kernel<<<static_cast<unsigned>(job.rows), threads, 0, stream>>>(
      job, pairs, product_gradients, pair_gradients);
  check_launch("sweeping outer products");
}

}  // namespace orrery::cuda
