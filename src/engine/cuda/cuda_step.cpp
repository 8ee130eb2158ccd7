// One training step.
#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

RowJob CudaEngine::row_job() const {
  RowJob job;
  job.lanes = plan_.shape.dim / plan_.variant->algebra_size;
  job.stride = row_stride();
  job.shared_memory = shared_memory_;
  job.vote_scale = static_cast<float>(plan_.variant->vote_scale(job.lanes));
  for (std::size_t r = 0; r < plan_.variant->rows.size(); ++r) {
    const int table = table_of_row_[r];
    if (table >= 0)
      job.sources[r] = {data_[static_cast<std::size_t>(table)].values.data(), row_stride()};
    else
      job.sources[r] = {plan_.variant->rows[r].without == Without::one ? constant_one_.data()
                                                                       : constant_zero_.data(),
                        0};
  }
  return job;
}

RowsOut CudaEngine::contributions_to(std::size_t table) const {
  std::uint8_t* bytes = data_[table].contributions.data();
  if (rounds() && tables_[table].of != RowOf::relation)
    return {nullptr, reinterpret_cast<std::uint16_t*>(bytes)};
  return {reinterpret_cast<float*>(bytes), nullptr};
}

RowJob CudaEngine::training_job(const BatchName& name, const Batch& batch,
                                const LossRules& rules) const {
  RowJob job = row_job();
  job.examples = batch.examples.data();
  job.count = static_cast<std::int32_t>(name.count);
  job.order = batch.by_relation();
  job.attention = attention_.data();
  job.answers = name.answers;
  job.queries = {queries_.data(), rounded_queries_.data()};
  job.query_gradients = query_gradients_.data();
  for (std::size_t t = 0; t < tables_.size(); ++t)
    job.gradients[tables_[t].row] = contributions_to(t);
  job.penalties = penalty_values_.data();
  job.penalty_weight = static_cast<float>(rules.lambda_n3 / static_cast<double>(name.count));
  job.norm = rules.norm;
  job.drop_rate = rules.dropout;
  job.drop_key = random_bits(name.shuffle_key, static_cast<std::uint64_t>(name.first));
  return job;
}

void CudaEngine::step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
                      const StepRules& rules) {
  if (count <= 0 || batches_.example_count() == 0)
    fail_broken("a training step of {} of {} examples was asked for", count,
                batches_.example_count());
  use_device();
  allocate_for_training(count);
  last_batch_ = count;
  const BatchName name{shuffle_key, first, count, rules.loss.lambda_n3 > 0};
  clock_.begin_step(stream_);
  check(cudaEventRecord(started_, stream_), "starting a step");
  check(cudaStreamWaitEvent(side_stream_, started_), "starting a step");
  check(cudaStreamWaitEvent(stream_, summed_), "starting a step");
  const Batch& batch = batches_.take(name, side_stream_, stream_);
  const RowJob job = training_job(name, batch, rules.loss);
  kernels_.forward(job, stream_);
  clock_.mark("query", stream_);

  const SmoothJob smoothing = smooth_job(rules.loss);
  kernels_.smooth(smoothing, side_stream_);
  check(cudaEventRecord(smoothed_, side_stream_), "smoothing times");
  batches_.prepare_after(name, side_stream_);

  for (std::int64_t done = 0; done < count; done += memory_.score_rows)
    score_and_back(batch, done, std::min(memory_.score_rows, count - done));
  kernels_.backward(job, stream_);
  clock_.mark("sweep", stream_);
  check(cudaEventRecord(swept_, stream_), "sweeping rows");
  check(cudaStreamWaitEvent(side_stream_, swept_), "adding losses");
  sum_losses(job, rules.loss, smoothing);
  check(cudaEventRecord(summed_, side_stream_), "adding losses");

  check(cudaStreamWaitEvent(stream_, smoothed_), "smoothing times");
  update_rows(rules, batch, smoothing.table_count > 0);
  clock_.mark("sums and update", stream_);
}

void CudaEngine::score_and_back(const Batch& batch, std::int64_t first, std::int64_t rows) {
  score_product(first, rows);
  clock_.mark("score product", stream_);
  SoftmaxJob job;
  job.scores = scores_.data();
  job.stride = score_stride();
  job.rows = static_cast<std::int32_t>(rows);
  job.entities = plan_.shape.entities;
  job.examples = batch.examples.data() + first;
  job.share = 1.0F / static_cast<float>(last_batch_);
  job.round = rounds();
  job.losses = loss_values_.data() + first;
  softmax_back(job, stream_);
  clock_.mark("softmax", stream_);
  query_gradient_product(first, rows);
  clock_.mark("query gradient product", stream_);
  entity_gradient_product(first, rows);
  clock_.mark("entity gradient product", stream_);
}

