#include "engine/cuda/memory_plan.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/cuda/batches.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/part_kernels.h"
#include "engine/cuda/products.h"
#include "engine/cuda/row_kernels.h"
#include "math/lane.h"

namespace orrery::cuda {
namespace {

// Always the same where memory allows, so that the scores of a run of questions do not depend on
// the batch a model was trained with.
constexpr std::int64_t most_asking_rows = 4096;
constexpr std::int64_t fewest_rows = 64;  // of scores at once; fewer would leave the GPU idle
constexpr std::int64_t most_outer_floats = std::int64_t{1} << 26;

std::uint64_t size_of(std::int64_t count) { return static_cast<std::uint64_t>(count); }

std::size_t padded(std::int64_t count, std::size_t to) {
  return (static_cast<std::size_t>(count) + to - 1) / to * to;
}

// Of candidates that are not the entity table itself, beyond what asking takes.
std::uint64_t candidate_bytes(const ModelPlan& plan, const MemoryPlan& memory,
                              const MemoryWish& wish) {
  const std::uint64_t rows = size_of(memory.candidate_rows);
  const bool derived = plan.variant->derives_candidates();
  const bool rounded = rounds_products(*plan.variant, wish.precision);
  std::uint64_t row = memory.candidate_stride * sizeof(float);  // a gradient
  if (rounded) row += memory.candidate_stride * sizeof(std::uint16_t);
  if (!rounded && !derived) row += memory.candidate_stride * sizeof(float);
  if (row_kernels(plan.variant->index).candidate.votes > 0) row += sizeof(Attention);
  return rows * row;
}

// Of a teacher, beyond its rows and its scores.
std::uint64_t taught_bytes(const ModelPlan& plan, const MemoryPlan& memory,
                           const MemoryWish& wish) {
  const bool rounded = rounds_products(*plan.variant, wish.precision);
  const std::uint64_t element = rounded ? sizeof(std::uint16_t) : sizeof(float);
  std::uint64_t bytes = size_of(wish.batch) * memory.query_stride * element;
  if (rounded && !plan.variant->derives_candidates())
    bytes += size_of(padded_rows(plan.shape.entities)) * memory.row_stride * sizeof(std::uint16_t);
  return bytes + size_of(memory.candidate_rows) * memory.candidate_stride * element;
}

std::uint64_t table_bytes(const ModelPlan& plan, const TableSpec& table, const MemoryPlan& memory,
                          const MemoryWish& wish) {
  const std::uint64_t row = memory.row_stride * sizeof(float);
  const GradientSize size = gradient_of(plan, table, wish);
  const std::uint64_t copies = wish.states + (size.dense ? 1 : 0) + (wish.averages ? 1 : 0);
  return size_of(padded_rows(table.count)) * row * copies +
         size.rows * memory.row_stride * size.element +
         (size.folded_rows + size.partial_rows + size.smooth_partial_rows) * row;
}

std::uint64_t training_bytes(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                             const MemoryPlan& memory, const MemoryWish& wish) {
  const std::uint64_t batch = size_of(wish.batch);
  RowJob job;
  job.lanes = plan.shape.dim / plan.variant->algebra_size;
  job.count = static_cast<std::int32_t>(wish.batch);
  const auto slices = size_of(job.slices());
  std::uint64_t bytes = Batches::bytes_for(plan.shape, wish.batch, wish.negatives, wish.examples,
                                           wish.processes > 1) +
                        candidate_bytes(plan, memory, wish);
  for (const TableSpec& table : tables) bytes += table_bytes(plan, table, memory, wish);
  const bool rounded = rounds_products(*plan.variant, wish.precision);
  bytes += batch * memory.query_stride * (rounded ? sizeof(std::uint16_t) : sizeof(float));
  if (rounded && !plan.variant->derives_candidates())
    bytes += size_of(padded_rows(plan.shape.entities)) * memory.row_stride * sizeof(std::uint16_t);
  if (plan.variant->has_core)
    bytes += (batch * memory.formula_stride + memory.outer_floats()) * sizeof(float);
  bytes += batch * (sizeof(Attention) + sizeof(float));
  if (wish.auxiliary) {
    bytes += batch * auxiliary_losses * sizeof(float);
    if (rounded)
      bytes +=
          size_of(most_auxiliary_targets(plan.shape)) * memory.row_stride * sizeof(std::uint16_t);
  }
  if (wish.teacher) bytes += taught_bytes(plan, memory, wish);
  bytes += size_of(smooth_blocks(plan, tables)) * sizeof(float);
  return bytes + size_of(job.windows()) * slices * sizeof(float);
}

// All but the scores and the rows that go with them.
std::uint64_t fixed_bytes(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                          const MemoryPlan& memory, const MemoryWish& wish) {
  std::uint64_t rows = 2;  // the constant ones
  for (const TableSpec& table : tables) rows += size_of(padded_rows(table.count));
  std::uint64_t bytes =
      Products::workspace_bytes + rows * memory.row_stride * sizeof(float) + sizeof(DeviceLosses);
  bytes += size_of(plan.shape.times) * clock_readings * sizeof(float);
  if (plan.variant->derives_candidates())
    bytes += size_of(memory.candidate_rows) *
             (memory.candidate_stride * sizeof(float) + sizeof(Example));
  if (plan.variant->has_core) bytes += memory.outer_floats() * sizeof(float);
  return bytes + (wish.batch == 0 ? 0 : training_bytes(plan, tables, memory, wish));
}

// What several processes exchange, with these rows of scores.
std::uint64_t exchanged_bytes(const std::vector<TableSpec>& tables, const MemoryPlan& memory) {
  if (memory.peaks == 0) return 0;
  const auto shared =
      static_cast<std::uint64_t>(std::ranges::count(tables, RowOf::entity, &TableSpec::of));
  return shared * memory.borrowed_rows(memory.batch) * memory.row_stride * sizeof(float) +
         size_of(memory.asking_rows) * sizeof(std::int32_t) +
         memory.peak_count() * sizeof(PartPeak);
}

MemoryPlan strides_of(const ModelPlan& plan, bool auxiliary) {
  const ModelVariant& variant = *plan.variant;
  const std::int64_t lanes = plan.shape.dim / variant.algebra_size;
  const auto stride = [&](int components) {
    return static_cast<std::size_t>(components) * padded(lanes, block_lanes);
  };
  MemoryPlan memory;
  memory.row_stride = stride(variant.algebra_size);
  memory.formula_stride = stride(variant.formula_size);
  memory.query_stride = stride(variant.query_size);
  memory.candidate_stride = stride(variant.candidate_size);
  memory.score_stride = static_cast<std::size_t>(padded_rows(plan.shape.entities));
  memory.auxiliary_stride =
      auxiliary ? static_cast<std::size_t>(most_auxiliary_targets(plan.shape)) : 0;
  return memory;
}

}  // namespace

GradientSize gradient_of(const ModelPlan& plan, const TableSpec& table, const MemoryWish& wish) {
  const RowKernels& kernels = row_kernels(plan.variant->index);
  const bool derived = plan.variant->derives_candidates();
  const bool by_candidates = derived && kernels.candidate.uses_row[table.row];
  const auto examples = static_cast<std::size_t>(wish.batch);
  const auto blocks = [](std::int64_t count, int size) {
    return static_cast<std::size_t>((count + size - 1) / size);
  };
  GradientSize size;
  const auto& auxiliary_targets = plan.variant->auxiliary_targets;
  const bool by_sides =
      wish.auxiliary &&
      std::ranges::find(auxiliary_targets, static_cast<int>(table.row)) != auxiliary_targets.end();
  size.dense = table.of == RowOf::entity ? by_candidates || (!derived && table.row == 0)
                                         : table.of != RowOf::relation || by_sides;
  if (by_candidates && table.of != RowOf::entity)
    size.partial_rows = blocks(plan.shape.entities, window_examples);
  if (table.of == RowOf::shared && kernels.joint_smoothing)
    size.smooth_partial_rows = blocks(plan.shape.times, smooth_times);
  if (!kernels.query.uses_row[table.row]) return size;
  if (table.of == RowOf::relation) {
    size.rows =
        blocks(wish.batch, window_examples) + static_cast<std::size_t>(plan.shape.relation_rows);
    size.element = sizeof(float);
    return size;
  }
  size.rows = table.of == RowOf::entity ? 2 * examples : examples;
  size.element = wish.precision == Precision::bf16 ? sizeof(std::uint16_t) : sizeof(float);
  size.folded_rows = size.rows / fold;
  return size;
}

std::int64_t smooth_blocks(const ModelPlan& plan, const std::vector<TableSpec>& tables) {
  SmoothJob job;
  job.lanes = plan.shape.dim / plan.variant->algebra_size;
  job.times = plan.shape.times;
  job.joint = row_kernels(plan.variant->index).joint_smoothing;
  for (const TableSpec& table : tables)
    job.table_count += takes_part_in_smoothing(table, job.joint);
  return job.blocks();
}

MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       const MemoryWish& wish) {
  MemoryPlan memory = strides_of(plan, wish.auxiliary);
  memory.batch = wish.batch;
  memory.negatives = wish.negatives;
  if (plan.variant->derives_candidates())
    memory.candidate_rows = padded_rows(plan.shape.entities);
  else if (wish.negatives > 0)
    memory.candidate_rows =
        padded_rows(Batches::most_candidates(plan.shape, wish.batch, wish.negatives));
  if (plan.variant->has_core) {
    const std::int64_t products = std::int64_t{plan.shape.dim} * plan.shape.dim;
    memory.outer_stride = static_cast<std::size_t>(padded_rows(products));
    memory.core_rows = std::clamp<std::int64_t>(most_outer_floats / products, 16, 1024);
  }
  if (wish.processes > 1) memory.peaks = wish.processes * (wish.teacher ? 2 : 1);
  const std::uint64_t fixed = fixed_bytes(plan, tables, memory, wish);
  // Scores, and the queries asked or the gradients of a step's queries.
  const auto with_rows = [&] {
    const auto asking = size_of(memory.asking_rows);
    const auto queries = std::max(size_of(memory.batch), asking);
    const auto query = memory.query_stride + (plan.variant->has_core ? memory.formula_stride : 0);
    const auto taught = wish.teacher ? memory.taught_floats() : 0;
    return fixed + (memory.score_floats() + taught + queries * query) * sizeof(float) +
           asking * sizeof(Example) + exchanged_bytes(tables, memory);
  };
  memory.score_rows = wish.batch;
  memory.asking_rows = most_asking_rows;
  const auto most = [&] { return std::max(memory.score_rows, memory.asking_rows); };
  while (with_rows() > wish.available && most() > fewest_rows) {
    const std::int64_t fewer = std::max(fewest_rows, (most() + 1) / 2);
    memory.score_rows = std::min(memory.score_rows, fewer);
    memory.asking_rows = std::min(memory.asking_rows, fewer);
  }
  memory.needed = with_rows();
  if (memory.needed > wish.available)
    fail_model(
        About{.option = "dim",
              .advice = wish.batch == 0 ? worded("take a smaller $dim, or $device cpu")
                                        : worded("take a smaller $dim or $batch, or $device cpu")},
        "{} this model on the GPU needs {} even with {} rows of scores at a time, and {} are "
        "available",
        wish.batch == 0 ? "asking" : "training", format_memory(memory.needed), memory.asking_rows,
        format_memory(wish.available));
  return memory;
}

}  // namespace orrery::cuda
