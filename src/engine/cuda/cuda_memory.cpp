// What the engine allocates, and when.
#include <algorithm>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

MemoryPlan CudaEngine::plan_for(std::int64_t batch, std::int64_t examples) const {
  return plan_memory(plan_, tables_, {precision_, batch, examples, averages_planned_, available_});
}

void CudaEngine::allocate_tables() {
  table_of_row_.fill(-1);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    data_.emplace_back();
    data_[t].values = zeroed<float>(table_floats(t));
    table_of_row_[tables_[t].row] = static_cast<int>(t);
  }
  std::vector<float> one(static_cast<std::size_t>(plan_.shape.dim));
  const int lanes = plan_.shape.dim / plan_.variant->algebra_size;
  for (int c = 0; c < plan_.variant->algebra_size; ++c)
    if (plan_.variant->unit[static_cast<std::size_t>(c)])
      std::fill_n(one.begin() + c * lanes, lanes, 1.0F);
  constant_zero_ = zeroed<float>(row_stride());
  constant_one_ = zeroed<float>(row_stride());
  write_rows(one, constant_one_.data());
}

// Questions may be asked of an engine that never trains.
void CudaEngine::allocate_for_asking() {
  const auto rows = static_cast<std::size_t>(memory_.asking_rows);
  if (asked_.size() < rows) asked_ = DeviceBuffer<Example>(rows);
  if (scores_.size() > 0) return;
  scores_ = DeviceBuffer<float>(rows * score_stride());
  asked_queries_ = zeroed<float>(rows * row_stride());
}

void CudaEngine::allocate_squares() {
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (data_[t].squares.size() == 0) data_[t].squares = zeroed<float>(table_floats(t));
}

void CudaEngine::allocate_for_training(std::int64_t batch) {
  if (batch <= memory_.batch) return;
  const MemoryPlan wanted = plan_for(batch, batches_.example_count());
  finish_all();
  memory_ = wanted;
  memory_.batch = 0;  // until all is there
  free_batch_buffers();
  allocate_squares();
  const auto rows = static_cast<std::size_t>(batch);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (tables_[t].of != RowOf::relation && data_[t].base.size() == 0)
      data_[t].base = zeroed<float>(table_floats(t));
    const ContributionSize size = contributions_of(plan_.shape, tables_[t], precision_, batch);
    data_[t].contributions = zeroed<std::uint8_t>(size.rows * row_stride() * size.element);
    data_[t].folded = DeviceBuffer<float>(size.folded_rows * row_stride());
  }
  const auto asked = static_cast<std::size_t>(memory_.asking_rows);
  scores_ = DeviceBuffer<float>(std::max(asked, static_cast<std::size_t>(memory_.score_rows)) *
                                score_stride());
  query_gradients_ = zeroed<float>(std::max(asked, rows) * row_stride());
  if (rounds()) {
    rounded_queries_ = zeroed<std::uint16_t>(rows * row_stride());
    if (rounded_entities_.size() == 0) rounded_entities_ = zeroed<std::uint16_t>(table_floats(0));
    refresh_rounded_entities();
  } else {
    queries_ = zeroed<float>(rows * row_stride());
  }
  batches_.reserve(batch);
  attention_ = zeroed<Attention>(rows);
  const RowJob job = row_job();
  const auto slices = static_cast<std::size_t>(job.slices());
  loss_values_ = DeviceBuffer<float>(rows);
  penalty_values_ = DeviceBuffer<float>((rows + window_examples - 1) / window_examples * slices);
  std::size_t time_tables = 0;
  for (const TableSpec& table : tables_) time_tables += table.of == RowOf::time;
  smooth_values_ =
      DeviceBuffer<float>(time_tables * static_cast<std::size_t>(plan_.shape.times) * slices);
  memory_.batch = batch;
}

void CudaEngine::free_batch_buffers() {
  for (auto& data : data_) {
    data.contributions = DeviceBuffer<std::uint8_t>();
    data.folded = DeviceBuffer<float>();
  }
  for (auto* buffer : {&scores_, &asked_queries_, &queries_, &query_gradients_, &loss_values_,
                       &penalty_values_, &smooth_values_})
    *buffer = DeviceBuffer<float>();
  rounded_queries_ = DeviceBuffer<std::uint16_t>();
  attention_ = DeviceBuffer<Attention>();
}

void CudaEngine::set_examples(std::vector<Example> examples) {
  use_device();
  const auto count = static_cast<std::int64_t>(examples.size());
  plan_for(std::max<std::int64_t>(1, std::min(batch_hint_, count)), count);  // refuses in time
  finish_all();
  memory_.batch = 0;
  batches_.set_examples(examples, stream_);
  allocate_squares();
  allocate_for_training(std::min(batch_hint_, count));
}

void CudaEngine::allocate_averages() {
  if (has_average_) return;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    data_[t].averages = zeroed<float>(table_floats(t));
  has_average_ = averages_planned_ = true;
}

std::uint64_t CudaEngine::device_bytes() const {
  std::uint64_t bytes = products_.workspace().bytes();
  for (const auto& data : data_)
    bytes += data.values.bytes() + data.squares.bytes() + data.averages.bytes() +
             data.base.bytes() + data.contributions.bytes() + data.folded.bytes();
  for (const auto* buffer : {&constant_zero_, &constant_one_, &scores_, &asked_queries_, &queries_,
                             &query_gradients_, &loss_values_, &penalty_values_, &smooth_values_})
    bytes += buffer->bytes();
  return bytes + rounded_entities_.bytes() + rounded_queries_.bytes() + batches_.bytes() +
         asked_.bytes() + attention_.bytes();
}

}  // namespace orrery::cuda
