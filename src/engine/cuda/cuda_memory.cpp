// What the engine allocates, and when.
#include <algorithm>

#include "engine/candidates.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

MemoryPlan CudaEngine::plan_for(std::int64_t batch, std::int32_t negatives,
                                std::int64_t examples) const {
  return plan_memory(block_plan_, tables_,
                     {.precision = precision_,
                      .states = optimizer_.states.size(),
                      .batch = batch,
                      .negatives = negatives,
                      .examples = examples,
                      .processes = blocks_.count(),
                      .auxiliary = sides_planned_,
                      .averages = averages_planned_,
                      .teacher = teacher_planned_,
                      .available = available_ - std::min(available_, list_bytes())});
}

void CudaEngine::allocate_tables() {
  table_of_row_.fill(-1);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    data_.emplace_back();
    data_[t].values = zeroed<float>(table_floats(t));
    table_of_row_[tables_[t].row] = static_cast<int>(t);
  }
  if (has_features()) {
    data_.emplace_back();
    data_.back().values = zeroed<float>(feature_floats());
  }
  std::vector<float> one(static_cast<std::size_t>(plan_.shape.dim));
  const int lanes = plan_.shape.dim / plan_.variant->algebra_size;
  for (int c = 0; c < plan_.variant->algebra_size; ++c)
    if (plan_.variant->unit[static_cast<std::size_t>(c)])
      std::fill_n(one.begin() + c * lanes, lanes, 1.0F);
  constant_zero_ = zeroed<float>(row_stride());
  constant_one_ = zeroed<float>(row_stride());
  write_rows(one, constant_one_.data());
  const std::vector<float> readings = clock_of(plan_);
  time_clock_ = DeviceBuffer<float>(readings.size());
  time_clock_.upload(readings, stream_);
}

// Questions may be asked of an engine that never trains.
void CudaEngine::allocate_for_asking() {
  const auto rows = static_cast<std::size_t>(memory_.asking_rows);
  if (asked_.size() < rows) asked_ = DeviceBuffer<Example>(rows);
  allocate_candidates();
  allocate_exchanged(memory_.batch);
  if (scores_.size() > 0) return;
  scores_ = DeviceBuffer<float>(rows * memory_.score_stride);
  asked_queries_ = zeroed<float>(rows * memory_.query_stride);
  if (plan_.variant->has_core) pairs_ = zeroed<float>(rows * memory_.formula_stride);
}

// What derived candidates and a core tensor need to be asked; padding is never written and stays
// zero.
void CudaEngine::allocate_candidates() {
  const auto rows = static_cast<std::size_t>(memory_.candidate_rows);
  if (plan_.variant->derives_candidates() && candidate_examples_.size() == 0) {
    candidate_examples_ = DeviceBuffer<Example>(rows);
    candidates_ = zeroed<float>(rows * memory_.candidate_stride);
  }
  if (plan_.variant->has_core && outer_.size() == 0)
    outer_ = DeviceBuffer<float>(memory_.outer_floats());
}

// Of candidates that are not the entity table itself.
void CudaEngine::allocate_candidate_gradients() {
  const auto rows = static_cast<std::size_t>(memory_.candidate_rows);
  const std::size_t floats = rows * memory_.candidate_stride;
  candidate_gradients_ = zeroed<float>(floats);
  if (rounds()) rounded_candidates_ = zeroed<std::uint16_t>(floats);
  if (!rounds() && !plan_.variant->derives_candidates()) candidates_ = zeroed<float>(floats);
  if (kernels_.candidate.votes > 0) candidate_attention_ = zeroed<Attention>(rows);
}

void CudaEngine::allocate_states() {
  for (std::size_t s = 0; s < optimizer_.states.size(); ++s)
    for (std::size_t t = 0; t < data_.size(); ++t)
      if (data_[t].states[s].size() == 0)
        data_[t].states[s] =
            zeroed<float>(t == tables_.size() ? feature_floats() : table_floats(t));
}

void CudaEngine::allocate_gradients(std::int64_t batch) {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    TableData& data = data_[t];
    const GradientSize size =
        gradient_of(block_plan_, tables_[t],
                    {.precision = precision_, .batch = batch, .auxiliary = sides_planned_});
    if (size.dense && data.base.size() == 0) data.base = zeroed<float>(table_floats(t));
    data.contributions = zeroed<std::uint8_t>(size.rows * row_stride() * size.element);
    data.folded = DeviceBuffer<float>(size.folded_rows * row_stride());
    data.partial = zeroed<float>(size.partial_rows * row_stride());
    data.smooth_partial = zeroed<float>(size.smooth_partial_rows * row_stride());
  }
}

void CudaEngine::allocate_queries(std::int64_t batch) {
  const auto rows = static_cast<std::size_t>(batch);
  const auto asked = static_cast<std::size_t>(memory_.asking_rows);
  scores_ = DeviceBuffer<float>(memory_.score_floats());
  query_gradients_ = zeroed<float>(std::max(asked, rows) * memory_.query_stride);
  if (rounds())
    rounded_queries_ = zeroed<std::uint16_t>(rows * memory_.query_stride);
  else
    queries_ = zeroed<float>(rows * memory_.query_stride);
  if (rounds() && !plan_.variant->derives_candidates()) {
    if (rounded_entities_.size() == 0) rounded_entities_ = zeroed<std::uint16_t>(table_floats(0));
    refresh_rounded_entities();
  }
  if (plan_.variant->has_core) {
    pairs_ = zeroed<float>(std::max(asked, rows) * memory_.formula_stride);
    pair_gradients_ = zeroed<float>(rows * memory_.formula_stride);
    outer_gradients_ = DeviceBuffer<float>(memory_.outer_floats());
  }
}

