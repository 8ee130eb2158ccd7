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
  std::uint64_t available = 0;
};

// Plans for steps of `batch` examples (0: for questions only): all score rows at once where they
// fit, fewer where not. What cannot be is a request Error with needed and available bytes.
MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       Precision precision, std::int64_t batch, std::int64_t examples,
                       std::uint64_t available);

ContributionSize contributions_of(const ModelShape& shape, const TableSpec& table,
                                  Precision precision, std::int64_t batch);

}  // namespace orrery::cuda
