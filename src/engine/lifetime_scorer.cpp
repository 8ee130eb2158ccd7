#include "engine/lifetime_scorer.h"

#include <algorithm>
#include <utility>

#include "engine/mixed_asker.h"

namespace orrery {

LifetimeScorer::LifetimeScorer(const Lifetimes& lifetimes, std::vector<float> worth,
                               std::int32_t entities, int threads)
    : lifetimes_(lifetimes),
      worth_(std::move(worth)),
      entities_(static_cast<std::size_t>(entities)),
      pool_(threads) {}

// Many questions are of one relation and time, and timeliness is the same for all subjects.
void LifetimeScorer::add(std::vector<Asked> all, std::span<float> scores) {
  const auto worth_of = [&](const Asked& one) {
    return worth_[static_cast<std::size_t>(one.query.relation)];
  };
  const auto kind_of = [](const Asked& one) {
    return std::pair(one.query.relation, one.query.time);
  };
  std::erase_if(all, [&](const Asked& one) { return worth_of(one) == 0; });
  std::ranges::sort(all, {}, kind_of);
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i == 0 || kind_of(all[i]) != kind_of(all[i - 1])) begins.push_back(i);
  begins.push_back(all.size());
  parallel_for(pool_, begins.size() - 1, 1, [&](std::size_t kind, std::size_t) {
    std::vector<float> timeliness(entities_);
    lifetimes_.timeliness(all[begins[kind]].query, timeliness);
    for (std::size_t i = begins[kind]; i < begins[kind + 1]; ++i) {
      const float worth = worth_of(all[i]);
      const auto row = scores.subspan(all[i].row * entities_, entities_);
      for (std::size_t e = 0; e < entities_; ++e) row[e] += worth * timeliness[e];
    }
  });
}

void LifetimeScorer::score(std::span<const QueryPair> queries, std::span<float> scores) {
  std::ranges::fill(scores, 0.0F);
  std::vector<Asked> firsts, seconds;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    firsts.push_back({queries[i].first, i});
    if (queries[i].paired) seconds.push_back({queries[i].second, i});
  }
  add(std::move(firsts), scores);
  add(std::move(seconds), scores);
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
