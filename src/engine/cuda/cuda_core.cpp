// The core tensor: queries from the outer products of a formula's pairs of rows, by matrix
// products.
#include <algorithm>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

std::size_t CudaEngine::core_table() const {
  return static_cast<std::size_t>(std::ranges::find(tables_, RowOf::core, &TableSpec::of) -
                                  tables_.begin());
}

// Its products are of fp32 rows in every precision; the units that round them to tf32 are taken
// where rounding is wanted.
Precision CudaEngine::core_precision() const {
  return precision_ == Precision::fp32 ? Precision::fp32 : Precision::tf32;
}

OuterJob CudaEngine::outer_job(std::int64_t first, std::int64_t rows) const {
  return {plan_.shape.dim, static_cast<std::int32_t>(std::min(memory_.core_rows, rows - first)),
          memory_.formula_stride, memory_.outer_stride};
}

void CudaEngine::make_core_queries(RowJob job) {
  job.queries = {buffers_.pairs.data(), nullptr};
  kernels_.query.forward(job, stream_);
  float* queries = rounds() ? buffers_.query_gradients.data() : buffers_.queries.data();
  core_product(job.count, queries, core_precision(), false);
  if (rounds())
    round_rows(queries, buffers_.rounded_queries.data(),
               static_cast<std::size_t>(job.count) * memory_.query_stride, stream_);
}

// Of the pairs' first `rows` rows.
void CudaEngine::core_product(std::int64_t rows, float* queries, Precision precision, bool add) {
  const auto width = static_cast<std::int64_t>(memory_.outer_stride);
  const float* core = buffers_.tables[core_table()].values.data();
  for (std::int64_t done = 0; done < rows; done += memory_.core_rows) {
    const OuterJob job = outer_job(done, rows);
    outer_products(job, buffers_.pairs.data() + static_cast<std::size_t>(done) * job.pair_stride,
                   buffers_.outer.data(), stream_);
    products_.multiply({precision, job.rows, query_stride(), width},
                       {buffers_.outer.data(), width, false}, {core, query_stride(), false},
                       queries + done * query_stride(), query_stride(), add, stream_);
  }
}

// From the queries' gradients to those of the core and of the pairs.
void CudaEngine::core_product_back(std::int64_t rows) {
  const auto width = static_cast<std::int64_t>(memory_.outer_stride);
  const TableBuffers& core = buffers_.tables[core_table()];
  for (std::int64_t done = 0; done < rows; done += memory_.core_rows) {
    const OuterJob job = outer_job(done, rows);
    const std::size_t first = static_cast<std::size_t>(done) * job.pair_stride;
    const Operand gradients{buffers_.query_gradients.data() + done * query_stride(), query_stride(),
                            false};
    outer_products(job, buffers_.pairs.data() + first, buffers_.outer.data(), stream_);
    products_.multiply({core_precision(), job.rows, width, query_stride()}, gradients,
                       {core.values.data(), query_stride(), true}, buffers_.outer_gradients.data(),
                       width, false, stream_);
    products_.multiply({core_precision(), width, query_stride(), job.rows},
                       {buffers_.outer.data(), width, true}, gradients, core.base.data(),
                       query_stride(), done > 0, stream_);
    outer_products_back(job, buffers_.pairs.data() + first, buffers_.outer_gradients.data(),
                        buffers_.pair_gradients.data() + first, stream_);
  }
  clock_.mark("core", stream_);
}

}  // namespace orrery::cuda
