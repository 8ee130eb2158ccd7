// Candidates' features. Lists of them are made by the host: of the training examples when they are
// set, of questions when they are asked.
#include <algorithm>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

constexpr std::size_t most_asked_at_once = std::size_t{1} << 22;  // 32 MiB on the device

// append(i, features) gives those of the i-th list.
template <class Append>
CudaEngine::HostLists CudaEngine::list_features(std::size_t count, const Append& append) {
  constexpr std::size_t lists_together = 512;
  if (!host_threads_) host_threads_ = std::make_unique<ThreadPool>();
  std::vector<std::int64_t> starts(count + 1);
  std::vector<std::vector<CandidateFeature>> pieces((count + lists_together - 1) / lists_together);
  parallel_for(*host_threads_, count, lists_together, [&](std::size_t begin, std::size_t end) {
    auto& piece = pieces[begin / lists_together];
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t before = piece.size();
      append(i, piece);
      // An entity's must lie together.
      std::ranges::stable_sort(piece.begin() + static_cast<std::ptrdiff_t>(before), piece.end(), {},
                               &CandidateFeature::entity);
      starts[i + 1] = static_cast<std::int64_t>(piece.size() - before);
    }
  });
  std::vector<CandidateFeature> features;
  for (std::size_t i = 0; i < count; ++i) starts[i + 1] += starts[i];
  features.reserve(static_cast<std::size_t>(starts.back()));
  for (auto& piece : pieces) {
    features.insert(features.end(), piece.begin(), piece.end());
    piece = {};
  }
  return {std::move(starts), std::move(features)};
}

void CudaEngine::upload(const HostLists& from, std::size_t first, std::size_t last,
                        FeatureLists& to) {
  const auto starts = std::span(from.starts).subspan(first, last - first + 1);
  const auto features = std::span(from.features)
                            .subspan(static_cast<std::size_t>(starts.front()),
                                     static_cast<std::size_t>(starts.back() - starts.front()));
  std::vector<std::int64_t> moved(starts.begin(), starts.end());
  for (std::int64_t& start : moved) start -= starts.front();
  if (to.starts.size() < moved.size()) to.starts = DeviceBuffer<std::int64_t>(moved.size());
  if (to.features.size() < features.size()) {
    to.features = {};
    to.features = DeviceBuffer<CandidateFeature>(features.size());
  }
  to.starts.upload(moved, stream_);
  to.features.upload(features, stream_);
}

void CudaEngine::list_example_features(std::span<const Example> examples) {
  if (!has_features() || !features_planned_) return;
  const HostLists lists =
      list_features(examples.size(), [&](std::size_t i, std::vector<CandidateFeature>& features) {
        plan_.features->append(examples[i].query, features);
      });
  upload(lists, 0, examples.size(), example_features_);
}

FeatureRows CudaEngine::feature_rows(const Batch& batch, std::int64_t first) const {
  return {.starts = example_features_.starts.data(),
          .features = example_features_.features.data(),
          .lists = batch.places.data() + first,
          .candidates = batch.ids(),
          .candidate_count = batch.candidate_count,
          .first = first_entity(),
          .entities = own_entities()};
}

// To the scores of a step's examples `first` …
void CudaEngine::add_features(const Batch& batch, std::int64_t first, std::int64_t rows) {
  if (!steps_have_features()) return;
  add_feature_scores({.rows = feature_rows(batch, first),
                      .scores = buffers_.scores.data(),
                      .stride = held_.score_stride,
                      .count = static_cast<std::int32_t>(rows),
                      .worth = buffers_.tables.back().values.data()},
                     stream_);
}

// A hub's questions have as many features as it has facts: so many questions at a time.
void CudaEngine::add_features_of(std::span<const QueryPair> queries) {
  const HostLists lists =
      list_features(queries.size(), [&](std::size_t i, std::vector<CandidateFeature>& features) {
        plan_.features->append(queries[i].first, features);
        if (queries[i].paired) plan_.features->append(queries[i].second, features);
      });
  for (std::size_t first = 0, last = 0; first < queries.size(); first = last) {
    const std::int64_t most = lists.starts[first] + static_cast<std::int64_t>(most_asked_at_once);
    for (last = first + 1; last < queries.size() && lists.starts[last + 1] <= most;) ++last;
    upload(lists, first, last, asked_features_);
    add_feature_scores({.rows = {.starts = asked_features_.starts.data(),
                                 .features = asked_features_.features.data(),
                                 .first = first_entity(),
                                 .entities = own_entities()},
                        .scores = buffers_.scores.data() + first * memory_.score_stride,
                        .stride = memory_.score_stride,
                        .count = static_cast<std::int32_t>(last - first),
                        .worth = buffers_.tables.back().values.data()},
                       stream_);
  }
}

// The slope of a root is taken where nothing has been added to it.
void CudaEngine::keep_scores_before_features(std::int64_t rows) {
  if (!plan_.variant->rooted) return;
  check(cudaMemcpyAsync(buffers_.scores_before_features.data(), buffers_.scores.data(),
                        static_cast<std::size_t>(rows) * held_.score_stride * sizeof(float),
                        cudaMemcpyDeviceToDevice, stream_),
        "keeping scores");
}

// From the scores' gradients to those of what features are worth.
void CudaEngine::back_to_features(const Batch& batch, std::int64_t first, std::int64_t rows) {
  sum_feature_gradients(
      {.rows = feature_rows(batch, first),
       .gradients = buffers_.scores.data(),
       .stride = held_.score_stride,
       .rounded = rounds(),
       .count = static_cast<std::int32_t>(rows),
       .features = plan_.feature_count,
       .sums = buffers_.feature_sums.data() + first * std::int64_t{plan_.feature_count}},
      stream_);
  if (plan_.variant->rooted)
    apply_root_slopes(buffers_.scores.data(), buffers_.scores_before_features.data(),
                      static_cast<std::size_t>(rows) * held_.score_stride, stream_);
  clock_.mark("features", stream_);
}

void CudaEngine::sum_feature_penalties(const LossRules& rules) {
  if (rules.lambda_features > 0)
    feature_penalties(buffers_.tables.back().values.data(), plan_.shape.relation_rows,
                      plan_.feature_count, buffers_.feature_penalties.data(), stream_);
}

void CudaEngine::update_features(const StepRules& rules, const Batch& batch) {
  FeatureUpdateJob job;
  job.sums = buffers_.feature_sums.data();
  job.by_relation = batch.by_relation();
  job.starts = batch.starts.data();
  job.relations = plan_.shape.relation_rows;
  job.features = plan_.feature_count;
  job.values = buffers_.tables.back().values.data();
  for (std::size_t s = 0; s < optimizer_.states.size(); ++s)
    job.states[s] = buffers_.tables.back().states[s].data();
  job.optimizer = optimizer_.index;
  job.step = in_float(rules.feature_step(optimizer_, last_batch_));
  job.shrinkage = static_cast<float>(rules.loss.lambda_features);
  cuda::update_features(job, stream_);
}

}  // namespace orrery::cuda
