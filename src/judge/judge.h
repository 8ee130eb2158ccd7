// The judge: asks a ranker both questions of every fact of a split and sums up the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "data/filter_index.h"
#include "data/temporal_graph.h"
#include "engine/ranking.h"
#include "judge/metrics.h"

namespace orrery {

struct JudgeOptions {
  // Questions handed to the ranker at a time; any number gives the same result.
  std::size_t batch = 8192;
  // Told after each batch how many questions of how many are done. May throw to stop.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

// Questions that touch a row which training never saw, so that the model only has its start value.
struct UnseenCounts {
  std::uint64_t entity = 0;  // the entity asked with, or the answer
  std::uint64_t relation = 0;
  std::uint64_t time = 0;
  std::uint64_t any = 0;  // at least one of the three

  friend bool operator==(const UnseenCounts&, const UnseenCounts&) = default;
};

struct Judgement {
  Split split = Split::test;
  Metrics pessimistic, realistic, optimistic;  // both directions; the first is the headline
  Metrics object, subject;                     // pessimistic, one direction alone
  UnseenCounts unseen;
  std::vector<RankCounts> counts;  // of fact 0's object question, its subject question, fact 1's …
};

// A split without facts is a request Error; an Error of the ranker (a NaN) passes through.
Judgement judge(Ranker& ranker, const TemporalGraph& data, const FilterIndex& filter, Split split,
                const JudgeOptions& options = {});

}  // namespace orrery
