#include "engine/cuda/memory_plan.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/cuda/batches.h"
#include "engine/cuda/buffers.h"
#include "engine/cuda/products.h"

namespace orrery::cuda {
namespace {

// Always the same where memory allows, so that the scores of a run of questions do not depend on
// the batch a model was trained with.
constexpr std::int64_t most_asking_rows = 4096;
constexpr std::int64_t fewest_rows = 64;  // of scores at once; fewer would leave the GPU idle
constexpr std::int64_t most_outer_floats = std::int64_t{1} << 26;

std::size_t padded(std::int64_t count, std::size_t to) {
  return (static_cast<std::size_t>(count) + to - 1) / to * to;
}

struct Bytes {
  std::uint64_t device = 0, host = 0;
};

Bytes bytes_of(const MemoryNeeds& needs) {
  const MemoryWish& wish = needs.wish;
  Bytes bytes{.device = Products::workspace_bytes + sizeof(DeviceLosses)};
  if (wish.batch > 0)
    bytes.device += Batches::bytes_for(needs.plan.shape, wish.batch, wish.negatives, wish.examples,
                                       wish.processes > 1);
  Buffers none(needs.tables.size() + (needs.plan.feature_count > 0 ? 1 : 0));
  each_buffer(
      needs, none,
      [&]<class T>(const DeviceBuffer<T>&, std::size_t size, Stage stage, Filled, Place place) {
        const bool trained = stage == Stage::states || stage == Stage::training;
        if (trained && wish.batch == 0) return;
        if (stage == Stage::averages && !wish.averages) return;
        (place == Place::host ? bytes.host : bytes.device) += size * sizeof(T);
      });
  return bytes;
}

// Rows of the host are held against queries in pieces of at most 64 MiB, and an eighth of the
// entities.
std::int64_t staged_rows_of(const ModelPlan& plan, const MemoryPlan& memory) {
  if (memory.on_host == OnHost::nothing || plan.variant->derives_candidates()) return 0;
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const auto rows = static_cast<std::int64_t>(most_bytes / (memory.row_stride * sizeof(float)));
  return padded_rows(
      std::clamp<std::int64_t>(rows, 1, std::max<std::int64_t>(1, plan.shape.entities / 8)));
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

// As many rows of scores as fit, but not too few.
void choose_rows(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                 const MemoryWish& wish, MemoryPlan& memory) {
  const auto fits_device = [&] {
    const Bytes bytes = bytes_of({plan, tables, wish, memory});
    memory.needed = bytes.device;
    memory.host_needed = bytes.host;
    return memory.needed <= wish.available;
  };
  memory.score_rows = wish.batch;
  memory.asking_rows = most_asking_rows;
  const auto most = [&] { return std::max(memory.score_rows, memory.asking_rows); };
  while (!fits_device() && most() > fewest_rows) {
    const std::int64_t fewer = std::max(fewest_rows, (most() + 1) / 2);
    memory.score_rows = std::min(memory.score_rows, fewer);
    memory.asking_rows = std::min(memory.asking_rows, fewer);
  }
}

// What a step against all entities costs beyond what it must: bytes over the bus for each number of
// their embeddings. Rows of scores that are not there at once are worked off in turns, and in each
// gradients are read and added to, and embeddings are read.
double cost_of_step(const ModelPlan& plan, const MemoryWish& wish, const MemoryPlan& memory) {
  constexpr double device_byte = 1.0 / 80;  // the device's own memory is so much faster
  constexpr double of_averages = 2;         // once an epoch, and what validation asks of them
  const std::int64_t batch = std::max<std::int64_t>(1, wish.batch);
  const std::int64_t at_once = std::max<std::int64_t>(1, memory.score_rows);
  const auto turns = static_cast<double>((batch + at_once - 1) / at_once);
  const bool rounds = rounds_products(*plan.variant, wish.precision);
  const auto lies = [&](OnHost kind) { return memory.on_host >= kind ? 1.0 : device_byte; };
  double bytes = lies(OnHost::averages) * of_averages;
  if (wish.teacher) bytes += lies(OnHost::averages) * 4 * (rounds ? 1 : turns);
  bytes += lies(OnHost::states) * 8 * static_cast<double>(wish.states);
  bytes += lies(OnHost::gradients) * 8 * turns;
  bytes += lies(OnHost::values) * (8 + (rounds ? 4 : 8 * turns));
  if (rounds) bytes += lies(OnHost::rounded) * (2 + 4 * turns);
  return bytes;
}

[[noreturn]] void refuse(const MemoryPlan& memory, const MemoryWish& wish) {
  const char* doing = wish.batch == 0 ? "asking" : "training";
  const std::string advice = wish.batch == 0
                                 ? worded("take a smaller $dim, or $device cpu")
                                 : worded("take a smaller $dim or $batch, or $device cpu");
  if (memory.needed > wish.available)
    fail_model(About{.option = "dim", .advice = advice},
               "{} this model on the GPU needs {} even with {} rows of scores at a time and what "
               "can lie in the host's memory there, and {} are available",
               doing, format_memory(memory.needed), memory.asking_rows,
               format_memory(wish.available));
  fail_model(About{.option = "dim", .advice = advice},
             "{} this model on the GPU needs {}, and {} of the host's memory for what does not fit "
             "there, of which {} are available",
             doing, format_memory(memory.needed), format_memory(memory.host_needed),
             format_memory(wish.host_available));
}

}  // namespace

bool fits(const MemoryPlan& memory, const MemoryWish& wish) {
  return memory.needed <= wish.available && memory.host_needed <= wish.host_available;
}

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

MemoryPlan best_plan(const ModelPlan& plan, const std::vector<TableSpec>& tables,
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
  std::optional<MemoryPlan> best;
  for (OnHost on_host = wish.on_host; on_host <= OnHost::rounded;
       on_host = static_cast<OnHost>(static_cast<int>(on_host) + 1)) {
    memory.on_host = on_host;
    memory.staged_rows = staged_rows_of(plan, memory);
    choose_rows(plan, tables, wish, memory);
    if (fits(memory, wish) &&
        (!best || cost_of_step(plan, wish, memory) < cost_of_step(plan, wish, *best)))
      best = memory;
  }
  return best.value_or(memory);
}

MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       const MemoryWish& wish) {
  const MemoryPlan memory = best_plan(plan, tables, wish);
  if (!fits(memory, wish)) refuse(memory, wish);
  return memory;
}

}  // namespace orrery::cuda
