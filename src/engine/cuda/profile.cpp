#include "engine/cuda/profile.h"

#include <algorithm>
#include <functional>

#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {
namespace {

CudaEngine& on_gpu(Engine& engine) {
  auto& gpu = dynamic_cast<CudaEngine&>(engine);
  gpu.use_device();
  return gpu;
}

double time_once(const std::function<void()>& work, cudaStream_t stream) {
  const Event before(true), after(true);
  check(cudaEventRecord(before, stream), "timing");
  work();
  check(cudaEventRecord(after, stream), "timing");
  check(cudaEventSynchronize(after), "timing");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, before, after), "timing");
  return static_cast<double>(milliseconds);
}

}  // namespace

void start_profile(Engine& engine) { on_gpu(engine).clock().start(); }
std::vector<PartTime> stop_profile(Engine& engine) { return on_gpu(engine).clock().stop(); }

std::vector<PartTime> time_products_alone(Engine& engine, int turns) {
  CudaEngine& gpu = on_gpu(engine);
  const std::int64_t rows = gpu.last_batch();
  struct Product {
    const char* name;
    void (CudaEngine::*multiply)(std::int64_t, std::int64_t);
  };
  // The score product comes last: it overwrites what the others read.
  const Product products[] = {{"query gradient product", &CudaEngine::query_gradient_product},
                              {"entity gradient product", &CudaEngine::entity_gradient_product},
                              {"score product", &CudaEngine::score_product}};
  std::vector<PartTime> parts;
  for (const Product& product : products) {
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn)
      times.push_back(time_once(
          [&] {
            for (std::int64_t done = 0; done < rows; done += gpu.score_rows())
              (gpu.*product.multiply)(done, std::min(gpu.score_rows(), rows - done));
          },
          gpu.stream()));
    std::ranges::sort(times);
    parts.push_back({product.name, times[times.size() / 2]});
  }
  return parts;
}

std::uint64_t device_bytes(const Engine& engine) {
  return dynamic_cast<const CudaEngine&>(engine).device_bytes();
}

std::uint64_t planned_bytes(const Engine& engine) {
  return dynamic_cast<const CudaEngine&>(engine).planned_bytes();
}

}  // namespace orrery::cuda
