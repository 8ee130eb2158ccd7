// What queries are held against: the entity table itself, or rows that are picked or derived, and
// the way back to what those are made of.
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

// Whether derived candidates send gradients to a table.
bool CudaEngine::candidates_reach(std::size_t table) const {
  return plan_.variant->derives_candidates() && kernels_.candidate.uses_row[tables_[table].row];
}

RowJob CudaEngine::candidate_job() const {
  RowJob job = row_job();
  for (std::size_t t = 0; t < tables_.size(); ++t)  // of this process, not those that are borrowed
    job.sources[tables_[t].row] = {data_[t].values.data(), row_stride()};
  job.query_stride = memory_.candidate_stride;
  job.vote_scale = 1;
  job.examples = candidate_examples_.data();
  job.count = held_.count;
  job.attention = candidate_attention_.data();
  job.query_gradients = candidate_gradients_.data();
  return job;
}

void CudaEngine::hold(const std::int32_t* ids, std::int32_t count, std::int32_t time,
                      bool rounded) {
  const bool derived = plan_.variant->derives_candidates();
  if (!derived && ids == nullptr) {
    held_ = {data_[0].values.data(), rounded_entities_.data(), data_[0].base.data(), count,
             memory_.score_stride};
    return;
  }
  // Few candidates have short rows of scores, which lie close together.
  held_ = {
      candidates_.data(), rounded_candidates_.data(), candidate_gradients_.data(), count,
      ids == nullptr ? memory_.score_stride : static_cast<std::size_t>(memory_.candidate_rows)};
  if (count == 0) return;  // drawn ones are all of other processes
  const RowsOut rows =
      rounded ? RowsOut{nullptr, rounded_candidates_.data()} : RowsOut{candidates_.data(), nullptr};
  if (derived) {
    list_candidates(ids, count, time, candidate_examples_.data(), stream_);
    RowJob job = candidate_job();
    job.queries = rows;
    kernels_.candidate.forward(job, stream_);
  } else {
    pick_rows({ids, count, row_stride()}, data_[0].values.data(), rows, stream_);
  }
  clock_.mark("candidates", stream_);
}

// Whether a step updates only the entities that it gives a gradient to. All others would stay as
// they are, to the bit.
bool CudaEngine::updates_few(const LossRules& rules) const {
  return rules.negatives > 0 && optimizer_.zero_gradients_change_nothing && !every_row_ &&
         !is_shared();
}

// Of entities, where gradients are added and not written.
void CudaEngine::clear_dense_gradients(const Batch& batch) {
  const BatchName& name = *batch.name;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const bool picked = t == 0 && name.negatives > 0;
    if (tables_[t].of != RowOf::entity || !(picked || candidates_reach(t))) continue;
    if (!name.sparse)
      data_[t].base.fill_zero(stream_);
    else if (candidates_reach(t))
      clear_rows({batch.ids(), batch.candidate_count, row_stride()}, data_[t].base.data(), stream_);
  }
}

// The candidates' gradients are read where they lie, unless candidates are derived.
void CudaEngine::keep_to_touched(std::size_t t, const Batch& batch, UpdateTable& table) const {
  table.touched = batch.touched.data();
  table.rows = batch.touched_count;
  table.base_of_candidates = t == 0 && !plan_.variant->derives_candidates();
  if (table.base_of_candidates) table.base = candidate_gradients_.data();
}

