// What is done to rows of scores where they lie: softmax into gradient, and counting for ranks.
#include <cfloat>

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/softmax_rows.cuh"

namespace orrery::cuda {
namespace {

constexpr int threads = row_block, warp = row_warp;

__device__ inline void note_loss(const SoftmaxJob& job, const Peak& peak, float target_score) {
  if (threadIdx.x == 0) job.losses[blockIdx.x] = logf(peak.sum) + (peak.top * ln_2 - target_score);
}

// Rows that fit a block's registers: read once, written once.
template <int Quads>
__global__ void __launch_bounds__(threads, Quads <= 4 ? 4 : 2) softmax_kernel(SoftmaxJob job) {
  float* row = job.scores + blockIdx.x * job.stride;
  const int target = target_of(job);
  const float target_score = row[target];
  const int quads = (job.candidates + 3) / 4, written = job.columns / 4;
  float4 x[Quads];
  float top = -FLT_MAX;
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int quad = k * threads + static_cast<int>(threadIdx.x);
    x[k] = quad < quads ? load_quad(row, quad, job.candidates)
                        : float4{-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX};
    top = fmaxf(top, largest(x[k]));
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    x[k] = powers(x[k], top);
    sum += (x[k].x + x[k].y) + (x[k].z + x[k].w);
  }
  const Peak own = {top, static_cast<int>(threadIdx.x) < quads ? sum : 0};
  const Peak peak = block_join(own);
  const GradientWriter writer{job, row, target, job.share,
                              job.share / peak.sum * power_of_two(own.top - peak.top)};
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int quad = k * threads + static_cast<int>(threadIdx.x);
    if (quad < written) writer.write(quad, x[k]);
  }
  note_loss(job, peak, target_score);
}

// Longer rows are read twice.
__global__ void __launch_bounds__(threads) long_softmax_kernel(SoftmaxJob job) {
  float* row = job.scores + blockIdx.x * job.stride;
  const int target = target_of(job);
  const float target_score = row[target];
  const int written = job.columns / 4;
  const Peak peak = peak_of(row, job.candidates);
  const GradientWriter writer{job, row, target, job.share, job.share / peak.sum};
  for (int first = 0; first < written; first += threads) {
    const int quad = first + static_cast<int>(threadIdx.x);
    const float4 x = quad < written ? load_quad(row, quad, job.candidates) : float4{};
    __syncthreads();
    if (quad < written) writer.write(quad, powers(x, peak.top));
  }
  note_loss(job, peak, target_score);
}

// With a teacher both rows are read twice.
__global__ void __launch_bounds__(threads) taught_softmax_kernel(SoftmaxJob job) {
  float* row = job.scores + blockIdx.x * job.stride;
  const float* taught = job.taught + blockIdx.x * job.stride;
  const int target = target_of(job);
  const float target_score = row[target];
  const int written = job.columns / 4;
  const Peak peak = peak_of(row, job.candidates);
  __syncthreads();
  const Peak taught_peak = peak_of(taught, job.candidates);
  const GradientWriter writer{job,
                              row,
                              target,
                              job.share * (1 - job.teacher_share),
                              job.share / peak.sum,
                              job.share * job.teacher_share / taught_peak.sum};
  float expected[1] = {};  // Σ of the teacher's powers · (score − top)
  for (int first = 0; first < written; first += threads) {
    const int quad = first + static_cast<int>(threadIdx.x);
    const float4 x = quad < written ? load_quad(row, quad, job.candidates) : float4{};
    __syncthreads();
    if (quad < written) {
      const float4 t = powers(load_quad(taught, quad, job.candidates), taught_peak.top);
      expected[0] += weighted(t, x, peak.top);
      writer.write(quad, powers(x, peak.top), t);
    }
  }
  block_sum(expected);
  if (threadIdx.x != 0) return;
  const float own = target_score - peak.top * ln_2;
  const float theirs = expected[0] / taught_peak.sum * ln_2;
  job.losses[blockIdx.x] =
      logf(peak.sum) - ((1 - job.teacher_share) * own + job.teacher_share * theirs);
}

__device__ inline int block_count(int value) {
  __shared__ int partial[threads / warp];
  for (int step = warp / 2; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffU, value, step);
  __syncthreads();
  if (threadIdx.x % warp == 0) partial[threadIdx.x / warp] = value;
  __syncthreads();
  int total = 0;
  for (const int part : partial) total += part;
  return total;
}

__global__ void __launch_bounds__(threads) count_kernel(CountJob job) {
  const float* scores = job.scores + blockIdx.x * job.stride;
  const std::int32_t question = job.questions[blockIdx.x];
  const std::int32_t target_id = job.targets[question] - job.first;
  const auto is_here = [&](std::int32_t id) { return id >= 0 && id < job.entities; };
  const float target =
      job.target_scores != nullptr ? job.target_scores[blockIdx.x] : scores[target_id];
  int higher = 0, equal = 0, bad = 0;
  for (int e = static_cast<int>(threadIdx.x); e < job.entities; e += threads) {
    const float score = scores[e];
    higher += score > target;
    equal += score == target;
    bad += !(fabsf(score) <= FLT_MAX);
  }
  bool target_known = false;
  for (std::int64_t k = job.known_starts[question] + threadIdx.x;
       k < job.known_starts[question + 1]; k += threads) {
    const std::int32_t known = job.known[k] - job.first;
    if (!is_here(known)) continue;
    higher -= scores[known] > target;
    equal -= scores[known] == target;
    target_known |= known == target_id;
  }
  higher = block_count(higher);
  equal = block_count(equal);
  bad = block_count(bad);
  const bool among_known = __syncthreads_or(target_known) != 0;
  if (threadIdx.x != 0) return;
  job.counts[question] = {higher, equal - (among_known || !is_here(target_id) ? 0 : 1)};
  if (bad > 0) atomicMin(job.first_bad, question);
}

}  // namespace

void softmax_back(const SoftmaxJob& job, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(job.rows);
  const int quads = job.columns / 4;
  if (job.taught != nullptr)
    taught_softmax_kernel<<<blocks, threads, 0, stream>>>(job);
  else if (quads <= threads)
    softmax_kernel<1><<<blocks, threads, 0, stream>>>(job);
  else if (quads <= 4 * threads)
    softmax_kernel<4><<<blocks, threads, 0, stream>>>(job);
  else if (quads <= 8 * threads)
    softmax_kernel<8><<<blocks, threads, 0, stream>>>(job);
  else
    long_softmax_kernel<<<blocks, threads, 0, stream>>>(job);
  check_launch("taking the softmax");
}

void count_above(const CountJob& job, cudaStream_t stream) {
  count_kernel<<<static_cast<unsigned>(job.rows), threads, 0, stream>>>(job);
  check_launch("counting ranks");
}

}  // namespace orrery::cuda
