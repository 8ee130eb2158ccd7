// Several processes: each has a block of the entities, and all of them the relations and times.
// Every process sees the whole batch. Rows that formulas read are borrowed from those who have
// them; softmax, gradients of queries, ranks and best answers are put together from the parts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {

std::size_t CpuEngine::rows_here(std::size_t table) const {
  return static_cast<std::size_t>(is_shared(table) ? own_.count : tables_[table].count);
}

// Room for a subject and an answer of each of the unit's examples.
void CpuEngine::reserve_borrowed(Workspace& work) const {
  work.borrowed_rows.resize(tables_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (is_shared(t)) work.borrowed_rows[t] = Buffer<float>(2 * work.rows * layout_.floats());
}

// Of the entities that the unit's examples have been numbered by.
void CpuEngine::fetch_borrowed(Workspace& work) const {
  const std::size_t width = layout_.floats();
  const std::vector<std::size_t> rows_of = blocks_.counts_of(work.borrowed);
  const auto me = static_cast<std::size_t>(processes_->rank());
  const std::size_t begin =
      std::accumulate(rows_of.begin(), rows_of.begin() + processes_->rank(), std::size_t{0});
  const std::size_t end = begin + rows_of[me];
  std::vector<std::size_t> counts = rows_of;
  for (std::size_t& count : counts) count *= width;
  std::vector<float> own((end - begin) * width);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!is_shared(t)) continue;
    Buffer<float>& rows = work.borrowed_rows[t];
    for (std::size_t i = begin; i < end; ++i)
      std::copy_n(
          data_[t].values.data() + static_cast<std::size_t>(work.borrowed[i] - own_.first) * width,
          width, own.data() + (i - begin) * width);
    processes_->gather(std::span<const float>(own), counts,
                       std::span(rows.data(), work.borrowed.size() * width));
  }
}

void CpuEngine::borrow(Workspace& work, std::size_t rows) const {
  number_entities({work.unit.data(), rows}, false, work.borrowed);
  fetch_borrowed(work);
}

// Each process finds the peaks of its part of every row; together they are the whole row's.
void CpuEngine::softmax_of_shared(std::size_t rows, bool rooted, float teacher_share) {
  const bool taught = teacher_share > 0;
  const std::size_t peaks_of_row = taught ? 2 : 1, peaks = rows * peaks_of_row;
  const std::size_t count = work_.held.count;
  const auto processes = static_cast<std::size_t>(processes_->size());
  std::vector<RowPeak> own(peaks), all(peaks * processes), whole(peaks);
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  const auto peak_of = [&](const float* scores) -> RowPeak {
    RowPeak peak;
    if (count == 0) return {lowest, 0};
    if (!kernels_.peak(scores, count, peak.highest, peak.sum))
      return {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};
    return peak;
  };
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      own[i] = peak_of(work_.scores.data() + i * score_stride_);
      if (taught) own[rows + i] = peak_of(taught_.scores.data() + i * score_stride_);
    }
  });
  processes_->gather(std::span<const RowPeak>(own), std::vector<std::size_t>(processes, peaks),
                     std::span<RowPeak>(all));
  for (std::size_t i = 0; i < peaks; ++i) {
    float highest = lowest;
    double sum = 0;
    for (std::size_t p = 0; p < processes; ++p)
      highest = std::max(highest, all[p * peaks + i].highest);
    for (std::size_t p = 0; p < processes; ++p) {
      const RowPeak& part = all[p * peaks + i];
      if (part.highest != lowest)
        sum += part.sum * std::exp(static_cast<double>(part.highest) - highest);
    }
    whole[i] = {highest, static_cast<float>(sum)};
  }
  const bool rounded = precision_ == Precision::bf16;
  const float share = 1 / static_cast<float>(batch_.size());
  std::vector<double> expected(rows);
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at = i * score_stride_;
      const Lesson lesson{place_held(asked_[i].object),
                          taught ? taught_.scores.data() + at : nullptr, teacher_share};
      expected[i] = kernels_.softmax_part_back(work_.scores.data() + at, count, lesson, whole[i],
                                               whole[taught ? rows + i : i], share, rooted,
                                               rounded ? rounded_scores_.data() + at : nullptr);
    }
  });
  processes_->sum(std::span<double>(expected));
  for (std::size_t i = 0; i < rows; ++i)
    losses_[i] = std::log(static_cast<double>(whole[i].sum)) - expected[i];
}

// Gradients that only this process's candidates give to rows that all have are kept apart in a
// step, and summed over the processes at its end.
void CpuEngine::allocate_partial_gradients() {
  partial_gradients_.resize(data_.size());
  for (std::size_t t = 0; t < data_.size(); ++t) {
    const bool features = t == tables_.size();
    const bool derived = !features && plan_.variant->derives_candidates() && !is_shared(t) &&
                         row_kernels_.candidate.uses_row[tables_[t].row];
    if (features || derived) partial_gradients_[t] = Buffer<float>(data_[t].values.size());
  }
}

// Of tables of the formula's rows; those of features are written where they belong.
void CpuEngine::exchange_partial_gradients() {
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (partial_gradients_[t].size() > 0) std::swap(partial_gradients_[t], data_[t].gradients);
}

void CpuEngine::sum_partial_gradients() {
  for (std::size_t t = 0; t < data_.size(); ++t) {
    Buffer<float>& partial = partial_gradients_[t];
    if (partial.size() == 0) continue;
    const std::span<float> sums(partial.data(), partial.size());
    processes_->sum(sums);
    kernels_.add(data_[t].gradients.data(), partial.data(), partial.size());
    std::ranges::fill(sums, 0.0F);
  }
}

void CpuEngine::gather_scores(const Workspace& work, std::size_t rows,
                              std::span<float> scores) const {
  const auto own = static_cast<std::size_t>(own_.count);
  std::vector<float> part(rows * own);
  for (std::size_t i = 0; i < rows; ++i)
    std::copy_n(work.scores.data() + i * score_stride_, own, part.data() + i * own);
  blocks_.gather_scores(part, rows, scores);
}

std::vector<float> CpuEngine::target_scores(const Workspace& work,
                                            std::span<const std::int32_t> targets) const {
  std::vector<float> scores(targets.size(), 0.0F);
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (own_.holds(targets[i]))
      scores[i] =
          work.scores[i * score_stride_ + static_cast<std::size_t>(targets[i] - own_.first)];
  if (is_shared()) processes_->sum(std::span<float>(scores));
  return scores;
}

}  // namespace orrery::cpu
