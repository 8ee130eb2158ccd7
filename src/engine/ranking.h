// How a judge asks an engine for ranks: counts only, so that scores never leave the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/query.h"
#include "models/model.h"
#include "orrery/scores.h"

namespace orrery {

// `known` holds every true answer in ascending order, the target included: they are no candidates.
struct RankQuestion {
  QueryPair queries;  // their scores are added when paired
  std::int32_t target = 0;
  std::span<const std::int32_t> known;
};

// What a Ranker ends with where a score is NaN or infinite.
[[noreturn]] void fail_unrankable(std::size_t question);

// The order in which questions are best asked: by time where candidates depend on it.
std::vector<std::size_t> asking_order(std::span<const QueryPair> queries, Candidates candidates);
std::vector<QueryPair> queries_of(std::span<const RankQuestion> questions);

class Ranker {
 public:
  virtual ~Ranker() = default;
  // A score that is NaN or infinite is an Error, never a rank.
  virtual void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) = 0;
};

}  // namespace orrery
