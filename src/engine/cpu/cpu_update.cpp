// The end of a step: what the optimizer makes of the gradients.
#include <algorithm>

#include "base/error.h"
#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {
namespace {

// `count` of the job's parameters, from `first` on.
UpdateJob part_of(UpdateJob job, std::size_t first, std::size_t count) {
  job.values += first;
  job.gradients += first;
  for (float*& state : job.states)
    if (state != nullptr) state += first;
  if (job.rounded != nullptr) job.rounded += first;
  job.count = count;
  return job;
}

}  // namespace

// Of a whole table.
UpdateJob CpuEngine::update_job(std::size_t table, const StepRules& rules) {
  TableData& data = data_[table];
  UpdateJob job;
  job.values = data.values.data();
  for (std::size_t s = 0; s < optimizer_.states.size(); ++s) job.states[s] = data.states[s].data();
  job.gradients = data.gradients.data();
  if (table == 0 && rounded_entities_.size() > 0) job.rounded = rounded_entities_.data();
  job.count = data.values.size();
  const bool features = table == tables_.size();
  const auto batch = static_cast<std::int64_t>(batch_.size());
  job.step =
      in_float(features ? rules.feature_step(optimizer_, batch) : rules.row_step(optimizer_));
  return job;
}

// Subjects, answers and drawn candidates: no formula gives a gradient to any other entity.
void CpuEngine::note_touched() {
  touched_ = drawn_;
  if (!touches_few_) return;
  for (const Example& example : batch_)
    for (const std::int32_t entity : {example.query.subject, example.object})
      if (own_.holds(entity)) touched_.push_back(static_cast<std::int32_t>(entity - own_.first));
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void CpuEngine::update(const StepRules& rules) {
  constexpr std::size_t grain = std::size_t{1} << 15;
  for (std::size_t t = 0; t < data_.size(); ++t) {
    const UpdateJob job = update_job(t, rules);
    const bool features = t == tables_.size();
    const bool touched = touches_few_ && !features && tables_[t].of == RowOf::entity;
    const std::size_t width =
        features ? static_cast<std::size_t>(plan_.feature_count) : layout_.floats();
    if (!trained_rows_.empty()) {
      update_rows(job, trained_rows_[t], width);
      forget_gradients(job, touched);
    } else if (touched && optimizer_.zero_gradients_change_nothing && !every_row_) {
      update_rows(job, touched_, width);
    } else {
      parallel_for(work_.pool, job.count, grain, [&](std::size_t begin, std::size_t end) {
        kernels_.updates[optimizer_.index](part_of(job, begin, end - begin));
      });
    }
  }
}

void CpuEngine::update_rows(const UpdateJob& job, std::span<const std::int32_t> rows,
                            std::size_t width) {
  constexpr std::size_t rows_together = 64;
  parallel_for(work_.pool, rows.size(), rows_together, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      kernels_.updates[optimizer_.index](
          part_of(job, static_cast<std::size_t>(rows[i]) * width, width));
  });
}

// Of rows that are not trained: theirs were made with the others', in one product.
void CpuEngine::forget_gradients(const UpdateJob& job, bool touched) {
  if (!touched) {
    std::fill_n(job.gradients, job.count, 0.0F);
    return;
  }
  const std::size_t width = layout_.floats();
  for (const std::int32_t row : touched_)
    std::fill_n(job.gradients + static_cast<std::size_t>(row) * width, width, 0.0F);
}

void CpuEngine::train_only(std::vector<std::vector<std::int32_t>> rows) {
  if (rows.size() != data_.size()) fail_broken("rows to train of {} tables", rows.size());
  if (is_shared()) fail_request("several processes train all rows or none");
  trained_rows_ = std::move(rows);
}

}  // namespace orrery::cpu
