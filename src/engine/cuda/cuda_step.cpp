// One training step.
#include <algorithm>

#include "base/error.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

RowJob CudaEngine::row_job() const {
  RowJob job;
  job.lanes = plan_.shape.dim / plan_.variant->algebra_size;
  job.stride = row_stride();
  job.query_stride = memory_.formula_stride;
  job.clock = buffers_.time_clock.data();
  job.row_times = plan_.shape.window;
  job.shared_memory = shared_memory_;
  job.vote_scale = static_cast<float>(plan_.variant->vote_scale(job.lanes));
  for (std::size_t r = 0; r < plan_.variant->rows.size(); ++r) {
    const int table = table_of_row_[r];
    if (table >= 0)
      job.sources[r] = {rows_to_read(static_cast<std::size_t>(table)), row_stride()};
    else
      job.sources[r] = {plan_.variant->rows[r].without == Without::one
                            ? buffers_.constant_one.data()
                            : buffers_.constant_zero.data(),
                        0};
  }
  return job;
}

RowsOut CudaEngine::contributions_to(std::size_t table) const {
  std::uint8_t* bytes = buffers_.tables[table].contributions.data();
  if (precision_ == Precision::bf16 && tables_[table].of != RowOf::relation)
    return {nullptr, reinterpret_cast<std::uint16_t*>(bytes)};
  return {reinterpret_cast<float*>(bytes), nullptr};
}

RowJob CudaEngine::training_job() const {
  const BatchName& name = *batch_->name;
  const LossRules& rules = step_rules_.loss;
  RowJob job = row_job();
  job.examples = batch_->examples.data();
  job.count = static_cast<std::int32_t>(name.count);
  job.order = batch_->by_relation();
  job.attention = buffers_.attention.data();
  job.answers = name.answers;
  job.queries = {buffers_.queries.data(), buffers_.rounded_queries.data()};
  job.query_gradients =
      plan_.variant->has_core ? buffers_.pair_gradients.data() : buffers_.query_gradients.data();
  for (std::size_t t = 0; t < tables_.size(); ++t)
    job.gradients[tables_[t].row] = contributions_to(t);
  job.penalties = buffers_.penalties.data();
  job.penalty_weight = static_cast<float>(rules.lambda_n3 / static_cast<double>(name.count));
  job.norm = rules.norm;
  job.drop_rate = rules.dropout;
  job.drop_lanes = rules.drop_lanes;
  job.drop_key = name.key();
  return job;
}

std::span<const TimeRun> CudaEngine::begin_step(const StepName& name, const StepRules& rules) {
  if (name.count <= 0 || batches_.example_count() == 0)
    fail_broken("a training step of {} of {} examples was asked for", name.count,
                batches_.example_count());
  use_device();
  exchange_.keep_pace(stream_);
  allocate_for_training(name.count, rules.loss.negatives);
  last_batch_ = name.count;
  step_rules_ = rules;
  // Auxiliary losses send gradients to the answers, too.
  const bool answers = rules.loss.lambda_n3 > 0 || rules.loss.has_auxiliary_losses();
  clock_.begin_step(stream_);
  check(cudaEventRecord(started_, stream_), "starting a step");
  check(cudaStreamWaitEvent(side_stream_, started_), "starting a step");
  check(cudaStreamWaitEvent(stream_, summed_), "starting a step");
  batch_ = &batches_.take({name, answers, rules.loss.negatives, updates_few(rules.loss)},
                          side_stream_, stream_);
  return batch_->runs;
}

// And what else does not wait for scores.
void CudaEngine::make_queries(const StepRows& /*rows*/) {
  borrow(*batch_);
  run_queries(training_job());
  clock_.mark("query", stream_);

  smoothing_ = smooth_job(step_rules_.loss);
  smooth(smoothing_);
  check(cudaEventRecord(smoothed_, side_stream_), "smoothing times");
  batches_.prepare_after(*batch_->name, side_stream_);

  clear_dense_gradients(*batch_);
  // What candidates add to rows of times is added to what smoothing has written there.
  if (plan_.variant->derives_candidates())
    check(cudaStreamWaitEvent(stream_, smoothed_), "smoothing times");
  if (is_shared()) smooth_once();
}

void CudaEngine::run_queries(const RowJob& job) {
  if (plan_.variant->has_core)
    make_core_queries(job);
  else
    kernels_.query.forward(job, stream_);
}

