// The judge: asks a ranker both questions of every fact of a split and sums up the answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "data/filter_index.h"
#include "data/temporal_graph.h"
#include "engine/ranking.h"
#include "judge/scores.h"
#include "orrery/evaluate.h"

namespace orrery {

struct JudgeOptions {
  // Questions handed to the ranker at a time; any number gives the same result.
  std::size_t batch = 8192;
  // Told after each batch how many questions of how many are done. May throw to stop.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

// A split without facts is a request Error; an Error of the ranker (a NaN) passes through.
EvaluationScores judge(Ranker& ranker, const TemporalGraph& data, const FilterIndex& filter,
                       Split split, const JudgeOptions& options = {});

}  // namespace orrery
