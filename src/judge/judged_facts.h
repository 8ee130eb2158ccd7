// What a model that has not seen them makes of facts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/filter_index.h"
#include "data/temporal_graph.h"
#include "engine/asker.h"

namespace orrery {

struct LikelyEntity {
  std::int32_t entity = 0;
  double log_probability = 0;
};

// One side of a fact, with the other given; against candidates that are not known to be true.
struct JudgedSide {
  double log_probability = 0;
  std::int32_t rank = 1;
  std::vector<LikelyEntity> others;  // the best that stand in its place

  // How much likelier the best of them is, as a logarithm.
  double doubt() const {
    return others.empty() ? 0 : others.front().log_probability - log_probability;
  }
};

struct JudgedFact {
  JudgedSide object, subject;
};

// `known`: what is not to compete. `done` is told how many are, and may throw to stop. A score that
// is no number is a model Error.
std::vector<JudgedFact> judge_facts(Asker& asker, const TemporalGraph& data,
                                    const FilterIndex& known, std::span<const Fact> facts,
                                    std::size_t others,
                                    const std::function<void(std::size_t)>& done = {});

}  // namespace orrery