Operand CudaEngine::entity_operand(bool transposed) const {
  const auto stride = width();
  if (rounds()) return {rounded_entities_.data(), stride, transposed};
  return {data_[0].values.data(), stride, transposed};
}

Operand CudaEngine::query_operand(std::int64_t first) const {
  const auto stride = width();
  if (rounds()) return {rounded_queries_.data() + first * stride, stride, false};
  return {queries_.data() + first * stride, stride, false};
}

// Rounded gradients lie in the first half of each row's bytes.
Operand CudaEngine::score_gradient_operand(bool transposed) const {
  const auto stride = static_cast<std::int64_t>(score_stride());
  return {scores_.data(), rounds() ? 2 * stride : stride, transposed};
}

void CudaEngine::score_product(std::int64_t first, std::int64_t rows) {
  products_.multiply({precision_, rows, plan_.shape.entities, width()}, query_operand(first),
                     entity_operand(true), scores_.data(),
                     static_cast<std::int64_t>(score_stride()), false, stream_);
}

void CudaEngine::query_gradient_product(std::int64_t first, std::int64_t rows) {
  const auto stride = width();
  products_.multiply({precision_, rows, width(), plan_.shape.entities},
                     score_gradient_operand(false), entity_operand(false),
                     query_gradients_.data() + first * stride, stride, false, stream_);
}

void CudaEngine::entity_gradient_product(std::int64_t first, std::int64_t rows) {
  products_.multiply({precision_, plan_.shape.entities, width(), rows},
                     score_gradient_operand(true), query_operand(first), data_[0].base.data(),
                     width(), first > 0, stream_);
}

// Of no tables where there is nothing to smooth.
SmoothJob CudaEngine::smooth_job(const LossRules& rules) const {
  SmoothJob job;
  job.lanes = plan_.shape.dim / plan_.variant->algebra_size;
  job.stride = row_stride();
  job.rows = plan_.shape.times;
  job.norm = rules.norm;
  job.values = smooth_values_.data();
  if (rules.lambda_time <= 0 || plan_.shape.times < 2) return job;
  job.weight = static_cast<float>(rules.lambda_time / (plan_.shape.times - 1));
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (tables_[t].of != RowOf::time) continue;
    job.tables[job.table_count] = data_[t].values.data();
    job.gradients[job.table_count++] = data_[t].base.data();
  }
  return job;
}

void CudaEngine::update_rows(const StepRules& rules, const Batch& batch, bool smoothed) {
  UpdateJob job;
  job.table_count = static_cast<int>(tables_.size());
  job.stride = row_stride();
  job.starts = batch.starts.data();
  job.keys = batch.sorted_keys.data();
  job.contributions = batch.sorted_contributions.data();
  job.learning_rate = static_cast<float>(rules.learning_rate);
  job.epsilon = static_cast<float>(rules.epsilon);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const RowOf of = tables_[t].of;
    UpdateTable& table = job.tables[t];
    table.values = data_[t].values.data();
    table.squares = data_[t].squares.data();
    if (t == 0) table.rounded = rounded_entities_.data();
    if (of == RowOf::entity || (of == RowOf::time && smoothed)) table.base = data_[t].base.data();
    table.contributions = contributions_to(t);
    table.windowed = of == RowOf::relation;
    if (!table.windowed) table.folded = data_[t].folded.data();
    const auto count = static_cast<std::int32_t>(batch.name->count);
    table.first_place = of == RowOf::entity ? 2 * count : count;
    table.end_place = of == RowOf::entity ? count * (batch.name->answers ? 4 : 3) : 2 * count;
    table.rows = tables_[t].count;
    table.first_key = of == RowOf::relation ? 0
                      : of == RowOf::time   ? plan_.shape.relation_rows
                                            : plan_.shape.relation_rows + plan_.shape.times;
  }
  update(job, stream_);
}

void CudaEngine::sum_losses(const RowJob& job, const LossRules& rules, const SmoothJob& smoothing) {
  LossJob losses;
  losses.losses = loss_values_.data();
  losses.loss_count = job.count;
  losses.loss_weight = 1.0 / job.count;
  losses.penalties = penalty_values_.data();
  losses.penalty_count = kernels_.backward_blocks(job);
  losses.penalty_weight = rules.lambda_n3 / job.count;
  losses.smooth = smooth_values_.data();
  losses.smooth_count = smoothing.blocks();
  losses.smooth_weight = rules.lambda_time / std::max(1, plan_.shape.times - 1);
  losses.sums = sums_.data();
  add_losses(losses, side_stream_);
}

}  // namespace orrery::cuda
