// A temporal knowledge graph in memory: vocabulary, time axis and three splits of facts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/timeline.h"
#include "data/vocabulary.h"
#include "orrery/facts.h"

namespace orrery {

struct TemporalGraph {
  Vocabulary entities;
  Vocabulary relations;
  Timeline times;
  std::vector<Fact> facts[3];  // by Split

  const std::vector<Fact>& split(Split which) const { return facts[static_cast<int>(which)]; }
  RelationIds relation_ids() const { return {relations.size(), times.has_ends()}; }
};

}  // namespace orrery
