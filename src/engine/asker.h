// How a model is asked: ranks, scores, and the best answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ranking.h"

namespace orrery {

struct ScoredEntity {
  std::int32_t entity = 0;
  float score = 0;

  friend bool operator==(const ScoredEntity&, const ScoredEntity&) = default;
};

// The order of answers: the highest score first, and of equal scores the lowest id.
inline bool is_better(const ScoredEntity& a, const ScoredEntity& b) {
  return a.score != b.score ? a.score > b.score : a.entity < b.entity;
}

// The best entities, the best first, and what a softmax over all entities needs.
struct TopAnswers {
  std::vector<ScoredEntity> best;
  double highest = 0;
  double log_sum = 0;  // log Σ exp(score)

  friend bool operator==(const TopAnswers&, const TopAnswers&) = default;
};

class Scorer {
 public:
  virtual ~Scorer() = default;
  // scores[i · entities + e]; scores of a pair are added.
  virtual void score(std::span<const QueryPair> queries, std::span<float> scores) = 0;
};

// Asks a model whose embeddings do not change meanwhile. One thread at a time uses an asker; many
// askers may use one engine at once.
class Asker : public Ranker, public Scorer {
 public:
  // The best `k` answers, or all entities where they are fewer, to each question. A score that is
  // NaN or infinite is an Error, never an answer.
  virtual void top(std::span<const QueryPair> queries, std::size_t k,
                   std::span<TopAnswers> answers) = 0;
};

}  // namespace orrery
