// How much device memory a model takes, decided before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine.h"

namespace orrery::cuda {

// A gradient table's contributions in one step.
struct ContributionSize {
  std::size_t rows = 0;
  std::size_t element = sizeof(float);
  std::size_t folded_rows = 0;  // of floats
};

struct MemoryPlan {
  std::size_t row_stride = 0;    // floats from row to row, padded with zeros
  std::size_t score_stride = 0;  // floats from row to row of the scores
  std::int64_t batch = 0;        // examples a step; 0: only questions are asked
  std::int64_t score_rows = 0;   // rows of scores that a step has at once
  std::int64_t asking_rows = 0;  // questions that are answered together
  std::uint64_t needed = 0;      // bytes with these rows
};

struct MemoryWish {
  Precision precision = Precision::fp32;
  std::int64_t batch = 0;     // 0: only questions are asked
  std::int64_t examples = 0;  // of the training set
  bool averages = false;
  std::uint64_t available = 0;
};

// All score rows at once where they fit, fewer where not. What cannot be is a request Error with
// needed and available bytes. Lists that come with questions are not counted.
MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       const MemoryWish& wish);

ContributionSize contributions_of(const ModelShape& shape, const TableSpec& table,
                                  Precision precision, std::int64_t batch);

}  // namespace orrery::cuda
