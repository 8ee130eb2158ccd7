#include "engine/cuda/backend.h"

#include "base/agreement.h"
#include "base/error.h"
#include "engine/cuda/cuda_engine.h"

namespace orrery::cuda {

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return count;
}

bool runs_on(int device) { return device < device_count() && kernels_run_on(device); }

namespace {

void require_usable(const EngineOptions& options, int device) {
  const int count = device_count();
  if (count == 0)
    fail_request(
        About{.option = "device", .advice = worded("take $device cpu")},
        "$device {}: there is no NVIDIA GPU here that this program can use (or no driver for it)",
        options.device);
  if (device >= count)
    fail_request(About{.option = "device"}, "$device {}: there {} here, counted from 0",
                 options.device, count == 1 ? "is 1 GPU" : fmt::format("are {} GPUs", count));
  if (!runs_on(device))
    fail_request(
        About{.option = "device",
              .advice = worded("build again with -DCMAKE_CUDA_ARCHITECTURES=native, or take "
                               "$device cpu")},
        "$device {}: this program was not built for that GPU", options.device);
}

}  // namespace

std::unique_ptr<Engine> make_engine(ModelPlan plan, const EngineOptions& options, int device) {
  together(options.processes, [&] { require_usable(options, device); });
  return std::make_unique<CudaEngine>(std::move(plan), options, device);
}

}  // namespace orrery::cuda
