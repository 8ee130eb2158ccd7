#include "engine/cuda/profile.h"
#include "gpu_products.h"

namespace orrery {

double milliseconds_of_gpu_products(Engine& engine) {
  double sum = 0;
  for (const cuda::PartTime& part : cuda::time_products_alone(engine, 9)) sum += part.milliseconds;
  return sum;
}

}  // namespace orrery
