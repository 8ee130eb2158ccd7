// How long parts of a step take on a GPU, for programs that are built without CUDA, too.
// gpu_parts_none.cpp stands in there: no engine is on a GPU then.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace orrery {

struct GpuPart {
  std::string name;
  double milliseconds = 0;
};

// The three products of a step and nothing else, after a step, over its buffers.
double milliseconds_of_gpu_products(Engine& engine);
// Means over the steps that `run` takes, in the order of a step.
std::vector<GpuPart> parts_of_gpu_steps(Engine& engine, const std::function<void()>& run);

}  // namespace orrery
