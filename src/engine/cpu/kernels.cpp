#include "engine/cpu/kernels.h"

#include <vector>

namespace orrery::cpu {

namespace baseline {
extern const Kernels kernels;
}
#if defined(ORRERY_X86_KERNELS)
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}
#endif

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> available = [] {
    std::vector<const Kernels*> found;
#if defined(ORRERY_X86_KERNELS)
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v4) found.push_back(&avx512::kernels);
    if (v3) found.push_back(&avx2::kernels);
#endif
    found.push_back(&baseline::kernels);
    return found;
  }();
  return available;
}

}  // namespace orrery::cpu
