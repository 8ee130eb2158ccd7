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
  // A number for the dates of a fact as they are written. Facts that are read by their ends may
  // share time rows and not their dates; of all others the time row says as much: 0.
  std::int32_t dates_key(const Fact& fact) const;
};

}  // namespace orrery