void CudaEngine::allocate_for_training(std::int64_t batch, std::int32_t negatives) {
  if (batch <= memory_.batch && negatives <= memory_.negatives) return;
  batch = std::max(batch, memory_.batch);
  negatives = std::max(negatives, memory_.negatives);
  const MemoryPlan wanted = plan_for(batch, negatives, batches_.example_count());
  finish_all();
  memory_ = wanted;
  memory_.batch = 0;  // until all is there
  free_batch_buffers();
  allocate_states();
  allocate_gradients(batch);
  allocate_queries(batch);
  allocate_candidates();
  allocate_candidate_gradients();
  allocate_exchanged(batch);
  if (teacher_planned_) allocate_taught(batch);
  if (has_features()) allocate_features(batch);
  batches_.reserve(batch, negatives);
  const auto rows = static_cast<std::size_t>(batch);
  attention_ = zeroed<Attention>(rows);
  loss_values_ = DeviceBuffer<float>(rows);
  if (sides_planned_) side_losses_ = DeviceBuffer<float>(auxiliary_losses * rows);
  if (sides_planned_ && rounds())
    rounded_answers_ = zeroed<std::uint16_t>(
        static_cast<std::size_t>(most_auxiliary_targets(plan_.shape)) * row_stride());
  RowJob job = row_job();
  job.count = static_cast<std::int32_t>(batch);
  penalty_values_ = DeviceBuffer<float>(static_cast<std::size_t>(job.windows() * job.slices()));
  smooth_values_ = DeviceBuffer<float>(static_cast<std::size_t>(smooth_blocks(plan_, tables_)));
  memory_.batch = batch;
}

void CudaEngine::free_batch_buffers() {
  for (auto& data : data_) {
    data.contributions = DeviceBuffer<std::uint8_t>();
    for (auto* buffer : {&data.folded, &data.partial, &data.smooth_partial})
      *buffer = DeviceBuffer<float>();
  }
  for (auto* buffer : {&scores_, &asked_queries_, &queries_, &query_gradients_, &loss_values_,
                       &side_losses_, &penalty_values_, &smooth_values_, &pairs_, &pair_gradients_,
                       &outer_gradients_, &candidate_gradients_})
    *buffer = DeviceBuffer<float>();
  if (!plan_.variant->derives_candidates()) candidates_ = DeviceBuffer<float>();
  rounded_queries_ = DeviceBuffer<std::uint16_t>();
  rounded_candidates_ = DeviceBuffer<std::uint16_t>();
  rounded_answers_ = DeviceBuffer<std::uint16_t>();
  attention_ = DeviceBuffer<Attention>();
  candidate_attention_ = DeviceBuffer<Attention>();
  taught_ = Taught();
  borrowed_.clear();
  part_peaks_ = DeviceBuffer<PartPeak>();
  feature_sums_ = DeviceBuffer<float>();
  scores_before_features_ = DeviceBuffer<float>();
}

void CudaEngine::set_examples(std::vector<Example> examples) {
  use_device();
  const auto count = static_cast<std::int64_t>(examples.size());
  if (memory_.batch > 0 && count == batches_.example_count()) {  // another epoch's: all else stays
    finish_all();
    batches_.set_examples(examples, stream_);
    list_example_features(examples);
    return;
  }
  list_example_features(examples);
  const std::int32_t negatives = batch_hint_ > 0 ? negatives_hint_ : 0;
  plan_for(std::max<std::int64_t>(1, std::min(batch_hint_, count)), negatives,
           count);  // refuses in time
  finish_all();
  memory_.batch = 0;
  memory_.negatives = 0;
  batches_.set_examples(examples, stream_);
  allocate_states();
  allocate_for_training(std::min(batch_hint_, count), negatives);
}

void CudaEngine::allocate_averages() {
  if (has_average_) return;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    data_[t].averages = zeroed<float>(table_floats(t));
  if (has_features()) data_.back().averages = zeroed<float>(feature_floats());
  has_average_ = averages_planned_ = true;
}

std::uint64_t CudaEngine::device_bytes() const {
  std::uint64_t bytes = products_.workspace().bytes();
  for (const auto& data : data_) {
    for (const auto& state : data.states) bytes += state.bytes();
    bytes += data.values.bytes() + data.averages.bytes() + data.base.bytes() +
             data.contributions.bytes() + data.folded.bytes() + data.partial.bytes() +
             data.smooth_partial.bytes();
  }
  for (const auto* buffer : {&constant_zero_,
                             &constant_one_,
                             &time_clock_,
                             &scores_,
                             &asked_queries_,
                             &queries_,
                             &query_gradients_,
                             &candidates_,
                             &candidate_gradients_,
                             &pairs_,
                             &pair_gradients_,
                             &outer_,
                             &outer_gradients_,
                             &loss_values_,
                             &side_losses_,
                             &penalty_values_,
                             &smooth_values_,
                             &taught_.queries,
                             &taught_.scores,
                             &taught_.candidates,
                             &feature_sums_,
                             &feature_penalties_,
                             &scores_before_features_})
    bytes += buffer->bytes();
  for (const auto* buffer :
       {&rounded_entities_, &rounded_queries_, &rounded_candidates_, &rounded_answers_,
        &taught_.rounded_queries, &taught_.rounded_entities, &taught_.rounded_candidates})
    bytes += buffer->bytes();
  for (const auto& rows : borrowed_) bytes += rows.bytes();
  return bytes + lent_rows_.bytes() + part_peaks_.bytes() + example_features_.bytes() +
         asked_features_.bytes() + batches_.bytes() + asked_.bytes() + best_.bytes() +
         peaks_.bytes() + candidate_examples_.bytes() + attention_.bytes() +
         candidate_attention_.bytes();
}

}  // namespace orrery::cuda
