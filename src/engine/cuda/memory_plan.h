// How much device memory a model takes, decided before anything is allocated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/engine.h"

namespace orrery::cuda {

// The matrix units read whole 16 bytes of bf16. A number of candidates that is no multiple of eight
// would take a path three times as long, so tables, candidates and rows of scores are padded: with
// rows of zeros, and with scores that no softmax, loss or rank sees.
inline constexpr std::int64_t rows_together = 8;
constexpr std::int64_t padded_rows(std::int64_t rows) {
  return (rows + rows_together - 1) / rows_together * rows_together;
}

// What a table's gradient is summed from in one step.
struct GradientSize {
  bool dense = false;       // a gradient row for each row
  std::size_t rows = 0;     // of contributions
  std::size_t element = 0;  // bytes of their floats
  std::size_t folded_rows = 0;
  std::size_t partial_rows = 0;         // sums over candidates on their way to one row
  std::size_t smooth_partial_rows = 0;  // sums over times on their way to the shared row
};

// What of the entities lies in the host's memory because the device's does not hold it: each of
// these beside those before it, in the order of how much slower they make a step.
enum class OnHost { nothing, averages, states, gradients, values, rounded };

struct MemoryPlan {
  // Floats from row to row, padded with zeros: of tables, of what the query's formula gives, of
  // queries and of candidates; of scores, of auxiliary losses' scores (0: none are asked); and of
  // the outer products that a core is multiplied with.
  std::size_t row_stride = 0, formula_stride = 0, query_stride = 0, candidate_stride = 0;
  std::size_t score_stride = 0, auxiliary_stride = 0, outer_stride = 0;
  std::int64_t batch = 0;           // examples a step; 0: only questions are asked
  std::int32_t negatives = 0;       // drawn candidates a step
  std::int64_t score_rows = 0;      // rows of scores that a step has at once
  std::int64_t asking_rows = 0;     // questions that are answered together
  std::int64_t candidate_rows = 0;  // padded, of candidates that are not the entity table itself
  std::int64_t core_rows = 0;       // outer products that are there at once
  std::int64_t peaks = 0;           // of a row of scores, by all processes; 0: there is one process
  OnHost on_host = OnHost::nothing;
  std::int64_t staged_rows =
      0;                     // of the host's that are brought to products at a time; see Staging
  std::uint64_t needed = 0;  // bytes of the device with these rows
  std::uint64_t host_needed = 0;  // of the host

  // Rows of scores of a step, and of questions, whose scores are never wider than score_stride.
  std::size_t score_floats() const {
    return std::max(static_cast<std::size_t>(score_rows) * std::max(score_stride, auxiliary_stride),
                    static_cast<std::size_t>(asking_rows) * score_stride);
  }
  // Of a teacher's, whose scores stand beside a step's.
  std::size_t taught_floats() const { return static_cast<std::size_t>(score_rows) * score_stride; }
  // Several processes: rows of each table of entities that a step or questions borrow at most.
  std::size_t borrowed_rows(std::int64_t of_batch) const {
    return peaks == 0 ? 0 : static_cast<std::size_t>(std::max(2 * of_batch, asking_rows));
  }
  std::size_t peak_count() const { return static_cast<std::size_t>(peaks * score_rows); }
  std::size_t outer_floats() const { return static_cast<std::size_t>(core_rows) * outer_stride; }
};

struct MemoryWish {
  Precision precision = Precision::fp32;
  std::size_t states = 1;  // that the optimizer keeps a parameter
  std::int64_t batch = 0;  // 0: only questions are asked
  std::int32_t negatives = 0;
  std::int64_t examples = 0;  // of the training set
  std::int64_t processes = 1;
  bool auxiliary = false;  // auxiliary losses are asked
  bool averages = false;
  bool teacher = false;
  OnHost on_host = OnHost::nothing;  // at least
  std::uint64_t available = 0, host_available = 0;
};

// What sizes follow from.
struct MemoryNeeds {
  const ModelPlan& plan;
  const std::vector<TableSpec>& tables;
  const MemoryWish& wish;
  const MemoryPlan& memory;
};

// All score rows at once where they fit; else, of fewer rows and of what can lie on the host, what
// makes a step least slower. What cannot be is a request Error with needed and available bytes.
// Lists that come with questions and the best answers are not counted.
MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       const MemoryWish& wish);
// The same, and where nothing fits what comes nearest.
MemoryPlan best_plan(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                     const MemoryWish& wish);
bool fits(const MemoryPlan& memory, const MemoryWish& wish);

GradientSize gradient_of(const ModelPlan& plan, const TableSpec& table, const MemoryWish& wish);

// Padded rows of the largest table that auxiliary losses are held against.
inline std::int64_t most_auxiliary_targets(const ModelShape& shape) {
  return padded_rows(std::max(shape.relation_rows, shape.times));
}

// Shared rows only take part where the penalty joins rows.
inline bool takes_part_in_smoothing(const TableSpec& table, bool joint) {
  return table.of == RowOf::time || table.of == RowOf::window ||
         (joint && table.of == RowOf::shared);
}

// Of blocks of the smoothing kernel, which leave one sum each.
std::int64_t smooth_blocks(const ModelPlan& plan, const std::vector<TableSpec>& tables);

// Whether queries and candidates are rounded: only for products.
inline bool rounds_products(const ModelVariant& variant, Precision precision) {
  return precision == Precision::bf16 && variant.by_product;
}

}  // namespace orrery::cuda
