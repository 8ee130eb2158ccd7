// Why a model gives a fact its score.
#pragma once

#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "learn/stored_model.h"
#include "orrery/explain.h"

namespace orrery {

// `data` in the model's ids; `threads` as in EngineOptions.
Explanation explain_fact(const StoredModel& model, Asker& asker, const TemporalGraph& data,
                         const Question& question, const ExplainOptions& options, int threads);

}  // namespace orrery
