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
    std::function<void(std::int64_t, std::int64_t)> multiply;
  };
  using Count = std::int64_t;
  // The score product comes last: it overwrites what the others read.
  const Product products[] = {
      {"query gradient product", [&](Count first, Count n) { gpu.back_to_queries(first, n); }},
      {"entity gradient product",
       [&](Count first, Count n) { gpu.back_to_candidates(first, n, first > 0); }},
      {"score product", [&](Count first, Count n) { gpu.score_held(first, n); }}};
  std::vector<PartTime> parts;
  for (const Product& product : products) {
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn)
      times.push_back(time_once(
          [&] {
            for (std::int64_t done = 0; done < rows; done += gpu.score_rows())
              product.multiply(done, std::min(gpu.score_rows(), rows - done));
          },
          gpu.stream()));
    std::ranges::sort(times);
    parts.push_back({product.name, times[times.size() / 2]});
  }
  return parts;
}

double fp32_peak(const Engine& engine) {
  dynamic_cast<const CudaEngine&>(engine).use_device();
  constexpr double units = 128;  // of a multiprocessor, of compute capability 9.0
  int device = 0, processors = 0, kilohertz = 0;
  check(cudaGetDevice(&device), "asking for its speed");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "asking for its speed");
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), "asking for its speed");
  return 1e3 * units * processors * kilohertz;
}

std::uint64_t device_bytes(const Engine& engine) {
  return dynamic_cast<const CudaEngine&>(engine).device_bytes();
}

}  // namespace orrery::cuda