// What a run of a step's examples is held against.
void CudaEngine::hold_candidates(std::int32_t time, bool taught) {
  const auto hold_run = [&] { hold(batch_->ids(), batch_->candidate_count, time, rounds()); };
  if (taught) as_teacher(hold_run);
  hold_run();
}

void CudaEngine::score_candidates(const StepRows& rows) {
  score_held(rows.first, rows.count);
  clock_.mark("score product", stream_);
}

void CudaEngine::back_from_scores(const StepRows& rows) {
  if (steps_have_features()) keep_scores_before_features(rows.count);
  add_features(*batch_, rows.first, rows.count);
  const float teacher_share = step_rules_.loss.teacher_share;
  SoftmaxJob job;
  job.scores = buffers_.scores.data();
  job.stride = held_.score_stride;
  job.rows = static_cast<std::int32_t>(rows.count);
  job.candidates = held_.count;
  job.columns = held_.columns();
  job.examples = batch_->examples.data() + rows.first;
  job.targets = batch_->targets_from(rows.first);
  job.share = 1.0F / static_cast<float>(last_batch_);
  job.round = rounds();
  job.rooted = plan_.variant->rooted && !steps_have_features();
  if (teacher_share > 0) job.taught = buffers_.taught.scores.data();
  job.teacher_share = teacher_share;
  job.losses = buffers_.losses.data() + rows.first;
  if (is_shared())
    softmax_of_shared(job);
  else
    softmax_back(job, stream_);
  clock_.mark("softmax", stream_);
  if (steps_have_features()) back_to_features(*batch_, rows.first, rows.count);
  back_to_queries(rows.first, rows.count);
  clock_.mark("query gradient product", stream_);
  back_to_candidates(rows.first, rows.count, rows.again);
  clock_.mark("entity gradient product", stream_);
}

void CudaEngine::sweep(const StepRows& rows) {
  if (plan_.variant->has_core) core_product_back(rows.count);
  kernels_.query.backward(training_job(), stream_);
  clock_.mark("sweep", stream_);
}

void CudaEngine::finish_step() {
  const LossRules& rules = step_rules_.loss;
  if (steps_have_features()) sum_feature_penalties(rules);
  check(cudaEventRecord(swept_, stream_), "sweeping rows");
  check(cudaStreamWaitEvent(side_stream_, swept_), "adding losses");
  sum_losses(training_job(), rules, smoothing_);
  check(cudaEventRecord(summed_, side_stream_), "adding losses");

  check(cudaStreamWaitEvent(stream_, smoothed_), "smoothing times");
  update_rows(step_rules_, *batch_, smoothing_);
  if (steps_have_features()) update_features(step_rules_, *batch_);
  clock_.mark("sums and update", stream_);
}

// Of no tables where there is nothing to smooth.
SmoothJob CudaEngine::smooth_job(const LossRules& rules) const {
  SmoothJob job;
  job.lanes = plan_.shape.dim / plan_.variant->algebra_size;
  job.stride = row_stride();
  job.times = plan_.shape.times;
  job.joint = kernels_.joint_smoothing;
  job.norm = rules.time_norm();
  job.values = buffers_.smooth_values.data();
  if (rules.lambda_time <= 0 || plan_.shape.times < 2) return job;
  job.weight = static_cast<float>(rules.lambda_time / (plan_.shape.times - 1));
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!takes_part_in_smoothing(tables_[t], job.joint)) continue;
    const auto place = job.joint ? tables_[t].row : static_cast<std::size_t>(job.table_count);
    const TableBuffers& data = buffers_.tables[t];
    job.tables[place] = {data.values.data(), data.base.data(), data.smooth_partial.data(),
                         tables_[t].count};
    ++job.table_count;
  }
  return job;
}

// Writes the dense gradients of all rows that are of neither entities nor relations, on the side
// stream; where there is nothing to smooth, those that candidates will add to become zero.
void CudaEngine::smooth(const SmoothJob& job) {
  kernels_.smooth(job, side_stream_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    TableBuffers& data = buffers_.tables[t];
    if (tables_[t].of == RowOf::entity) continue;
    if (job.table_count > 0 && takes_part_in_smoothing(tables_[t], job.joint)) {
      if (tables_[t].of == RowOf::shared)
        sum_rows({data.smooth_partial.data(), job.chunks(), row_stride(), data.base.data(), false},
                 side_stream_);
    } else if (candidates_reach(t)) {
      data.base.fill_zero(side_stream_);
    }
  }
}

