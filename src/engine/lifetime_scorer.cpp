#include "engine/lifetime_scorer.h"

#include <algorithm>

#include "engine/mixed_asker.h"

namespace orrery {

LifetimeScorer::LifetimeScorer(const Lifetimes& lifetimes, std::vector<float> worth,
                               std::int32_t entities, int threads)
    : lifetimes_(lifetimes),
      worth_(std::move(worth)),
      entities_(static_cast<std::size_t>(entities)),
      pool_(threads) {}

void LifetimeScorer::add(const Query& query, std::span<float> timeliness,
                         std::span<float> scores) const {
  const float worth = worth_[static_cast<std::size_t>(query.relation)];
  if (worth == 0) return;
  lifetimes_.timeliness(query, timeliness);
  for (std::size_t e = 0; e < entities_; ++e) scores[e] += worth * timeliness[e];
}

void LifetimeScorer::score(std::span<const QueryPair> queries, std::span<float> scores) {
  parallel_for(pool_, queries.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<float> timeliness(entities_);
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = scores.subspan(i * entities_, entities_);
      std::ranges::fill(row, 0.0F);
      add(queries[i].first, timeliness, row);
      if (queries[i].paired) add(queries[i].second, timeliness, row);
    }
  });
}

std::unique_ptr<Asker> asker_with_lifetimes(const Engine& engine, const Lifetimes& lifetimes,
                                            std::vector<float> worth, int threads) {
  if (std::ranges::all_of(worth, [](float one) { return one == 0; })) return engine.asker(threads);
  const std::int32_t entities = engine.plan().shape.entities;
  std::vector<WeighedScorer> parts;
  parts.push_back({engine.asker(threads), 1});
  parts.push_back(
      {std::make_unique<LifetimeScorer>(lifetimes, std::move(worth), entities, threads), 1});
  return std::make_unique<MixedAsker>(std::move(parts), entities);
}

}  // namespace orrery
