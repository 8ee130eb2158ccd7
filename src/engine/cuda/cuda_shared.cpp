// Several processes: each has a block of the entities, and all of them the relations and times.
// Every process sees the whole batch. Rows that formulas read are borrowed from those who have
// them; softmax, gradients of queries, ranks and best answers are put together from the parts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/launcher.h"
#include "base/memory_budget.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

// The same tables for all processes, so that they plan the same memory; the last row of a smaller
// block is never read.
ModelPlan CudaEngine::plan_of_block() {
  ModelPlan plan = plan_;
  plan.shape.entities = blocks_.largest();
  tables_ = tables_of(*plan.variant, plan.shape, plan.without);
  return plan;
}

// Of all processes the smallest share counts, since rows of scores at a time must be as many
// everywhere, and so must what lies on the host.
std::uint64_t CudaEngine::least_of_all(std::uint64_t own) const {
  if (!is_shared()) return own;
  std::vector<std::uint64_t> all(static_cast<std::size_t>(blocks_.count()));
  blocks_.processes()->gather(std::span<const std::uint64_t>(&own, 1),
                              std::vector<std::size_t>(all.size(), 1),
                              std::span<std::uint64_t>(all));
  return std::ranges::min(all);
}

// Processes of one name share what is there when all of them have started.
std::uint64_t CudaEngine::sharers(const std::string& name) const {
  if (!is_shared()) return 1;
  return static_cast<std::uint64_t>(std::ranges::count(blocks_.processes()->texts(name), name));
}

// Bytes.
std::uint64_t CudaEngine::share_of_device(const EngineOptions& options) const {
  const std::uint64_t sharing = sharers(name_of_card(device_));
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for its free memory");
  // The rest is left to libraries and other programs.
  const std::uint64_t usable = free / 10 * 9 / sharing;
  return least_of_all(options.memory != 0 ? std::min<std::uint64_t>(options.memory, usable)
                                          : usable);
}

// What the caller will take of it is not there for embeddings.
std::uint64_t CudaEngine::share_of_host(const EngineOptions& options) const {
  const std::uint64_t share = default_memory_budget() / sharers(name_of_machine());
  return least_of_all(share - std::min(share, options.reserved));
}

// The rows of a step, as they are now.
void CudaEngine::borrow(const Batch& batch) {
  if (!is_shared()) return;
  const auto& by_process = batch.borrowed_by_process;
  const std::size_t first =
      std::accumulate(by_process.begin(), by_process.begin() + blocks_.rank(), std::size_t{0});
  borrow_rows(batch.entity_rows.data() + first, by_process);
  clock_.mark("borrowed rows", stream_);
}

// Those of questions, whose subjects get the numbers of their places among them.
void CudaEngine::borrow(std::vector<Example>& asked) {
  if (!is_shared()) return;
  std::vector<std::int32_t> ids;
  number_entities(asked, false, ids);
  const std::vector<std::size_t> by_process = blocks_.counts_of(ids);
  std::erase_if(ids, [&](std::int32_t id) { return !blocks_.own().holds(id); });
  for (std::int32_t& id : ids) id -= first_entity();
  buffers_.lent_rows.upload(ids, stream_);
  borrow_rows(buffers_.lent_rows.data(), by_process);
  exchange_.settle(stream_);
}

// `lent`: which rows of this process are among them.
void CudaEngine::borrow_rows(const std::int32_t* lent, std::span<const std::size_t> by_process) {
  const std::size_t first =
      std::accumulate(by_process.begin(), by_process.begin() + blocks_.rank(), std::size_t{0});
  const auto count =
      static_cast<std::int32_t>(by_process[static_cast<std::size_t>(blocks_.rank())]);
  std::vector<std::size_t> floats(by_process.begin(), by_process.end());
  for (std::size_t& of_process : floats) of_process *= row_stride();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!is_shared(t)) continue;
    if (count > 0)
      pick_rows({lent, count, row_stride()}, buffers_.tables[t].values.data(),
                {buffers_.tables[t].borrowed.data() + first * row_stride(), nullptr}, stream_);
    exchange_.gather(buffers_.tables[t].borrowed.data(), floats, stream_);
  }
}

// Each process finds the peaks of its part of every row; together they are the whole row's.
void CudaEngine::softmax_of_shared(const SoftmaxJob& softmax) {
  const PartJob job{softmax, blocks_.count(), blocks_.rank(), buffers_.part_peaks.data()};
  find_peaks(job, stream_);
  exchange_.gather(
      buffers_.part_peaks.data(),
      std::vector<std::size_t>(static_cast<std::size_t>(blocks_.count()), job.peaks_of_process()),
      stream_);
  softmax_part_back(job, stream_);
}

// Gradients that candidates give to rows that all processes have are summed at the end of a step;
// what smoothing has written there is the same everywhere, and counts at the leader.
void CudaEngine::smooth_once() {
  if (blocks_.rank() == 0) return;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (candidates_reach(t) && !is_shared(t)) buffers_.tables[t].base.fill_zero(stream_);
}

// And of what they are made of, and what their features are worth.
void CudaEngine::put_together(const StepRows& rows) {
  if (!is_shared()) return;
  const auto examples = static_cast<std::size_t>(rows.count);
  exchange_.sum(buffers_.query_gradients.data(), examples * memory_.query_stride, stream_);
  exchange_.sum(buffers_.losses.data(), examples, stream_);
  if (steps_have_features())
    exchange_.sum(buffers_.feature_sums.data(),
                  examples * static_cast<std::size_t>(plan_.feature_count), stream_);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (candidates_reach(t) && !is_shared(t))
      exchange_.sum(buffers_.tables[t].base.data(), table_floats(t), stream_);
  clock_.mark("gradients put together", stream_);
}

// Into `scores`, from those who have the targets.
void CudaEngine::share_targets(CountJob& job, const DeviceBuffer<float>& scores) {
  pick_targets({.scores = job.scores,
                .stride = job.stride,
                .rows = job.rows,
                .first = job.first,
                .entities = job.entities,
                .questions = job.questions,
                .targets = job.targets,
                .picked = scores.data()},
               stream_);
  exchange_.sum(scores.data(), static_cast<std::size_t>(job.rows), stream_);
  exchange_.settle(stream_);
  job.target_scores = scores.data();
}

// `first_bad`: the first question with a score here that is no finite number, or past the last.
void CudaEngine::sum_counts(std::int32_t first_bad, std::span<RankCounts> counts) const {
  std::vector<std::size_t> questions(counts.size());
  std::iota(questions.begin(), questions.end(), std::size_t{0});
  std::vector<char> broken(counts.size(), 0);
  const auto bad = static_cast<std::size_t>(first_bad);
  if (bad < broken.size()) broken[bad] = 1;
  blocks_.sum_counts(questions, broken, counts);
}

}  // namespace orrery::cuda
