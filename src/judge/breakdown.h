// A evaluation cut into parts: which relations, entities or times a model answers well.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/temporal_graph.h"
#include "judge/judge.h"
#include "orrery/evaluate.h"

namespace orrery {

// Every question is in exactly one row; rows with most questions first, equals in the order of ids.
std::vector<BreakdownRow> breakdown(const TemporalGraph& data, const EvaluationScores& evaluation,
                                    By by);

}  // namespace orrery
