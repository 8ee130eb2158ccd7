// Candidates' features: what they add to scores, and the gradients of what they are worth.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "data/candidate_features.h"
#include "engine/optimizers/list.h"

namespace orrery::cuda {

// Lists of features, of which a row of scores has one.
struct FeatureRows {
  const std::int64_t* starts = nullptr;  // one more than lists
  const CandidateFeature* features = nullptr;
  const std::int32_t* lists = nullptr;  // by row; null: row i has list i
  // With drawn candidates: their ids, ascending; null: every entity that is here is one.
  const std::int32_t* candidates = nullptr;
  std::int32_t candidate_count = 0;
  // Several processes: the entities that are here; their columns and ids count from the first.
  std::int32_t first = 0, entities = std::numeric_limits<std::int32_t>::max();
};

// scores += what a row's features are worth.
struct FeatureScoreJob {
  FeatureRows rows;
  float* scores = nullptr;
  std::size_t stride = 0;
  std::int32_t count = 0;  // rows
  const float* worth = nullptr;
};
void add_feature_scores(const FeatureScoreJob& job, cudaStream_t stream);

// sums[row · features + i]: the gradients of a row's scores, summed by feature of its relation.
struct FeatureGradientJob {
  FeatureRows rows;
  const float* gradients = nullptr;  // of scores; as bf16 in the first half of a row where rounded
  std::size_t stride = 0;
  bool rounded = false;
  std::int32_t count = 0;     // rows
  std::int32_t features = 0;  // of a relation
  float* sums = nullptr;
};
void sum_feature_gradients(const FeatureGradientJob& job, cudaStream_t stream);

// Adds a relation's rows in the order of the batch and takes the optimizer's step.
struct FeatureUpdateJob {
  const float* sums = nullptr;
  const std::int32_t* by_relation = nullptr;  // rows in the order of their relations
  const std::int32_t* starts = nullptr;       // of each relation's, one more than relations
  std::int32_t relations = 0, features = 0;
  float* values = nullptr;
  float* states[AllOptimizers::most_states] = {};  // as many as the optimizer has
  std::size_t optimizer = 0;                       // Optimizer::index
  StepSize<float> step;
  float shrinkage = 0;
};
void update_features(const FeatureUpdateJob& job, cudaStream_t stream);

// penalties[relation] = Σ value² / 2 over its features.
void feature_penalties(const float* values, std::int32_t relations, std::int32_t features,
                       float* penalties, cudaStream_t stream);

// gradients *= the slope of the root, by the scores that features had not been added to.
void apply_root_slopes(float* gradients, const float* scores, std::size_t count,
                       cudaStream_t stream);

}  // namespace orrery::cuda
