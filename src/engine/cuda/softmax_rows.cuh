// What the softmax of a row of scores is made of, by one block.
#pragma once

#include <cuda_bf16.h>

#include <cfloat>

#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {

inline constexpr int row_block = 512;  // threads
inline constexpr int row_warp = 32;

inline constexpr float log2_e = 1.44269504F;
inline constexpr float ln_2 = 0.693147181F;

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
  __shared__ Peak partial[row_block / row_warp];
  const int lane = static_cast<int>(threadIdx.x) % row_warp;
  for (int step = row_warp / 2; step > 0; step /= 2)
    peak = join(peak, {__shfl_xor_sync(0xffffffffU, peak.top, step),
                       __shfl_xor_sync(0xffffffffU, peak.sum, step)});
  if (lane == 0) partial[threadIdx.x / row_warp] = peak;
  __syncthreads();
  peak = partial[lane % (row_block / row_warp)];
  for (int step = row_block / row_warp / 2; step > 0; step /= 2)
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

__device__ inline int target_of(const SoftmaxJob& job) {
  if (job.targets != nullptr) return job.targets[blockIdx.x];
  const Example& example = job.examples[blockIdx.x];
  return job.asked == SoftmaxJob::Asked::object     ? example.object
         : job.asked == SoftmaxJob::Asked::relation ? example.query.relation
                                                    : example.query.time;
}

__device__ inline Peak peak_of(const float* row, int candidates) {
  const int quads = (candidates + 3) / 4;
  Peak peak = {-FLT_MAX, 0};
  for (int quad = static_cast<int>(threadIdx.x); quad < quads; quad += row_block) {
    const float4 x = load_quad(row, quad, candidates);
    const float top = fmaxf(peak.top, largest(x));
    const float4 e = powers(x, top);
    peak = {top, peak.sum * power_of_two(peak.top - top) + (e.x + e.y) + (e.z + e.w)};
  }
  return block_join(peak);
}

// Σ taught · (x − top) of a quad; past the last candidate `taught` is 0.
__device__ inline float weighted(const float4& taught, const float4& x, float top) {
  return (taught.x * (x.x - top) + taught.y * (x.y - top)) +
         (taught.z * (x.z - top) + taught.w * (x.w - top));
}

}  // namespace orrery::cuda
