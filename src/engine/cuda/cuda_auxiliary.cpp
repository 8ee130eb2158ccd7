// Auxiliary losses: the relation and the time of a step's examples, which have queries, scores and
// gradients like any other question. They come after the query's sweep, use its buffers and add to
// its contributions.
#include <algorithm>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

void CudaEngine::add_auxiliary_losses(const StepRows& /*rows*/) {
  const LossRules& rules = step_rules_.loss;
  RowJob job = training_job();
  const std::size_t answer = plan_.variant->rows.size();  // its row follows the model's
  job.sources[answer] = {rows_to_read(0), row_stride()};
  job.gradients[answer] = contributions_to(0);
  job.answers = false;
  job.penalty_weight = 0;
  job.drop_rate = 0;
  check(cudaStreamWaitEvent(stream_, smoothed_), "smoothing times");
  for (const AuxiliaryLoss question : all_auxiliary_losses) {
    const bool smoothed = question == AuxiliaryLoss::time && smoothing_.table_count > 0;
    if (rules.asks(question))
      add_auxiliary_loss(question, job, rules.weight_of(question), smoothed);
  }
  clock_.mark("auxiliary losses", stream_);
}

// `add`: there is a dense gradient of the answers already.
void CudaEngine::add_auxiliary_loss(AuxiliaryLoss question, const RowJob& job, double weight,
                                    bool add) {
  const auto index = static_cast<std::size_t>(question);
  const std::size_t table = auxiliary_table(question);
  const float* rows = buffers_.tables[table].values.data();
  if (rounds()) round_rows(rows, buffers_.rounded_answers.data(), table_floats(table), stream_);
  held_ = {rows, buffers_.rounded_answers.data(), buffers_.tables[table].base.data(),
           tables_[table].count, memory_.auxiliary_stride};
  kernels_.auxiliary[index].forward(job, stream_);
  for (std::int64_t first = 0; first < job.count; first += memory_.score_rows) {
    const std::int64_t count = std::min<std::int64_t>(memory_.score_rows, job.count - first);
    score_held(first, count);
    SoftmaxJob softmax;
    softmax.scores = buffers_.scores.data();
    softmax.stride = held_.score_stride;
    softmax.rows = static_cast<std::int32_t>(count);
    softmax.candidates = held_.count;
    softmax.columns = held_.columns();
    softmax.examples = batch_->examples.data() + first;
    softmax.asked =
        question == AuxiliaryLoss::relation ? SoftmaxJob::Asked::relation : SoftmaxJob::Asked::time;
    softmax.share = static_cast<float>(weight / job.count);
    softmax.round = rounds();
    softmax.losses =
        buffers_.side_losses.data() + static_cast<std::int64_t>(index) * job.count + first;
    softmax_back(softmax, stream_);
    back_to_queries(first, count);
    back_to_candidates(first, count, add || first > 0);
  }
  kernels_.auxiliary[index].backward(job, stream_);
}

}  // namespace orrery::cuda
