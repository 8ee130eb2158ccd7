#include <cuda_bf16.h>

#include "engine/cuda/device.h"
#include "engine/cuda/feature_kernels.h"
#include "engine/row_origin.h"

namespace orrery::cuda {
namespace {

constexpr int warp = 32, row_threads = 128, flat_threads = 256;
constexpr int kept = 2;          // sums of features that a lane keeps at once
constexpr int update_warps = 8;  // of a relation

// A row's features: first, and one past the last.
struct Range {
  std::int64_t begin, end;
};
__device__ inline Range range_of(const FeatureRows& rows, std::int32_t row) {
  const std::int32_t list = rows.lists == nullptr ? row : rows.lists[row];
  return {rows.starts[list], rows.starts[list + 1]};
}

// The column of an entity's score; −1: it was not drawn, or is another process's.
__device__ inline std::int32_t column_of(const FeatureRows& rows, std::int32_t id) {
  const std::int32_t entity = id - rows.first;
  if (entity < 0 || entity >= rows.entities) return -1;
  if (rows.candidates == nullptr) return entity;
  std::int32_t low = 0, high = rows.candidate_count;
  while (low < high) {
    const std::int32_t middle = (low + high) / 2;
    if (rows.candidates[middle] < entity)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rows.candidate_count && rows.candidates[low] == entity ? low : -1;
}

// Features are in the order of entities: the first of an entity's adds all of them.
__global__ void __launch_bounds__(row_threads) score_kernel(FeatureScoreJob job) {
  const auto row = static_cast<std::int32_t>(blockIdx.x);
  const Range range = range_of(job.rows, row);
  for (std::int64_t i = range.begin + threadIdx.x; i < range.end; i += row_threads) {
    const std::int32_t entity = job.rows.features[i].entity;
    if (i > range.begin && job.rows.features[i - 1].entity == entity) continue;
    float worth = 0;
    for (std::int64_t k = i; k < range.end && job.rows.features[k].entity == entity; ++k)
      worth += job.worth[job.rows.features[k].weight];
    const std::int32_t column = column_of(job.rows, entity);
    if (column >= 0) job.scores[static_cast<std::size_t>(row) * job.stride + column] += worth;
  }
}

__device__ inline float gradient_at(const FeatureGradientJob& job, std::int32_t row,
                                    std::int32_t column) {
  const float* gradients = job.gradients + static_cast<std::size_t>(row) * job.stride;
  if (!job.rounded) return gradients[column];
  return __bfloat162float(reinterpret_cast<const __nv_bfloat16*>(gradients)[column]);
}

// A warp a row. A candidate is looked at once, by one lane; then the lanes hear of all of them in
// their order, and each adds what goes to the features whose sums it keeps.
__global__ void __launch_bounds__(row_threads) gradient_kernel(FeatureGradientJob job) {
  const auto row = static_cast<std::int32_t>((blockIdx.x * row_threads + threadIdx.x) / warp);
  if (row >= job.count) return;
  const auto lane = static_cast<std::int32_t>(threadIdx.x % warp);
  const Range range = range_of(job.rows, row);
  for (std::int32_t base = 0; base < job.features; base += kept * warp) {
    float sums[kept] = {};
    for (std::int64_t first = range.begin; first < range.end; first += warp) {
      std::int32_t feature = -1;
      float gradient = 0;
      if (first + lane < range.end) {
        const CandidateFeature one = job.rows.features[first + lane];
        const std::int32_t column = column_of(job.rows, one.entity);
        if (column >= 0) {
          feature = one.weight % job.features - base;
          gradient = gradient_at(job, row, column);
        }
      }
      const auto here = static_cast<int>(min(static_cast<std::int64_t>(warp), range.end - first));
      for (int k = 0; k < here; ++k) {
        const std::int32_t of = __shfl_sync(~0U, feature, k);
        const float g = __shfl_sync(~0U, gradient, k);
#pragma unroll
        for (int s = 0; s < kept; ++s)
          if (of == s * warp + lane) sums[s] += g;
      }
    }
#pragma unroll
    for (int s = 0; s < kept; ++s)
      if (const std::int32_t feature = base + s * warp + lane; feature < job.features)
        job.sums[static_cast<std::size_t>(row) * job.features + feature] = sums[s];
  }
}

// A block a relation. Its examples are cut evenly among the warps, whose sums are added in order.
template <class Optimizer>
__global__ void __launch_bounds__(update_warps* warp) update_kernel(FeatureUpdateJob job) {
  constexpr std::size_t state_count = Optimizer::states.size();
  __shared__ float parts[update_warps][warp];
  const auto relation = static_cast<std::int32_t>(blockIdx.x);
  const auto lane = static_cast<std::int32_t>(threadIdx.x % warp);
  const auto own_warp = static_cast<std::int32_t>(threadIdx.x / warp);
  const std::int32_t begin = job.starts[relation], end = job.starts[relation + 1];
  const std::int32_t share = (end - begin + update_warps - 1) / update_warps;
  const std::int32_t first = begin + own_warp * share, last = min(first + share, end);
  for (std::int32_t base = 0; base < job.features; base += warp) {
    const std::int32_t feature = base + lane;
    float g = 0;
    if (feature < job.features)
      for (std::int32_t i = first; i < last; ++i)
        g += job.sums[static_cast<std::size_t>(job.by_relation[i]) * job.features + feature];
    parts[own_warp][lane] = g;
    __syncthreads();
    if (own_warp == 0 && feature < job.features) {
      for (int w = 1; w < update_warps; ++w) g += parts[w][lane];
      const std::size_t place = static_cast<std::size_t>(relation) * job.features + feature;
      float value = job.values[place];
      g += job.shrinkage * value;
      float own[state_count];
      for (std::size_t s = 0; s < state_count; ++s) own[s] = job.states[s][place];
      Optimizer::update(value, own, g, job.step);
      for (std::size_t s = 0; s < state_count; ++s) job.states[s][place] = own[s];
      job.values[place] = value;
    }
    __syncthreads();
  }
}

__global__ void penalty_kernel(const float* values, std::int32_t relations, std::int32_t features,
                               float* penalties) {
  const auto relation = static_cast<std::int32_t>(blockIdx.x * flat_threads + threadIdx.x);
  if (relation >= relations) return;
  float sum = 0;
  for (std::int32_t i = 0; i < features; ++i) {
    const float value = values[static_cast<std::size_t>(relation) * features + i];
    sum += value * value / 2;
  }
  penalties[relation] = sum;
}

__global__ void slope_kernel(float* gradients, const float* scores, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x;
  if (i < count) gradients[i] *= root_slope(scores[i]);
}

unsigned blocks_for(std::size_t items, int threads) {
  return static_cast<unsigned>((items + static_cast<std::size_t>(threads) - 1) /
                               static_cast<std::size_t>(threads));
}

}  // namespace

void add_feature_scores(const FeatureScoreJob& job, cudaStream_t stream) {
  if (job.count == 0) return;
  score_kernel<<<static_cast<unsigned>(job.count), row_threads, 0, stream>>>(job);
  check_launch("adding candidates' features");
}

void sum_feature_gradients(const FeatureGradientJob& job, cudaStream_t stream) {
  const std::size_t threads = static_cast<std::size_t>(job.count) * warp;
  gradient_kernel<<<blocks_for(threads, row_threads), row_threads, 0, stream>>>(job);
  check_launch("summing the gradients of candidates' features");
}

void update_features(const FeatureUpdateJob& job, cudaStream_t stream) {
  with_optimizer(job.optimizer, [&]<class Optimizer>() {
    update_kernel<Optimizer>
        <<<static_cast<unsigned>(job.relations), update_warps * warp, 0, stream>>>(job);
  });
  check_launch("updating candidates' features");
}

void feature_penalties(const float* values, std::int32_t relations, std::int32_t features,
                       float* penalties, cudaStream_t stream) {
  penalty_kernel<<<blocks_for(static_cast<std::size_t>(relations), flat_threads), flat_threads, 0,
                   stream>>>(values, relations, features, penalties);
  check_launch("summing the penalty of candidates' features");
}

void apply_root_slopes(float* gradients, const float* scores, std::size_t count,
                       cudaStream_t stream) {
  slope_kernel<<<blocks_for(count, flat_threads), flat_threads, 0, stream>>>(gradients, scores,
                                                                             count);
  check_launch("applying the slopes of roots");
}

}  // namespace orrery::cuda