// From the gradients of the candidates that are held.
void CudaEngine::send_back(const Batch& batch, std::int32_t time) {
  const bool derived = plan_.variant->derives_candidates();
  if (held_.count == 0) return;
  if (!derived && (batch.ids() == nullptr || batch.name->sparse)) return;
  if (derived) {
    RowJob job = candidate_job();
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (candidates_reach(t))
        job.gradients[tables_[t].row].fp32 =
            tables_[t].of == RowOf::entity ? data_[t].base.data() : data_[t].partial.data();
    kernels_.candidate.backward(job, stream_);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (!candidates_reach(t) || tables_[t].of == RowOf::entity) continue;
      const std::int32_t row = id_in({0, 0, time}, tables_[t].of, 0, plan_.shape.window);
      sum_rows({data_[t].partial.data(), job.windows(), row_stride(),
                data_[t].base.data() + static_cast<std::size_t>(row) * row_stride(), true},
               stream_);
    }
  } else {
    add_picked({batch.ids(), held_.count, row_stride()}, candidate_gradients_.data(),
               data_[0].base.data(), stream_);
  }
  clock_.mark("candidates' sweep", stream_);
}

Operand CudaEngine::held_operand(bool transposed) const {
  const auto stride = static_cast<std::int64_t>(memory_.candidate_stride);
  if (rounds()) return {held_.rounded, stride, transposed};
  return {held_.rows, stride, transposed};
}

Operand CudaEngine::query_operand(std::int64_t first) const {
  const auto stride = query_stride();
  if (rounds()) return {rounded_queries_.data() + first * stride, stride, false};
  return {queries_.data() + first * stride, stride, false};
}

// Rounded gradients lie in the first half of each row's bytes.
Operand CudaEngine::score_gradient_operand(bool transposed) const {
  return {scores_.data(), rounds() ? 2 * score_stride() : score_stride(), transposed};
}

CompareJob CudaEngine::compare_job(const float* queries, std::int64_t rows) const {
  CompareJob job;
  job.lanes = plan_.shape.dim / plan_.variant->algebra_size;
  job.queries = queries;
  job.query_count = static_cast<std::int32_t>(rows);
  job.query_stride = memory_.query_stride;
  job.candidates = held_.rows;
  job.candidate_count = held_.count;
  job.candidate_stride = memory_.candidate_stride;
  job.scores = scores_.data();
  job.score_stride = held_.score_stride;
  job.space = reinterpret_cast<float*>(products_.workspace().data());
  job.space_floats = products_.workspace().bytes() / sizeof(float);
  return job;
}

void CudaEngine::score_held(std::int64_t first, std::int64_t rows) {
  if (held_.count == 0) return;
  if (!plan_.variant->by_product) {
    compare_.forward(compare_job(queries_.data() + first * query_stride(), rows), stream_);
    return;
  }
  products_.multiply({precision_, rows, held_.columns(), query_stride()}, query_operand(first),
                     held_operand(true), scores_.data(), score_stride(), false, stream_);
}

void CudaEngine::back_to_queries(std::int64_t first, std::int64_t rows) {
  float* gradients = query_gradients_.data() + first * query_stride();
  if (held_.count == 0) {
    check(cudaMemsetAsync(gradients, 0,
                          static_cast<std::size_t>(rows * query_stride()) * sizeof(float), stream_),
          "clearing gradients");
    return;
  }
  if (!plan_.variant->by_product) {
    CompareJob job = compare_job(queries_.data() + first * query_stride(), rows);
    job.gradients = gradients;
    compare_.back_to_queries(job, stream_);
    return;
  }
  products_.multiply({precision_, rows, query_stride(), held_.columns()},
                     score_gradient_operand(false), held_operand(false), gradients, query_stride(),
                     false, stream_);
}

void CudaEngine::back_to_candidates(std::int64_t first, std::int64_t rows, bool add) {
  if (held_.count == 0) return;
  if (!plan_.variant->by_product) {
    CompareJob job = compare_job(queries_.data() + first * query_stride(), rows);
    job.gradients = held_.gradients;
    job.add = add;
    compare_.back_to_candidates(job, stream_);
    return;
  }
  products_.multiply({precision_, held_.columns(), query_stride(), rows},
                     score_gradient_operand(true), query_operand(first), held_.gradients,
                     query_stride(), add, stream_);
}

}  // namespace orrery::cuda
