#include "engine/cuda/backend.h"

#include "base/error.h"

namespace orrery::cuda {

int device_count() { return 0; }

bool runs_on(int) { return false; }

std::unique_ptr<Engine> make_engine(ModelPlan, const EngineOptions& options, int) {
  fail_request(
      About{.option = "device",
            .advice = worded("install the CUDA toolkit and build again, or take $device cpu")},
      "$device {}: this program was built without CUDA", options.device);
}

}  // namespace orrery::cuda
