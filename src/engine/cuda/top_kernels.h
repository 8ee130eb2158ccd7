// The best answers of rows of scores, selected on the device: only they leave it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "engine/asker.h"

namespace orrery::cuda {

// Of a row of scores. Where one of them is NaN or infinite, nothing else is known of the row.
struct RowPeak {
  double sum = 0;  // Σ exp(score − highest)
  float highest = 0;
  bool finite = false;
};

struct TopJob {
  const float* scores = nullptr;
  std::size_t stride = 0;
  std::int32_t rows = 0, entities = 0;
  std::int32_t k = 0;            // at most all entities
  ScoredEntity* best = nullptr;  // written: k a row, in no order
  RowPeak* peaks = nullptr;      // written: by row
};
void select_top(const TopJob& job, cudaStream_t stream);

}  // namespace orrery::cuda
