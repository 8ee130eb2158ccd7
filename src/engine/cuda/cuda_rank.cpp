// Scores and ranks, always in fp32: one product against all entities; only counts leave the device.
#include <algorithm>
#include <limits>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

// ⟨q₁, e⟩ + ⟨q₂, e⟩ = ⟨q₁ + q₂, e⟩: a pair of queries costs one row of scores.
void CudaEngine::score_pairs(std::span<const QueryPair> queries) {
  std::vector<Example> firsts, seconds;
  std::vector<std::int32_t> rows_of_seconds;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    firsts.push_back({queries[i].first, 0});
    if (!queries[i].paired) continue;
    seconds.push_back({queries[i].second, 0});
    rows_of_seconds.push_back(static_cast<std::int32_t>(i));
  }
  RowJob job = row_job();
  job.examples = asked_.data();
  job.queries = {asking_rows(), nullptr};
  asked_.upload(firsts, stream_);
  job.count = static_cast<std::int32_t>(firsts.size());
  kernels_.forward(job, stream_);
  if (!seconds.empty()) {
    DeviceBuffer<std::int32_t> rows(rows_of_seconds.size());
    rows.upload(rows_of_seconds, stream_);
    asked_.upload(seconds, stream_);
    job.count = static_cast<std::int32_t>(seconds.size());
    job.query_rows = rows.data();
    job.add_to_queries = true;
    kernels_.forward(job, stream_);
    check(cudaStreamSynchronize(stream_), "computing queries");
  }
  const auto stride = width();
  products_.multiply(
      {Precision::fp32, static_cast<std::int64_t>(queries.size()), plan_.shape.entities, width()},
      {asking_rows(), stride, false}, {data_[0].values.data(), stride, true}, scores_.data(),
      static_cast<std::int64_t>(score_stride()), false, stream_);
}

void CudaEngine::score(std::span<const QueryPair> queries, std::span<float> scores) {
  use_device();
  allocate_for_asking();
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  const std::size_t width = entities * sizeof(float);
  const std::size_t most = static_cast<std::size_t>(memory_.asking_rows);
  for (std::size_t done = 0; done < queries.size(); done += most) {
    const std::size_t rows = std::min(most, queries.size() - done);
    score_pairs(queries.subspan(done, rows));
    check(cudaMemcpy2DAsync(scores.data() + done * entities, width, scores_.data(),
                            score_stride() * sizeof(float), width, rows, cudaMemcpyDeviceToHost,
                            stream_),
          "reading scores");
    check(cudaStreamSynchronize(stream_), "reading scores");
  }
}

void CudaEngine::rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) {
  if (questions.empty()) return;
  use_device();
  allocate_for_asking();
  std::vector<QueryPair> queries;
  std::vector<std::int32_t> targets, known;
  std::vector<std::int64_t> known_starts = {0};
  for (const RankQuestion& question : questions) {
    queries.push_back(question.queries);
    targets.push_back(question.target);
    known.insert(known.end(), question.known.begin(), question.known.end());
    known_starts.push_back(static_cast<std::int64_t>(known.size()));
  }
  DeviceBuffer<std::int32_t> target_ids(targets.size()), known_ids(known.size()), first_bad(1);
  DeviceBuffer<std::int64_t> starts(known_starts.size());
  DeviceBuffer<RankCounts> found(questions.size());
  target_ids.upload(targets, stream_);
  known_ids.upload(known, stream_);
  starts.upload(known_starts, stream_);
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::int32_t bad = none;
  first_bad.upload({&bad, 1}, stream_);

  CountJob job;
  job.scores = scores_.data();
  job.stride = score_stride();
  job.entities = plan_.shape.entities;
  job.targets = target_ids.data();
  job.known_starts = starts.data();
  job.known = known_ids.data();
  job.counts = found.data();
  job.first_bad = first_bad.data();
  const std::size_t most = static_cast<std::size_t>(memory_.asking_rows);
  for (std::size_t done = 0; done < questions.size(); done += most) {
    const std::size_t rows = std::min(most, questions.size() - done);
    score_pairs(std::span(queries).subspan(done, rows));
    job.first_question = static_cast<std::int32_t>(done);
    job.rows = static_cast<std::int32_t>(rows);
    count_above(job, stream_);
  }
  found.download(counts.first(questions.size()), stream_);
  first_bad.download({&bad, 1}, stream_);
  if (bad != none) fail_unrankable(static_cast<std::size_t>(bad));
}

}  // namespace orrery::cuda
