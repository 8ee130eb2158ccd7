// Scores on the built-in world by planted pattern, beside the best that its rules allow.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "demo/world.h"
#include "judge/judge.h"

namespace orrery {

struct PatternScore {
  Pattern pattern = Pattern::noise;
  Metrics metrics;       // pessimistic, both directions
  double reachable = 0;  // MRR of a reasoner that knows the rules

  double share() const { return reachable > 0 ? metrics.mrr / reachable : 0; }
};

// `labels` of the test facts, in their order; the judgement is of the test split.
std::vector<PatternScore> score_patterns(std::span<const TestLabel> labels,
                                         const Judgement& judgement);
std::string pattern_table(std::span<const PatternScore> scores);
nlohmann::ordered_json patterns_json(std::span<const PatternScore> scores);

}  // namespace orrery
