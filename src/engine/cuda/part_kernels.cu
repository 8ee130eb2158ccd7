// The softmax of rows of which a process has a part: its own peaks first, then, with everybody's,
// the gradient.
#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/part_kernels.h"
#include "engine/cuda/softmax_rows.cuh"

namespace orrery::cuda {
namespace {

constexpr int flat_threads = 256;

// Block (row, whose): the model's scores or the teacher's.
__global__ void __launch_bounds__(row_block) peak_kernel(PartJob job) {
  const float* rows = blockIdx.y == 0 ? job.softmax.scores : job.softmax.taught;
  const Peak peak = peak_of(rows + blockIdx.x * job.softmax.stride, job.softmax.candidates);
  if (threadIdx.x != 0) return;
  const std::size_t layers = gridDim.y, count = gridDim.x;
  job.peaks[(static_cast<std::size_t>(job.rank) * layers + blockIdx.y) * count + blockIdx.x] = {
      peak.top, peak.sum};
}

// Of the block's row, in the order of the processes: all of them get the same bits.
__device__ inline Peak whole_peak(const PartJob& job, std::size_t layer, std::size_t layers) {
  const std::size_t count = gridDim.x;
  Peak whole = {-FLT_MAX, 0};
  for (std::int32_t p = 0; p < job.processes; ++p) {
    const PartPeak part =
        job.peaks[(static_cast<std::size_t>(p) * layers + layer) * count + blockIdx.x];
    whole = join(whole, {part.highest, part.sum});
  }
  return whole;
}

// Rows are read once more; see the kernels of whole rows.
template <bool Taught>
__global__ void __launch_bounds__(row_block) part_softmax_kernel(PartJob part) {
  const SoftmaxJob& job = part.softmax;
  constexpr std::size_t layers = Taught ? 2 : 1;
  float* row = job.scores + blockIdx.x * job.stride;
  const float* taught = Taught ? job.taught + blockIdx.x * job.stride : nullptr;
  const int target = job.targets[blockIdx.x];
  const float target_score = target >= 0 ? row[target] : 0.0F;
  const Peak peak = whole_peak(part, 0, layers);
  const Peak taught_peak = Taught ? whole_peak(part, 1, layers) : Peak{0, 1};
  const float teacher_share = Taught ? job.teacher_share : 0.0F;
  const GradientWriter writer{job,
                              row,
                              target,
                              job.share * (1 - teacher_share),
                              job.share / peak.sum,
                              job.share * teacher_share / taught_peak.sum};
  const int written = job.columns / 4;
  float expected[1] = {};  // Σ of the teacher's powers · (score − top)
  for (int first = 0; first < written; first += row_block) {
    const int quad = first + static_cast<int>(threadIdx.x);
    const float4 x = quad < written ? load_quad(row, quad, job.candidates) : float4{};
    __syncthreads();  // all have read before the first of these is written over
    if (quad >= written) continue;
    float4 t{};
    if constexpr (Taught) {
      t = powers(load_quad(taught, quad, job.candidates), taught_peak.top);
      expected[0] += weighted(t, x, peak.top);
    }
    writer.write(quad, powers(x, peak.top), t);
  }
  if constexpr (Taught) block_sum(expected);
  if (threadIdx.x != 0) return;
  const float own = target >= 0 ? target_score - peak.top * ln_2 : 0.0F;
  const float theirs = Taught ? expected[0] / taught_peak.sum * ln_2 : 0.0F;
  const float everybodys = part.rank == 0 ? logf(peak.sum) : 0.0F;
  job.losses[blockIdx.x] = everybodys - ((1 - teacher_share) * own + teacher_share * theirs);
}

__global__ void target_kernel(TargetJob job) {
  const auto row = static_cast<std::int32_t>(blockIdx.x * flat_threads + threadIdx.x);
  if (row >= job.rows) return;
  const std::int32_t place = job.targets[job.questions[row]] - job.first;
  const bool here = place >= 0 && place < job.entities;
  job.picked[row] =
      here
          ? job.scores[static_cast<std::size_t>(row) * job.stride + static_cast<std::size_t>(place)]
          : 0.0F;
}

// In the order of the processes, as the host does it.
__global__ void add_kernel(AddJob job) {
  const std::size_t i = std::size_t{blockIdx.x} * flat_threads + threadIdx.x;
  if (i >= job.count) return;
  float sum = 0;
  for (std::int32_t p = 0; p < job.processes; ++p) {
    const float part =
        p == job.rank ? job.sums[i] : job.parts[static_cast<std::size_t>(p) * job.count + i];
    sum = p == 0 ? part : sum + part;
  }
  job.sums[i] = sum;
}

}  // namespace

void find_peaks(const PartJob& job, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(job.softmax.rows), job.softmax.taught != nullptr ? 2 : 1);
  peak_kernel<<<grid, row_block, 0, stream>>>(job);
  check_launch("finding the peaks of scores");
}

void softmax_part_back(const PartJob& job, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(job.softmax.rows);
  if (job.softmax.taught != nullptr)
    part_softmax_kernel<true><<<blocks, row_block, 0, stream>>>(job);
  else
    part_softmax_kernel<false><<<blocks, row_block, 0, stream>>>(job);
  check_launch("taking the softmax of parts");
}

void add_parts(const AddJob& job, cudaStream_t stream) {
  if (job.count == 0) return;
  const auto blocks = static_cast<unsigned>((job.count + flat_threads - 1) / flat_threads);
  add_kernel<<<blocks, flat_threads, 0, stream>>>(job);
  check_launch("adding what processes gave");
}

void pick_targets(const TargetJob& job, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((job.rows + flat_threads - 1) / flat_threads);
  target_kernel<<<blocks, flat_threads, 0, stream>>>(job);
  check_launch("reading the scores of targets");
}

}  // namespace orrery::cuda
