// What the timeliness of candidates adds to their scores, beside whatever a model says of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "data/lifetimes.h"
#include "engine/asker.h"
#include "engine/engine.h"

namespace orrery {

class LifetimeScorer final : public Scorer {
 public:
  // `worth`: by relation row. `threads` as in EngineOptions; their number changes no score. The
  // lifetimes must outlive it.
  LifetimeScorer(const Lifetimes& lifetimes, std::vector<float> worth, std::int32_t entities,
                 int threads);

  void score(std::span<const QueryPair> queries, std::span<float> scores) override;

 private:
  // A query of one row of scores.
  struct Asked {
    Query query;
    std::size_t row = 0;
  };
  void add(std::vector<Asked> all, std::span<float> scores);

  const Lifetimes& lifetimes_;
  std::vector<float> worth_;
  std::size_t entities_;
  ThreadPool pool_;
};

// An asker of the engine that adds it; where it is worth nothing, the engine's own.
std::unique_ptr<Asker> asker_with_lifetimes(const Engine& engine, const Lifetimes& lifetimes,
                                            std::vector<float> worth, int threads);

}  // namespace orrery
