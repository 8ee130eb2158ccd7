// A judgement cut into parts: which relations, entities or times a model answers well.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/temporal_graph.h"
#include "judge/judge.h"

namespace orrery {

enum class BreakdownBy {
  relation,  // both directions of a relation together
  entity,    // questions asked with that entity (the given side, not the answer)
  time,      // the time row of the fact's start, or of its end where the start is unknown
};
std::string_view name_of(BreakdownBy by);
std::optional<BreakdownBy> breakdown_named(std::string_view name);

struct BreakdownRow {
  std::string name;
  Metrics metrics;  // pessimistic, both directions
};

// Every question is in exactly one row; rows with most questions first, equals in the order of ids.
std::vector<BreakdownRow> breakdown(const TemporalGraph& data, const Judgement& judgement,
                                    BreakdownBy by);

}  // namespace orrery
