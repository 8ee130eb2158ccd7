// How long the parts of a step take, for benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace orrery::cuda {

struct PartTime {
  std::string name;
  double milliseconds = 0;
};

// All of these want an engine on a GPU.
void start_profile(Engine& engine);                  // from here on steps time their parts
std::vector<PartTime> stop_profile(Engine& engine);  // mean of a step, in the order of the step
// The three products of the last step and nothing else, over the engine's own buffers: medians.
std::vector<PartTime> time_products_alone(Engine& engine, int turns);
double fp32_peak(const Engine& engine);            // instructions a second
std::uint64_t device_bytes(const Engine& engine);  // what the engine has allocated

}  // namespace orrery::cuda
