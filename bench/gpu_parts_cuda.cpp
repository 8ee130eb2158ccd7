#include "engine/cuda/profile.h"
#include "gpu_parts.h"

namespace orrery {

double milliseconds_of_gpu_products(Engine& engine) {
  double sum = 0;
  for (const cuda::PartTime& part : cuda::time_products_alone(engine, 9)) sum += part.milliseconds;
  return sum;
}

std::vector<GpuPart> parts_of_gpu_steps(Engine& engine, const std::function<void()>& run) {
  cuda::start_profile(engine);
  run();
  std::vector<GpuPart> parts;
  for (const cuda::PartTime& part : cuda::stop_profile(engine))
    parts.push_back({part.name, part.milliseconds});
  return parts;
}

}  // namespace orrery