void CudaEngine::update_rows(const StepRules& rules, const Batch& batch,
                             const SmoothJob& smoothing) {
  UpdateJob job;
  job.table_count = static_cast<int>(tables_.size());
  job.stride = row_stride();
  job.starts = batch.starts.data();
  job.keys = batch.sorted_keys.data();
  job.contributions = batch.sorted_contributions.data();
  job.optimizer = optimizer_.index;
  job.step = in_float(rules.row_step(optimizer_));
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const bool smoothed =
        smoothing.table_count > 0 && takes_part_in_smoothing(tables_[t], smoothing.joint);
    job.tables[t] = update_table(t, batch, smoothed);
  }
  for (const AuxiliaryLoss question : all_auxiliary_losses)
    if (rules.loss.asks(question)) {
      const std::size_t t = auxiliary_table(question);
      job.tables[t].base = buffers_.tables[t].base.data();
    }
  update(job, stream_);
}

UpdateTable CudaEngine::update_table(std::size_t t, const Batch& batch, bool smoothed) const {
  const BatchName& name = *batch.name;
  const ModelShape& shape = block_plan_.shape;
  const RowOf of = tables_[t].of;
  const auto count = static_cast<std::int32_t>(name.count);
  UpdateTable table;
  table.values = buffers_.tables[t].values.data();
  for (std::size_t s = 0; s < optimizer_.states.size(); ++s)
    table.states[s] = buffers_.tables[t].states[s].data();
  if (t == 0) table.rounded = buffers_.rounded_entities.data();
  if (smoothed || of == RowOf::entity || of == RowOf::core || candidates_reach(t))
    table.base = buffers_.tables[t].base.data();
  table.contributions = contributions_to(t);
  table.windowed = of == RowOf::relation;
  table.folded = buffers_.tables[t].folded.data();
  table.rows = tables_[t].count;
  // The list holds relations, then times, then entities.
  table.first_place = of == RowOf::entity ? 2 * count : count;
  table.end_place = of == RowOf::entity ? count * (name.answers ? 4 : 3) : 2 * count;
  table.first_key = of == RowOf::relation ? 0
                    : of == RowOf::entity ? shape.relation_rows + shape.times
                                          : shape.relation_rows;
  table.end_key = of == RowOf::relation ? shape.relation_rows
                  : of == RowOf::entity ? shape.relation_rows + shape.times + shape.entities
                                        : shape.relation_rows + shape.times;
  table.row_keys = of == RowOf::window   ? std::min(shape.window, shape.times)
                   : of == RowOf::shared ? shape.times
                                         : 1;
  if (!kernels_.query.uses_row[tables_[t].row]) table.row_keys = 0;
  if (name.sparse && of == RowOf::entity) keep_to_touched(t, batch, table);
  return table;
}

void CudaEngine::sum_losses(const RowJob& job, const LossRules& rules, const SmoothJob& smoothing) {
  LossJob losses;
  losses.losses = buffers_.losses.data();
  losses.loss_count = job.count;
  losses.loss_weight = 1.0 / job.count;
  losses.penalties = buffers_.penalties.data();
  losses.penalty_count = kernels_.query.backward_blocks(job);
  losses.penalty_weight = rules.lambda_n3 / job.count;
  if (steps_have_features() && rules.lambda_features > 0) {
    losses.feature_penalties = buffers_.feature_penalties.data();
    losses.feature_count = plan_.shape.relation_rows;
    losses.feature_weight = rules.lambda_features;
  }
  losses.smooth = buffers_.smooth_values.data();
  losses.smooth_count = smoothing.blocks();
  losses.smooth_weight = rules.lambda_time / std::max(1, plan_.shape.times - 1);
  for (const AuxiliaryLoss question : all_auxiliary_losses) {
    if (!rules.asks(question)) continue;
    const auto s = static_cast<std::size_t>(question);
    losses.auxiliary[s] = buffers_.side_losses.data() + s * static_cast<std::size_t>(job.count);
    losses.side_weights[s] = rules.auxiliary[s] / job.count;
  }
  losses.sums = sums_.data();
  add_losses(losses, side_stream_);
}

}  // namespace orrery::cuda
