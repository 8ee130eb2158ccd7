#include "base/error.h"
#include "gpu_parts.h"

namespace orrery {
namespace {

[[noreturn]] void refuse() { fail_broken("this program was built without CUDA"); }

}  // namespace

double milliseconds_of_gpu_products(Engine&) { refuse(); }

std::vector<GpuPart> parts_of_gpu_steps(Engine&, const std::function<void()>&) { refuse(); }

}  // namespace orrery
