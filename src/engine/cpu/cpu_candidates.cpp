// What queries are held against where it is not the entity table itself: derived rows, or drawn
// ones.
#include <algorithm>
#include <type_traits>

#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
void CpuEngine::hold_entities(Workspace& work) const {
  work.held = {false,
               {},
               static_cast<std::size_t>(own_.count),
               data_[0].values.data(),
               nullptr,
               rounded_entities_.data()};
}

void CpuEngine::allocate_candidates(Workspace& work, std::size_t count) const {
  const std::size_t floats = with_spare_rows(count) * candidate_layout_.floats();
  const auto grow = [floats](auto& buffer) {
    using B = std::remove_reference_t<decltype(buffer)>;
    if (buffer.size() < floats) buffer = B(floats);
  };
  grow(work.candidate_rows);
  if (!work.training) return;
  grow(work.candidate_gradients);
  if (precision_ == Precision::bf16) grow(work.rounded_candidates);
}

// The candidates `first`, `first` + 1 … of those held, as many as fit a unit, as what their formula
// is run on.
std::span<const Example> CpuEngine::candidate_examples(Workspace& work, std::size_t first,
                                                       std::int32_t time) const {
  const std::size_t rows = std::min(unit_rows_, work.held.count - first);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t place = first + i;
    const auto id = work.held.drawn ? work.held.ids[place] : static_cast<std::int32_t>(place);
    work.candidate_unit[i] = {{id, 0, time}, 0};
  }
  return {work.candidate_unit.data(), rows};
}

RowJob CpuEngine::candidate_job(const Workspace& work) const {
  RowJob job = row_job(work);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    job.sources[tables_[t].row] = {data_[t].values.data(), layout_.floats()};
  job.examples = work.candidate_unit.data();
  job.query_floats = candidate_layout_.floats();
  job.vote_scale = 1;
  return job;
}

// Makes the candidates' rows and clears their gradients.
void CpuEngine::hold_compact(Workspace& work, std::int32_t time, std::span<const std::int32_t> ids,
                             bool drawn) const {
  const auto entities = static_cast<std::size_t>(own_.count);
  const std::size_t count = drawn ? ids.size() : entities;
  allocate_candidates(
      work, std::max(count, drawn ? std::min<std::size_t>(entities, batch_hint_ + negatives_) : 0));
  work.held = {drawn,
               {ids.begin(), ids.end()},
               count,
               work.candidate_rows.data(),
               work.candidate_gradients.data(),
               work.rounded_candidates.data()};
  const std::size_t width = candidate_layout_.floats();
  RowJob job = candidate_job(work);
  for (std::size_t done = 0; done < work.held.count; done += unit_rows_) {
    const auto examples = candidate_examples(work, done, time);
    job.queries = work.candidate_rows.data() + done * width;
    parallel_for(work.pool, examples.size(), row_grain, [&](std::size_t begin, std::size_t end) {
      if (plan_.variant->derives_candidates())
        row_kernels_.candidate.forward(job, begin, end);
      else
        for (std::size_t i = begin; i < end; ++i)
          std::copy_n(
              data_[0].values.data() + static_cast<std::size_t>(examples[i].query.subject) * width,
              width, job.queries + i * width);
      const std::size_t first = (done + begin) * width, floats = (end - begin) * width;
      if (work.candidate_gradients.size() > 0)
        std::fill_n(work.candidate_gradients.data() + first, floats, 0.0F);
      if (work.rounded_candidates.size() > 0)
        kernels_.to_bf16(work.candidate_rows.data() + first, work.rounded_candidates.data() + first,
                         floats);
    });
  }
}

// From the candidates' gradients to those of the rows they were made of.
void CpuEngine::send_back(std::int32_t time) {
  if (!compact_candidates(step_rules_.loss.negatives)) return;
  if (is_shared()) exchange_partial_gradients();
  const std::size_t width = candidate_layout_.floats();
  RowJob job = candidate_job(work_);
  send_gradients_to_buffers(job);
  for (std::size_t done = 0; done < work_.held.count; done += unit_rows_) {
    const auto examples = candidate_examples(work_, done, time);
    job.query_gradients = work_.candidate_gradients.data() + done * width;
    parallel_for(work_.pool, examples.size(), row_grain, [&](std::size_t begin, std::size_t end) {
      if (plan_.variant->derives_candidates())
        row_kernels_.candidate.backward(job, begin, end);
      else
        for (std::size_t i = begin; i < end; ++i)
          kernels_.add(data_[0].gradients.data() +
                           static_cast<std::size_t>(examples[i].query.subject) * width,
                       job.query_gradients + i * width, width);
    });
    if (plan_.variant->derives_candidates()) scatter(row_kernels_.candidate, examples, false, 0);
  }
  if (is_shared()) exchange_partial_gradients();
}

}  // namespace orrery::cpu
