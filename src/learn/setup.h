// From options to what the layers below want to be told.
#pragma once

#include "data/temporal_graph.h"
#include "engine/engine.h"
#include "orrery/train.h"

namespace orrery {

// `data` and kept copies of the rows count against the memory budget where that is the host's.
// Several processes, all of which make this call, share a machine's cores and memory evenly.
EngineOptions engine_options_of(const TrainOptions& options, const TemporalGraph& data,
                                Communicator* processes = nullptr);
StepRules step_rules_of(const TrainOptions& options);
ModelShape shape_of(const TrainOptions& options, const TemporalGraph& data);
const ModelVariant& variant_of(const TrainOptions& options);
ModelPlan plan_of(const TrainOptions& options, const ModelShape& shape);

// What facts in memory and the filter index over them take.
std::uint64_t memory_of(const TemporalGraph& data);

// A memory option as bytes; empty: 0, which leaves it to the engine.
std::uint64_t memory_budget(const std::string& option);

}  // namespace orrery
