// Rows of scores of which a process has a block of the columns, and others the rest.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "engine/cuda/flat_kernels.h"

namespace orrery::cuda {

// Of a process's part of a row: its highest score in units of ln 2, and Σ 2^(score − highest).
struct PartPeak {
  float highest = 0, sum = 0;
};

// `softmax.targets` must be there: places among this process's candidates, or −1 where another one
// has the target. `softmax.losses` gets this process's part of each loss: their sum is the whole.
struct PartJob {
  SoftmaxJob softmax;
  std::int32_t processes = 1, rank = 0;
  // By process, then the model's rows, then (where there is one) the teacher's.
  PartPeak* peaks = nullptr;

  std::size_t peaks_of_process() const {
    return static_cast<std::size_t>(softmax.rows) * (softmax.taught != nullptr ? 2 : 1);
  }
};
// Writes this process's peaks.
void find_peaks(const PartJob& job, cudaStream_t stream);
// Needs everybody's.
void softmax_part_back(const PartJob& job, cudaStream_t stream);

// scores[target] of each row, or 0 where another process has the target.
struct TargetJob {
  const float* scores = nullptr;
  std::size_t stride = 0;
  std::int32_t rows = 0;
  std::int32_t first = 0, entities = 0;     // of this process
  const std::int32_t* questions = nullptr;  // by row
  const std::int32_t* targets = nullptr;    // by question
  float* picked = nullptr;                  // by row
};
void pick_targets(const TargetJob& job, cudaStream_t stream);

// sums[i] becomes the sum of everybody's: what other processes have is in `parts`, one after the
// other by rank, and in `sums` what this one has.
struct AddJob {
  const float* parts = nullptr;
  std::size_t count = 0;  // of each
  std::int32_t processes = 1, rank = 0;
  float* sums = nullptr;
};
void add_parts(const AddJob& job, cudaStream_t stream);

}  // namespace orrery::cuda
