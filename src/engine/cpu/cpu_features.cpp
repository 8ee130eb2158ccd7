// Candidates' features: few of a question's candidates have any, so they are lists beside the rows
// of scores.
#include <algorithm>

#include "engine/candidates.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/softmax_unit.h"
#include "engine/row_origin.h"

namespace orrery::cpu {

// To the unit's scores of all entities.
void CpuEngine::add_features(Workspace& work, std::span<const QueryPair> queries) const {
  if (!has_features()) return;
  work.features.resize(std::max(work.features.size(), queries.size()));
  const float* worth = data_.back().values.data();
  parallel_for(work.pool, queries.size(), row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto& features = work.features[i];
      features.clear();
      plan_.features->append(queries[i].first, features);
      if (queries[i].paired) plan_.features->append(queries[i].second, features);
      float* scores = work.scores.data() + i * score_stride_;
      for (const CandidateFeature& feature : features)
        if (own_.holds(feature.entity))
          scores[feature.entity - own_.first] += worth[feature.weight];
    }
  });
}

bool CpuEngine::is_held(std::int32_t entity) const {
  if (!own_.holds(entity)) return false;
  const auto own = static_cast<std::int32_t>(entity - own_.first);
  return !work_.held.drawn || std::ranges::binary_search(work_.held.ids, own);
}

// Of the unit's examples, by their places among what is held.
void CpuEngine::gather_features(std::size_t rows) {
  if (!steps_have_features()) return;
  work_.features.resize(std::max(work_.features.size(), rows));
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto& features = work_.features[i];
      features.clear();
      plan_.features->append(asked_[i].query, features);
      if (!work_.held.drawn && !is_shared()) continue;
      std::erase_if(features,
                    [&](const CandidateFeature& feature) { return !is_held(feature.entity); });
      for (CandidateFeature& feature : features)
        feature.entity = static_cast<std::int32_t>(place_held(feature.entity));
    }
  });
}

void CpuEngine::add_features_to_unit(std::size_t rows) {
  if (!steps_have_features()) return;
  const float* worth = data_.back().values.data();
  for (std::size_t i = 0; i < rows; ++i)
    for (const CandidateFeature& feature : work_.features[i])
      work_.scores[i * score_stride_ + static_cast<std::size_t>(feature.entity)] +=
          worth[feature.weight];
}

// The gradient of what a feature is worth is that of the scores it is added to. Where a score is a
// root, only then is the gradient that of what the root is of.
void CpuEngine::softmax_with_features(std::size_t rows, const LossRules& rules) {
  const bool rooted = plan_.variant->rooted;
  if (rooted) {
    if (scores_before_features_.size() == 0)
      scores_before_features_ = Buffer<float>(work_.scores.size());
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(work_.scores.data() + i * score_stride_, work_.held.count,
                  scores_before_features_.data() + i * score_stride_);
  }
  add_features_to_unit(rows);
  softmax_answers(rows, false, rules);
  float* gradients = is_shared() ? partial_gradients_.back().data() : data_.back().gradients.data();
  for (std::size_t i = 0; i < rows; ++i)
    for (const CandidateFeature& feature : work_.features[i])
      gradients[feature.weight] +=
          work_.scores[i * score_stride_ + static_cast<std::size_t>(feature.entity)];
  if (!rooted) return;
  parallel_for(work_.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t i = row * score_stride_; i < row * score_stride_ + work_.held.count; ++i)
        work_.scores[i] *= root_slope(scores_before_features_[i]);
  });
}

void CpuEngine::shrink_features(const LossRules& rules) {
  if (!steps_have_features() || rules.lambda_features <= 0) return;
  TableData& table = data_.back();
  double penalty = 0;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    table.gradients[i] += static_cast<float>(rules.lambda_features) * table.values[i];
    penalty += static_cast<double>(table.values[i]) * table.values[i] / 2;
  }
  sums_.n3 += rules.lambda_features * penalty;
}

}  // namespace orrery::cpu
