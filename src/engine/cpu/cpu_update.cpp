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

void CpuEngine::update(const StepRules& rules) {
  constexpr std::size_t grain = std::size_t{1} << 15;
  const auto take = kernels_.updates[optimizer_.index];
  for (std::size_t t = 0; t < data_.size(); ++t) {
    const UpdateJob job = update_job(t, rules);
    if (!trained_rows_.empty())
      update_trained_rows(t, job);
    else
      parallel_for(work_.pool, job.count, grain, [&](std::size_t begin, std::size_t end) {
        take(part_of(job, begin, end - begin));
      });
  }
}

void CpuEngine::train_only(std::vector<std::vector<std::int32_t>> rows) {
  if (rows.size() != data_.size()) fail_broken("rows to train of {} tables", rows.size());
  if (is_shared()) fail_request("several processes train all rows or none");
  trained_rows_ = std::move(rows);
}

// The gradients of all other rows are forgotten: they were made with the others', in one product.
void CpuEngine::update_trained_rows(std::size_t table, const UpdateJob& job) {
  const std::size_t width =
      table == tables_.size() ? static_cast<std::size_t>(plan_.feature_count) : layout_.floats();
  for (const std::int32_t row : trained_rows_[table])
    kernels_.updates[optimizer_.index](part_of(job, static_cast<std::size_t>(row) * width, width));
  std::ranges::fill(std::span(job.gradients, job.count), 0.0F);
}

}  // namespace orrery::cpu
