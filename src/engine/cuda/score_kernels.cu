// What is done to rows of scores where they lie: softmax into gradient, and counting for ranks.
#include <cuda_bf16.h>

#include <cfloat>

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {
namespace {

constexpr int threads = 512;
constexpr int warp = 32;

constexpr float log2_e = 1.44269504F;
constexpr float ln_2 = 0.693147181F;

// Of scores in units of ln 2, so that an exponential is one instruction.
struct Peak {
  float top, sum;  // Σ 2^(x − top)
};

__device__ inline Peak join(const Peak& a, const Peak& b) {
  const float top = fmaxf(a.top, b.top);
  return {top, a.sum * exp2f(a.top - top) + b.sum * exp2f(b.top - top)};
}

// In one fixed order; every thread gets the result.
__device__ inline Peak block_join(Peak peak) {
  __shared__ Peak partial[threads / warp];
  const int lane = static_cast<int>(threadIdx.x) % warp;
  for (int step = warp / 2; step > 0; step /= 2)
    peak = join(peak, {__shfl_xor_sync(0xffffffffU, peak.top, step),
                       __shfl_xor_sync(0xffffffffU, peak.sum, step)});
  if (lane == 0) partial[threadIdx.x / warp] = peak;
  __syncthreads();
  peak = partial[lane % (threads / warp)];
  for (int step = threads / warp / 2; step > 0; step /= 2)
    peak = join(peak, {__shfl_xor_sync(0xffffffffU, peak.top, step),
                       __shfl_xor_sync(0xffffffffU, peak.sum, step)});
  return peak;
}

// ex2.approx: exact to two units in the last place over the range that a softmax uses.
__device__ inline float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Columns 4 · quad …, in units of ln 2; those past the last candidate read as the smallest number.
__device__ inline float4 load_quad(const float* row, int quad, int candidates) {
  float4 x = reinterpret_cast<const float4*>(row)[quad];
  x = {x.x * log2_e, x.y * log2_e, x.z * log2_e, x.w * log2_e};
  if (4 * quad + 3 >= candidates) {
    if (4 * quad >= candidates) x.x = -FLT_MAX;
    if (4 * quad + 1 >= candidates) x.y = -FLT_MAX;
    if (4 * quad + 2 >= candidates) x.z = -FLT_MAX;
    x.w = -FLT_MAX;
  }
  return x;
}

__device__ inline float largest(const float4& x) { return fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w)); }

__device__ inline float4 powers(const float4& x, float top) {
  return {power_of_two(x.x - top), power_of_two(x.y - top), power_of_two(x.z - top),
          power_of_two(x.w - top)};
}

__device__ inline unsigned rounded_pair(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}

// A row's gradient, quad by quad. Element j of a rounded row lies where float j / 2 was: a block
// must have read that before.
struct GradientWriter {
  const SoftmaxJob& job;
  float* row;
  int target;
  float target_share;
  float factor;             // share / Σ
  float taught_factor = 0;  // share · teacher / Σ of the teacher's

  __device__ void write(int quad, const float4& e, const float4& taught = {}) const {
    float g[4] = {factor * e.x - taught_factor * taught.x, factor * e.y - taught_factor * taught.y,
                  factor * e.z - taught_factor * taught.z, factor * e.w - taught_factor * taught.w};
    if (quad == target / 4)
      for (int k = 0; k < 4; ++k)
        if (k == target % 4) g[k] -= target_share;
    if (job.rooted)
      for (int k = 0; k < 4; ++k) g[k] *= root_slope(row[4 * quad + k]);
    if (job.round)
      reinterpret_cast<uint2*>(row)[quad] = {rounded_pair(g[0], g[1]), rounded_pair(g[2], g[3])};
    else
      reinterpret_cast<float4*>(row)[quad] = {g[0], g[1], g[2], g[3]};
  }
};

__device__ inline void note_loss(const SoftmaxJob& job, const Peak& peak, float target_score) {
  if (threadIdx.x == 0) job.losses[blockIdx.x] = logf(peak.sum) + (peak.top * ln_2 - target_score);
}

__device__ inline int target_of(const SoftmaxJob& job) {
  if (job.targets != nullptr) return job.targets[blockIdx.x];
  const Example& example = job.examples[blockIdx.x];
  return job.asked == SoftmaxJob::Asked::object     ? example.object
         : job.asked == SoftmaxJob::Asked::relation ? example.query.relation
                                                    : example.query.time;
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

__device__ inline Peak peak_of(const float* row, int candidates) {
  const int quads = (candidates + 3) / 4;
  Peak peak = {-FLT_MAX, 0};
  for (int quad = static_cast<int>(threadIdx.x); quad < quads; quad += threads) {
    const float4 x = load_quad(row, quad, candidates);
    const float top = fmaxf(peak.top, largest(x));
    const float4 e = powers(x, top);
    peak = {top, peak.sum * power_of_two(peak.top - top) + (e.x + e.y) + (e.z + e.w)};
  }
  return block_join(peak);
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

// Σ taught · (x − top) of a quad; past the last candidate `taught` is 0.
__device__ inline float weighted(const float4& taught, const float4& x, float top) {
  return (taught.x * (x.x - top) + taught.y * (x.y - top)) +
         (taught.z * (x.z - top) + taught.w * (x.w - top));
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
  const std::int32_t target_id = job.targets[question];
  const float target = scores[target_id];
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
    const std::int32_t known = job.known[k];
    higher -= scores[known] > target;
    equal -= scores[known] == target;
    target_known |= known == target_id;
  }
  higher = block_count(higher);
  equal = block_count(equal);
  bad = block_count(bad);
  const bool among_known = __syncthreads_or(target_known) != 0;
  if (threadIdx.x != 0) return;
  job.counts[question] = {higher, equal - (among_known ? 0 : 1)};
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
