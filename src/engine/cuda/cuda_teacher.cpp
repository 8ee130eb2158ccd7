// The teacher: the average of the rows answers a step's questions, without dropout, and what it
// answers is a share of the targets. To ask it is to ask the model with its rows and the average
// exchanged, and with the few buffers that both need at once. It goes first wherever both write to
// the same place (gates of attention, pairs of a core): the sweep needs what the model left there.
#include <utility>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

void CudaEngine::as_teacher(const std::function<void()>& action) {
  const auto exchange = [&] {
    for (auto& data : buffers_.tables) std::swap(data.values, data.averages);
    std::swap(buffers_.queries, buffers_.taught.queries);
    std::swap(buffers_.rounded_queries, buffers_.taught.rounded_queries);
    std::swap(buffers_.scores, buffers_.taught.scores);
    std::swap(buffers_.candidates, buffers_.taught.candidates);
    std::swap(buffers_.rounded_entities, buffers_.taught.rounded_entities);
    std::swap(buffers_.rounded_candidates, buffers_.taught.rounded_candidates);
    std::swap(held_, taught_held_);
  };
  exchange();
  action();
  exchange();
}

void CudaEngine::make_taught_queries(const StepRows& /*rows*/) {
  as_teacher([&] {
    if (step_rules_.loss.negatives == 0) refresh_rounded_entities();
    borrow(*batch_);
    RowJob job = training_job();
    job.drop_rate = 0;
    run_queries(job);
  });
  clock_.mark("teacher's queries", stream_);
}

void CudaEngine::score_as_teacher(const StepRows& rows) {
  as_teacher([&] {
    score_held(rows.first, rows.count);
    add_features(*batch_, rows.first, rows.count);
  });
  clock_.mark("teacher's scores", stream_);
}

}  // namespace orrery::cuda
