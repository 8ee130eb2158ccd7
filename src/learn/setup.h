// From options to what the layers below want to be told.
#pragma once

#include "data/load.h"
#include "engine/engine.h"
#include "orrery/train.h"

namespace orrery {

LoadOptions load_options_of(const TrainOptions& options);
EngineOptions engine_options_of(const TrainOptions& options);
StepRules step_rules_of(const TrainOptions& options);
ModelShape shape_of(const TrainOptions& options, const Dataset& data);
ModelPlan plan_of(const TrainOptions& options, const ModelShape& shape);

// A memory option as bytes; empty: the default budget of this machine.
std::uint64_t memory_budget(const std::string& option);

}  // namespace orrery
