// What queries are held against where it is not the entity table itself: derived rows, or drawn
// ones.
#include <algorithm>
#include <type_traits>

#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/cpu_products.h"

namespace orrery::cpu {
void CpuEngine::hold_entities() {
  held_ = {{},
           static_cast<std::size_t>(plan_.shape.entities),
           data_[0].values.data(),
           data_[0].gradients.data(),
           rounded_entities_.data()};
}

void CpuEngine::allocate_candidates(std::size_t count) {
  const std::size_t floats = with_spare_rows(count) * candidate_layout_.floats();
  const auto grow = [floats](auto& buffer) {
    using B = std::remove_reference_t<decltype(buffer)>;
    if (buffer.size() < floats) buffer = B(floats);
  };
  grow(candidate_rows_);
  if (row_gradients_.empty()) return;
  grow(candidate_gradients_);
  if (precision_ == Precision::bf16) grow(rounded_candidates_);
}

// The candidates `first`, `first` + 1 … of those held, as many as fit a unit, as what their formula
// is run on.
std::span<const Example> CpuEngine::candidate_examples(std::size_t first, std::int32_t time) {
  const std::size_t rows = std::min(unit_rows_, held_.count - first);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t place = first + i;
    const auto id = held_.ids.empty() ? static_cast<std::int32_t>(place) : held_.ids[place];
    unit_[i] = {{id, 0, time}, 0};
  }
  return {unit_.data(), rows};
}

RowJob CpuEngine::candidate_job() const {
  RowJob job = row_job();
  job.query_floats = candidate_layout_.floats();
  job.vote_scale = 1;
  return job;
}

// Makes the candidates' rows and clears their gradients. Uses the unit's examples.
void CpuEngine::hold_compact(std::int32_t time, std::span<const std::int32_t> ids) {
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  const std::size_t count = ids.empty() ? entities : ids.size();
  allocate_candidates(
      std::max(count, ids.empty() ? 0 : std::min<std::size_t>(entities, batch_hint_ + negatives_)));
  held_ = {{ids.begin(), ids.end()},
           count,
           candidate_rows_.data(),
           candidate_gradients_.data(),
           rounded_candidates_.data()};
  const std::size_t width = candidate_layout_.floats();
  RowJob job = candidate_job();
  for (std::size_t done = 0; done < held_.count; done += unit_rows_) {
    const auto examples = candidate_examples(done, time);
    job.queries = candidate_rows_.data() + done * width;
    parallel_for(pool_, examples.size(), row_grain, [&](std::size_t begin, std::size_t end) {
      if (plan_.variant->derives_candidates())
        row_kernels_.candidate.forward(job, begin, end);
      else
        for (std::size_t i = begin; i < end; ++i)
          std::copy_n(
              data_[0].values.data() + static_cast<std::size_t>(examples[i].query.subject) * width,
              width, job.queries + i * width);
      const std::size_t first = (done + begin) * width, floats = (end - begin) * width;
      if (candidate_gradients_.size() > 0)
        std::fill_n(candidate_gradients_.data() + first, floats, 0.0F);
      if (rounded_candidates_.size() > 0)
        kernels_.to_bf16(candidate_rows_.data() + first, rounded_candidates_.data() + first,
                         floats);
    });
  }
}

// From the candidates' gradients to those of the rows they were made of.
void CpuEngine::send_back(std::int32_t time) {
  const std::size_t width = candidate_layout_.floats();
  RowJob job = candidate_job();
  send_gradients_to_buffers(job);
  for (std::size_t done = 0; done < held_.count; done += unit_rows_) {
    const auto examples = candidate_examples(done, time);
    job.query_gradients = candidate_gradients_.data() + done * width;
    parallel_for(pool_, examples.size(), row_grain, [&](std::size_t begin, std::size_t end) {
      if (plan_.variant->derives_candidates())
        row_kernels_.candidate.backward(job, begin, end);
      else
        for (std::size_t i = begin; i < end; ++i)
          kernels_.add(data_[0].gradients.data() +
                           static_cast<std::size_t>(examples[i].query.subject) * width,
                       job.query_gradients + i * width, width);
    });
    if (plan_.variant->derives_candidates()) scatter(row_kernels_.candidate, examples, false);
  }
}

}  // namespace orrery::cpu
