// The door of the CUDA backend. Where no CUDA toolkit was found at build time, no_cuda/ stands
// behind it and says so.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace orrery::cuda {

// GPUs there are; 0 where there is no driver, no device or no backend.
int device_count();
// Whether this program holds code for it.
bool runs_on(int device);

// A GPU that is not there is a request Error.
std::unique_ptr<Engine> make_engine(ModelPlan plan, const EngineOptions& options, int device);

}  // namespace orrery::cuda
