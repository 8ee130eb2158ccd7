// What queries are held against: the entity table itself, or rows that are picked or derived, and
// the way back to what those are made of.
#include <algorithm>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

// Whether derived candidates send gradients to a table.
bool CudaEngine::candidates_reach(std::size_t table) const {
  return plan_.variant->derives_candidates() && kernels_.candidate.uses_row[tables_[table].row];
}

RowJob CudaEngine::candidate_job() const {
  RowJob job = row_job();
  for (std::size_t t = 0; t < tables_.size(); ++t)  // of this process, not those that are borrowed
    job.sources[tables_[t].row] = {buffers_.tables[t].values.data(), row_stride()};
  job.query_stride = memory_.candidate_stride;
  job.vote_scale = 1;
  job.examples = buffers_.candidate_examples.data();
  job.count = held_.count;
  job.attention = buffers_.candidate_attention.data();
  job.query_gradients = buffers_.candidate_gradients.data();
  return job;
}

void CudaEngine::hold(const std::int32_t* ids, std::int32_t count, std::int32_t time,
                      bool rounded) {
  const bool derived = plan_.variant->derives_candidates();
  if (!derived && ids == nullptr) {
    const TableBuffers& entities = buffers_.tables[0];
    held_ = {.rows = entities.values.data(),
             .rounded = buffers_.rounded_entities.data(),
             .gradients = entities.base.data(),
             .count = count,
             .score_stride = memory_.score_stride,
             .rows_place = entities.values.place(),
             .rounded_place = buffers_.rounded_entities.place()};
    return;
  }
  // Few candidates have short rows of scores, which lie close together.
  held_ = {
      buffers_.candidates.data(), buffers_.rounded_candidates.data(),
      buffers_.candidate_gradients.data(), count,
      ids == nullptr ? memory_.score_stride : static_cast<std::size_t>(memory_.candidate_rows)};
  if (count == 0) return;  // drawn ones are all of other processes
  const RowsOut rows = rounded ? RowsOut{nullptr, buffers_.rounded_candidates.data()}
                               : RowsOut{buffers_.candidates.data(), nullptr};
  if (derived) {
    list_candidates(ids, count, time, buffers_.candidate_examples.data(), stream_);
    RowJob job = candidate_job();
    job.queries = rows;
    kernels_.candidate.forward(job, stream_);
  } else {
    pick_rows({ids, count, row_stride()}, buffers_.tables[0].values.data(), rows, stream_);
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
      buffers_.tables[t].base.fill_zero(stream_);
    else if (candidates_reach(t))
      clear_rows({batch.ids(), batch.candidate_count, row_stride()}, buffers_.tables[t].base.data(),
                 stream_);
  }
}

// The candidates' gradients are read where they lie, unless candidates are derived.
void CudaEngine::keep_to_touched(std::size_t t, const Batch& batch, UpdateTable& table) const {
  table.touched = batch.touched.data();
  table.rows = batch.touched_count;
  table.base_of_candidates = t == 0 && !plan_.variant->derives_candidates();
  if (table.base_of_candidates) table.base = buffers_.candidate_gradients.data();
}

// From the gradients of the candidates that are held.
void CudaEngine::send_back(std::int32_t time) {
  const Batch& batch = *batch_;
  const bool derived = plan_.variant->derives_candidates();
  if (held_.count == 0) return;
  if (!derived && (batch.ids() == nullptr || batch.name->sparse)) return;
  if (derived) {
    RowJob job = candidate_job();
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (candidates_reach(t))
        job.gradients[tables_[t].row].fp32 = tables_[t].of == RowOf::entity
                                                 ? buffers_.tables[t].base.data()
                                                 : buffers_.tables[t].partial.data();
    kernels_.candidate.backward(job, stream_);
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      if (!candidates_reach(t) || tables_[t].of == RowOf::entity) continue;
      const std::int32_t row = id_in({0, 0, time}, tables_[t].of, 0, plan_.shape.window);
      sum_rows(
          {buffers_.tables[t].partial.data(), job.windows(), row_stride(),
           buffers_.tables[t].base.data() + static_cast<std::size_t>(row) * row_stride(), true},
          stream_);
    }
  } else {
    add_picked({batch.ids(), held_.count, row_stride()}, buffers_.candidate_gradients.data(),
               buffers_.tables[0].base.data(), stream_);
  }
  clock_.mark("candidates' sweep", stream_);
}

// Calls multiply(first row, rows, the operand of these) for what is held, in one piece where it
// lies on the device.
template <class Multiply>
void CudaEngine::for_each_held_piece(bool rounded, const Multiply& multiply) {
  const std::int64_t rows = held_.columns();
  const void* const held = rounded ? static_cast<const void*>(held_.rounded) : held_.rows;
  if ((rounded ? held_.rounded_place : held_.rows_place) == Place::device) {
    multiply(0, rows, held);
    return;
  }
  staging_.for_each_piece(
      {.host = static_cast<const std::byte*>(held),
       .count = rows,
       .row_bytes = memory_.candidate_stride * (rounded ? sizeof(std::uint16_t) : sizeof(float)),
       .piece = memory_.staged_rows,
       .space = reinterpret_cast<std::byte*>(buffers_.staged.data())},
      stream_, multiply);
}

