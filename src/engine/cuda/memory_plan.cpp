#include "engine/cuda/memory_plan.h"

#include <algorithm>

#include "base/error.h"
#include "base/memory_budget.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/products.h"
#include "engine/cuda/row_kernels.h"

namespace orrery::cuda {
namespace {

// Always the same where memory allows, so that a model's scores do not depend on how it was
// trained.
constexpr std::int64_t most_asking_rows = 4096;
constexpr std::int64_t fewest_rows = 64;  // of scores at once; fewer would leave the GPU idle

std::size_t padded(std::int64_t count, std::size_t to) {
  return (static_cast<std::size_t>(count) + to - 1) / to * to;
}

// All but the scores.
std::uint64_t fixed_bytes(const ModelPlan& plan, const std::vector<TableSpec>& tables,
                          Precision precision, const MemoryPlan& memory, std::int64_t examples) {
  const std::uint64_t row = memory.row_stride * sizeof(float);
  const auto batch = static_cast<std::uint64_t>(memory.batch);
  std::uint64_t bytes = Products::workspace_bytes;
  for (const TableSpec& table : tables) {
    const auto count = static_cast<std::uint64_t>(table.count);
    bytes += count * row;
    if (batch == 0) continue;
    bytes += count * row * (table.of == RowOf::relation ? 1 : 2);
    const ContributionSize size = contributions_of(plan.shape, table, precision, memory.batch);
    bytes += size.rows * memory.row_stride * size.element + size.folded_rows * row;
  }
  if (batch == 0) return bytes;
  if (precision == Precision::bf16)
    bytes += (static_cast<std::uint64_t>(plan.shape.entities) + batch) * row / 2;
  else
    bytes += batch * row;
  bytes += batch * (2 * sizeof(Example) + sizeof(Attention) + 36 * sizeof(std::int32_t));
  bytes += static_cast<std::uint64_t>(examples) * sizeof(Example);
  return bytes;
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
                       Precision precision, std::int64_t batch, std::int64_t examples,
                       std::uint64_t available) {
  MemoryPlan memory;
  const int components = plan.variant->algebra_size;
  memory.row_stride =
      static_cast<std::size_t>(components) * padded(plan.shape.dim / components, block_lanes);
  memory.score_stride = padded(plan.shape.entities, 8);
  memory.batch = batch;
  memory.available = available;
  const std::uint64_t fixed = fixed_bytes(plan, tables, precision, memory, examples);
  // Scores, and the queries asked or the gradients of a step's queries.
  const auto with_rows = [&] {
    const auto scores = static_cast<std::uint64_t>(std::max(memory.score_rows, memory.asking_rows));
    const auto queries = static_cast<std::uint64_t>(std::max(memory.batch, memory.asking_rows));
    return fixed + (scores * memory.score_stride + queries * memory.row_stride) * sizeof(float);
  };
  memory.score_rows = batch;
  memory.asking_rows = most_asking_rows;
  while (with_rows() > available && std::max(memory.score_rows, memory.asking_rows) > fewest_rows) {
    const std::int64_t most = std::max(memory.score_rows, memory.asking_rows);
    const std::int64_t fewer = std::max(fewest_rows, (most + 1) / 2);
    memory.score_rows = std::min(memory.score_rows, fewer);
    memory.asking_rows = std::min(memory.asking_rows, fewer);
  }
  memory.needed = with_rows();
  if (memory.needed > available)
    fail_request(
        "{} this model on the GPU needs {} even with {} rows of scores at a time, and {} are "
        "available; take a smaller --dim{}, or --device cpu",
        batch == 0 ? "asking" : "training", format_memory(memory.needed), memory.asking_rows,
        format_memory(available), batch == 0 ? "" : " or --batch");
  return memory;
}

}  // namespace orrery::cuda
