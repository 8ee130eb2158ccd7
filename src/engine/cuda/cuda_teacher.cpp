// The teacher: the average of the rows answers a step's questions, without dropout, and what it
// answers is a share of the targets. To ask it is to ask the model with its rows and the average
// exchanged, and with the few buffers that both need at once. It goes first wherever both write to
// the same place (gates of attention, pairs of a core): the sweep needs what the model left there.
#include <utility>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

template <class Action>
void CudaEngine::as_teacher(const Action& action) {
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

void CudaEngine::make_taught_queries(const BatchName& name, const Batch& batch,
                                     const LossRules& rules) {
  as_teacher([&] {
    if (rules.negatives == 0) refresh_rounded_entities();
    borrow(batch);
    RowJob job = training_job(name, batch, rules);
    job.drop_rate = 0;
    make_queries(job);
  });
  clock_.mark("teacher's queries", stream_);
}

// What a run of a step's examples is held against.
void CudaEngine::hold_for(const Batch& batch, const TimeRun& run, float teacher_share) {
  const auto hold_run = [&] { hold(batch.ids(), batch.candidate_count, run.time, rounds()); };
  if (teacher_share > 0) as_teacher(hold_run);
  hold_run();
}

void CudaEngine::score_as_teacher(const Batch& batch, std::int64_t first, std::int64_t rows) {
  as_teacher([&] {
    score_held(first, rows);
    add_features(batch, first, rows);
  });
  clock_.mark("teacher's scores", stream_);
}

}  // namespace orrery::cuda