Operand CudaEngine::query_operand(std::int64_t first) const {
  const auto stride = query_stride();
  if (rounds()) return {buffers_.rounded_queries.data() + first * stride, stride, false};
  return {buffers_.queries.data() + first * stride, stride, false};
}

// From a column on. Rounded gradients lie in the first half of each row's bytes.
Operand CudaEngine::score_gradient_operand(std::int64_t first_column, bool transposed) const {
  if (!rounds()) return {buffers_.scores.data() + first_column, score_stride(), transposed};
  const auto* const gradients = reinterpret_cast<const std::uint16_t*>(buffers_.scores.data());
  return {gradients + first_column, 2 * score_stride(), transposed};
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
  job.scores = buffers_.scores.data();
  job.score_stride = held_.score_stride;
  job.space = reinterpret_cast<float*>(products_.workspace().data());
  job.space_floats = products_.workspace().bytes() / sizeof(float);
  return job;
}

// The same for comparisons: calls run(its job, first row).
template <class Run>
void CudaEngine::for_each_compared_piece(const CompareJob& job, const Run& run) {
  const auto compare = [&](std::int64_t column, std::int64_t columns, const void* candidates) {
    CompareJob piece = job;
    piece.candidates = static_cast<const float*>(candidates);
    piece.candidate_count =
        static_cast<std::int32_t>(std::min<std::int64_t>(columns, held_.count - column));
    piece.scores += column;
    run(piece, column);
  };
  for_each_held_piece(false, compare);
}

void CudaEngine::compare_held(const CompareJob& job) {
  for_each_compared_piece(
      job, [&](const CompareJob& piece, std::int64_t) { compare_.forward(piece, stream_); });
}

void CudaEngine::score_held(std::int64_t first, std::int64_t rows) {
  if (held_.count == 0) return;
  if (!plan_.variant->by_product) {
    compare_held(compare_job(buffers_.queries.data() + first * query_stride(), rows));
    return;
  }
  const auto multiply = [&](std::int64_t column, std::int64_t columns, const void* candidates) {
    products_.multiply({precision_, rows, columns, query_stride()}, query_operand(first),
                       {candidates, candidate_stride(), true}, buffers_.scores.data() + column,
                       score_stride(), false, stream_);
  };
  for_each_held_piece(rounds(), multiply);
}

// Of questions, in fp32.
void CudaEngine::score_asked(std::int64_t rows) {
  const auto multiply = [&](std::int64_t column, std::int64_t columns, const void* candidates) {
    products_.multiply({Precision::fp32, rows, columns, query_stride()},
                       {asking_rows(), query_stride(), false},
                       {candidates, candidate_stride(), true}, buffers_.scores.data() + column,
                       score_stride(), false, stream_);
  };
  for_each_held_piece(false, multiply);
}

void CudaEngine::back_to_queries(std::int64_t first, std::int64_t rows) {
  float* gradients = buffers_.query_gradients.data() + first * query_stride();
  if (held_.count == 0) {
    check(cudaMemsetAsync(gradients, 0,
                          static_cast<std::size_t>(rows * query_stride()) * sizeof(float), stream_),
          "clearing gradients");
    return;
  }
  if (!plan_.variant->by_product) {
    CompareJob job = compare_job(buffers_.queries.data() + first * query_stride(), rows);
    job.gradients = gradients;
    for_each_compared_piece(job, [&](CompareJob& piece, std::int64_t column) {
      piece.add = column > 0;
      compare_.back_to_queries(piece, stream_);
    });
    return;
  }
  const auto multiply = [&](std::int64_t column, std::int64_t columns, const void* candidates) {
    products_.multiply(
        {precision_, rows, query_stride(), columns}, score_gradient_operand(column, false),
        {candidates, candidate_stride(), false}, gradients, query_stride(), column > 0, stream_);
  };
  for_each_held_piece(rounds(), multiply);
}

void CudaEngine::back_to_candidates(std::int64_t first, std::int64_t rows, bool add) {
  if (held_.count == 0) return;
  if (!plan_.variant->by_product) {
    CompareJob job = compare_job(buffers_.queries.data() + first * query_stride(), rows);
    job.add = add;
    for_each_compared_piece(job, [&](CompareJob& piece, std::int64_t column) {
      piece.gradients = held_.gradients + column * candidate_stride();
      compare_.back_to_candidates(piece, stream_);
    });
    return;
  }
  products_.multiply({precision_, held_.columns(), query_stride(), rows},
                     score_gradient_operand(0, true), query_operand(first), held_.gradients,
                     query_stride(), add, stream_);
}

}  // namespace orrery::cuda
