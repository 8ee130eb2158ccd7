#include "engine/cuda/memory_plan.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/cuda/batches.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/products.h"
#include "engine/cuda/row_kernels.h"

namespace orrery::cuda {
namespace {

// Always the same where memory allows, so that the scores of a run of questions do not depend on
// the batch a model was trained with.
constexpr std::int64_t most_asking_rows = 4096;
constexpr std::int64_t fewest_rows = 64;  // of scores at once; fewer would leave the GPU idle

std::size_t padded(std::int64_t count, std::size_t to) {
  return (static_cast<std::size_t>(count) + to - 1) / to * to;
}

std::uint64_t training_bytes(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                             const MemoryPlan& memory, const MemoryWish& wish) {
  const std::uint64_t row = memory.row_stride * sizeof(float);
  const auto batch = static_cast<std::uint64_t>(wish.batch);
  RowJob job;
  job.lanes = plan.shape.dim / plan.variant->algebra_size;
  job.count = static_cast<std::int32_t>(wish.batch);
  const auto slices = static_cast<std::uint64_t>(job.slices());
  std::uint64_t bytes = Batches::bytes_for(plan.shape, wish.batch, wish.examples);
  for (const TableSpec& table : tables) {
    const auto count = static_cast<std::uint64_t>(table.count);
    const ContributionSize size = contributions_of(plan.shape, table, wish.precision, wish.batch);
    bytes += count * row * (table.of == RowOf::relation ? 1 : 2);  // squares, and a dense gradient
    bytes += size.rows * memory.row_stride * size.element + size.folded_rows * row;
    if (wish.averages) bytes += count * row;
    if (table.of == RowOf::time) bytes += count * slices * sizeof(float);
  }
  const std::uint64_t rounded = static_cast<std::uint64_t>(plan.shape.entities) + batch;
  bytes += wish.precision == Precision::bf16 ? rounded * row / 2 : batch * row;
  bytes += batch * (sizeof(Attention) + sizeof(float));
  return bytes + static_cast<std::uint64_t>(job.windows()) * slices * sizeof(float);
}

// All but the scores and the rows that go with them.
std::uint64_t fixed_bytes(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                          const MemoryPlan& memory, const MemoryWish& wish) {
  std::uint64_t rows = 2;  // the constant ones
  for (const TableSpec& table : tables) rows += static_cast<std::uint64_t>(table.count);
  const std::uint64_t bytes =
      Products::workspace_bytes + rows * memory.row_stride * sizeof(float) + sizeof(DeviceLosses);
  return bytes + (wish.batch == 0 ? 0 : training_bytes(plan, tables, memory, wish));
}

}  // namespace

ContributionSize contributions_of(const ModelShape& shape, const TableSpec& table,
                                  Precision precision, std::int64_t batch) {
  const auto examples = static_cast<std::size_t>(batch);
  if (table.of == RowOf::relation)
    return {(examples + window_examples - 1) / window_examples +
                static_cast<std::size_t>(shape.relation_rows),
            sizeof(float), 0};
  const std::size_t element = precision == Precision::bf16 ? sizeof(std::uint16_t) : sizeof(float);
  const std::size_t rows = table.of == RowOf::entity ? 2 * examples : examples;
  return {rows, element, rows / fold};
}

MemoryPlan plan_memory(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                       const MemoryWish& wish) {
  MemoryPlan memory;
  const int components = plan.variant->algebra_size;
  memory.row_stride =
      static_cast<std::size_t>(components) * padded(plan.shape.dim / components, block_lanes);
  memory.score_stride = padded(plan.shape.entities, 8);
  memory.batch = wish.batch;
  const std::uint64_t fixed = fixed_bytes(plan, tables, memory, wish);
  // Scores, and the queries asked or the gradients of a step's queries.
  const auto with_rows = [&] {
    const auto asking = static_cast<std::uint64_t>(memory.asking_rows);
    const auto scores = std::max(static_cast<std::uint64_t>(memory.score_rows), asking);
    const auto queries = std::max(static_cast<std::uint64_t>(memory.batch), asking);
    return fixed + (scores * memory.score_stride + queries * memory.row_stride) * sizeof(float) +
           asking * sizeof(Example);
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
    fail_request(
        "{} this model on the GPU needs {} even with {} rows of scores at a time, and {} are "
        "available; take a smaller --dim{}, or --device cpu",
        wish.batch == 0 ? "asking" : "training", format_memory(memory.needed), memory.asking_rows,
        format_memory(wish.available), wish.batch == 0 ? "" : " or --batch");
  return memory;
}

}  // namespace orrery::cuda
