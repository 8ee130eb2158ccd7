#include "base/thread_pool.h"
#include "engine/cpu/blas_calls.h"
#include "engine/cpu/widen.h"
#include "opponent.h"

namespace orrery {

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, const cpu::Matrix<float>& a,
                           const cpu::Matrix<float>& b, float* c, std::size_t c_stride) {
  cpu::set_blas_team(available_cores());
  cpu::call_sgemm(m, n, k, a, b, c, c_stride, false);
  cpu::set_blas_team(1);  // as the engine wants it
}

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k,
                           const cpu::Matrix<std::uint16_t>& a, const cpu::Matrix<std::uint16_t>& b,
                           float* c, std::size_t c_stride) {
  const cpu::Widened wide_a(a, m, k), wide_b(b, k, n);
  multiply_on_all_cores(m, n, k, wide_a.matrix(), wide_b.matrix(), c, c_stride);
}

}  // namespace orrery
