// The three products of a step on a GPU and nothing else, for programs that are built without CUDA,
// too. gpu_products_none.cpp stands in there: no engine is on a GPU then.
#pragma once

#include "engine/engine.h"

namespace orrery {

// After a step, over its buffers.
double milliseconds_of_gpu_products(Engine& engine);

}  // namespace orrery
