// Scores and ranks, always in fp32; only counts leave the device.
#include <algorithm>
#include <limits>

#include "engine/candidates.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

void CudaEngine::score_pairs(std::span<const QueryPair> queries) {
  if (plan_.variant->sums_queries()) {
    score_sums(queries);
  } else {
    score_apart(queries, false);
    score_apart(queries, true);
  }
  if (has_features()) add_features_of(queries);
}

// ⟨q₁, e⟩ + ⟨q₂, e⟩ = ⟨q₁ + q₂, e⟩: a pair of queries costs one row of scores.
void CudaEngine::score_sums(std::span<const QueryPair> queries) {
  std::vector<Example> firsts, seconds;
  std::vector<std::int32_t> rows_of_seconds;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    firsts.push_back({queries[i].first, 0});
    if (!queries[i].paired) continue;
    seconds.push_back({queries[i].second, 0});
    rows_of_seconds.push_back(static_cast<std::int32_t>(i));
  }
  const bool core = plan_.variant->has_core;
  const auto count = static_cast<std::int64_t>(queries.size());
  RowJob job = row_job();
  job.examples = buffers_.asked.data();
  job.queries = {core ? buffers_.pairs.data() : asking_rows(), nullptr};
  borrow(firsts);
  buffers_.asked.upload(firsts, stream_);
  job.count = static_cast<std::int32_t>(firsts.size());
  kernels_.query.forward(job, stream_);
  if (core) core_product(count, asking_rows(), Precision::fp32, false);
  if (!seconds.empty()) {
    DeviceBuffer<std::int32_t> rows(rows_of_seconds.size());
    rows.upload(rows_of_seconds, stream_);
    borrow(seconds);
    buffers_.asked.upload(seconds, stream_);
    job.count = static_cast<std::int32_t>(seconds.size());
    job.query_rows = rows.data();
    job.add_to_queries = !core;
    if (core) buffers_.pairs.fill_zero(stream_);  // of those that have no second query
    kernels_.query.forward(job, stream_);
    if (core) core_product(count, asking_rows(), Precision::fp32, true);
    check(cudaStreamSynchronize(stream_), "computing queries");
  }
  hold(nullptr, own_entities(), 0, false);
  score_asked(count);
}

// The scores of the first queries of pairs, or those of the second ones added to them; where
// candidates depend on time, run by run of one time.
void CudaEngine::score_apart(std::span<const QueryPair> queries, bool seconds) {
  const auto asked = asked_queries(queries, seconds, plan_.variant->candidates);
  if (asked.empty()) return;
  std::vector<Example> examples;
  std::vector<std::int32_t> rows;
  for (const AskedQuery& one : asked) {
    examples.push_back({one.query, 0});
    rows.push_back(static_cast<std::int32_t>(one.row));
  }
  DeviceBuffer<std::int32_t> score_rows(rows.size());
  score_rows.upload(rows, stream_);
  borrow(examples);
  buffers_.asked.upload(examples, stream_);
  RowJob job = row_job();
  job.examples = buffers_.asked.data();
  job.count = static_cast<std::int32_t>(examples.size());
  job.queries = {asking_rows(), nullptr};
  kernels_.query.forward(job, stream_);
  const auto time_of = [&](std::size_t i) { return asked[i].query.time; };
  for_each_run(asked.size(), plan_.variant->candidates, time_of,
               [&](std::size_t begin, std::size_t end) {
                 hold(nullptr, own_entities(), time_of(begin), false);
                 CompareJob run = compare_job(asking_rows() + begin * memory_.query_stride,
                                              static_cast<std::int64_t>(end - begin));
                 run.score_rows = score_rows.data() + begin;
                 run.add = seconds;
                 compare_held(run);
               });
  check(cudaStreamSynchronize(stream_), "comparing rows");
}

void CudaEngine::score(std::span<const QueryPair> queries, std::span<float> scores) {
  const std::lock_guard lock(asking_);
  use_device();
  allocate_for_asking();
  const auto entities = static_cast<std::size_t>(plan_.shape.entities);
  const auto own = static_cast<std::size_t>(own_entities());
  const std::size_t width = own * sizeof(float);
  const std::size_t most = static_cast<std::size_t>(memory_.asking_rows);
  for (std::size_t done = 0; done < queries.size(); done += most) {
    const std::size_t rows = std::min(most, queries.size() - done);
    score_pairs(queries.subspan(done, rows));
    const auto whole = scores.subspan(done * entities, rows * entities);
    std::vector<float> part(is_shared() ? rows * own : 0);
    check(cudaMemcpy2DAsync(is_shared() ? part.data() : whole.data(), width, buffers_.scores.data(),
                            memory_.score_stride * sizeof(float), width, rows,
                            cudaMemcpyDeviceToHost, stream_),
          "reading scores");
    check(cudaStreamSynchronize(stream_), "reading scores");
    if (is_shared()) blocks_.gather_scores(part, rows, whole);
  }
}

void CudaEngine::rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) {
  if (questions.empty()) return;
  const std::lock_guard lock(asking_);
  use_device();
  allocate_for_asking();
  const auto all_queries = queries_of(questions);
  std::vector<QueryPair> queries;
  std::vector<std::int32_t> asked, targets, known;
  std::vector<std::int64_t> known_starts = {0};
  for (const std::size_t i : asking_order(all_queries, plan_.variant->candidates)) {
    asked.push_back(static_cast<std::int32_t>(i));
    queries.push_back(all_queries[i]);
  }
  for (const RankQuestion& question : questions) {
    targets.push_back(question.target);
    known.insert(known.end(), question.known.begin(), question.known.end());
    known_starts.push_back(static_cast<std::int64_t>(known.size()));
  }
  DeviceBuffer<std::int32_t> asked_questions(asked.size()), target_ids(targets.size()),
      known_ids(known.size()), first_bad(1);
  DeviceBuffer<std::int64_t> starts(known_starts.size());
  DeviceBuffer<RankCounts> found(questions.size());
  asked_questions.upload(asked, stream_);
  target_ids.upload(targets, stream_);
  known_ids.upload(known, stream_);
  starts.upload(known_starts, stream_);
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::int32_t bad = none;
  first_bad.upload({&bad, 1}, stream_);

  CountJob job;
  job.scores = buffers_.scores.data();
  job.stride = memory_.score_stride;
  job.entities = own_entities();
  job.first = first_entity();
  job.targets = target_ids.data();
  job.known_starts = starts.data();
  job.known = known_ids.data();
  job.counts = found.data();
  job.first_bad = first_bad.data();
  const std::size_t most = static_cast<std::size_t>(memory_.asking_rows);
  DeviceBuffer<float> target_scores(is_shared() ? std::min(most, questions.size()) : 0);
  for (std::size_t done = 0; done < questions.size(); done += most) {
    const std::size_t rows = std::min(most, questions.size() - done);
    score_pairs(std::span(queries).subspan(done, rows));
    job.questions = asked_questions.data() + done;
    job.rows = static_cast<std::int32_t>(rows);
    if (is_shared()) share_targets(job, target_scores);
    count_above(job, stream_);
  }
  found.download(counts.first(questions.size()), stream_);
  first_bad.download({&bad, 1}, stream_);
  if (is_shared()) sum_counts(bad, counts.first(questions.size()));
  if (bad != none) fail_unrankable(static_cast<std::size_t>(bad));
}

}  // namespace orrery::cuda
