#include "engine/cpu/blas_calls.h"
#include "engine/cpu/gemm.h"
#include "engine/cpu/widen.h"

namespace orrery::cpu {

const char* matrix_library() { return "BLAS"; }
// BLAS has no call that tells.
std::string matrix_library_version() { return "of an unknown version"; }

bool multiplies_bf16() { return false; }
bool is_fast_at_bf16() { return false; }

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate) {
  // Once: the engine has threads of its own.
  static const bool alone = (set_blas_team(1), true);
  static_cast<void>(alone);
  call_sgemm(m, n, k, a, b, c, c_stride, accumulate);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate) {
  const Widened wide_a(a, m, k), wide_b(b, k, n);
  multiply(m, n, k, wide_a.matrix(), wide_b.matrix(), c, c_stride, accumulate);
}

}  // namespace orrery::cpu
