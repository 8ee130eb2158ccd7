// What both kinds of audit share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/temporal_graph.h"
#include "judge/judged_facts.h"
#include "orrery/audit.h"

namespace orrery {

// Facts that one model judges.
struct AuditedPart {
  const TemporalGraph& data;  // in the model's ids
  const FilterIndex& known;
  std::span<const Fact> facts;
  std::span<const Fact> learned;  // what the model was trained on, in ids of `data`
  std::optional<Calibration> calibration = {};
};

// `done` may throw to stop.
std::vector<AuditedFact> audited(Asker& asker, const AuditedPart& part, const AuditOptions& options,
                                 const std::function<void(std::size_t)>& done = {});

// The most implausible first; those that no model knows enough of come last.
void sort_by_doubt(std::vector<AuditedFact>& facts);

}  // namespace orrery
