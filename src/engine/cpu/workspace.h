// What a unit of rows is worked off in: a step writes here, and so does a question. The engine has
// one, and everyone else who asks it has another, so that asking leaves the engine as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "data/candidate_features.h"
#include "data/query.h"
#include "engine/asker.h"

namespace orrery::cpu {

// What queries are held against: all entities that this process has, or those of `ids`.
struct Held {
  bool drawn = false;             // those of `ids` alone
  std::vector<std::int32_t> ids;  // as this process counts its entities
  std::size_t count = 0;
  const float* rows = nullptr;
  float* gradients = nullptr;  // in training
  const std::uint16_t* rounded = nullptr;
};

// The best of a part of a row of scores.
struct TopPart {
  std::vector<ScoredEntity> best;
  float highest = 0;
  float sum = 0;  // Σ exp(score − highest)
};

struct Workspace {
  explicit Workspace(int threads) : pool(threads) {}

  ThreadPool pool;
  bool training = false;  // gradients and rounded copies of candidates are wanted, too
  std::size_t rows = 0;   // that the buffers of a unit have room for
  std::vector<Example> unit, candidate_unit;
  std::vector<std::vector<CandidateFeature>> features;  // of the unit's questions
  // Of a pair of questions the first one's query waits where a step has gradients.
  Buffer<float> queries, query_gradients;
  Buffer<float> scores, run_scores;
  Buffer<float> pairs, outer;  // of a core tensor
  Buffer<std::uint16_t> rounded_queries;
  Buffer<float> candidate_rows, candidate_gradients;
  Buffer<std::uint16_t> rounded_candidates;
  Held held;
  // Several processes: the entities that the unit's formulas read, ascending, and their rows by
  // table.
  std::vector<std::int32_t> borrowed;
  std::vector<Buffer<float>> borrowed_rows;
  std::vector<TopPart> parts;
};

}  // namespace orrery::cpu
