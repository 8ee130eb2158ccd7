// Queries held against candidates by anything but a matrix product. Always fp32.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace orrery::cuda {

struct CompareJob {
  int lanes = 0;
  const float* queries = nullptr;
  const float* candidates = nullptr;
  std::int32_t query_count = 0, candidate_count = 0;
  std::size_t query_stride = 0, candidate_stride = 0;  // floats from row to row
  float* scores = nullptr;       // of a query and all candidates; backward: dL/dsum over lanes
  std::size_t score_stride = 0;  // a multiple of 4
  const std::int32_t* score_rows = nullptr;  // forward: where a query's go; null: its own row
  float* gradients = nullptr;                // backward: of queries, or of candidates
  bool add = false;                          // to what is there
  float* space = nullptr;                    // backward: for partial sums
  std::size_t space_floats = 0;
};

struct CompareKernels {
  void (*forward)(const CompareJob&, cudaStream_t) = nullptr;
  void (*back_to_queries)(const CompareJob&, cudaStream_t) = nullptr;
  void (*back_to_candidates)(const CompareJob&, cudaStream_t) = nullptr;
};

// By ModelVariant::index. Empty where a matrix product does all; where candidates depend on time
// `forward` is there in any case, since it can add to rows of scores that lie apart.
const CompareKernels& compare_kernels(std::size_t variant);

}  // namespace orrery::cuda
