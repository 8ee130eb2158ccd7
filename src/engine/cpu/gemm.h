// The one seam to a matrix library. Calls run on the calling thread alone: the engine cuts products
// into tiles of its own, so that results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace orrery::cpu {

// A row-major matrix, or with `transposed` the transpose of one.
template <class T>
struct Matrix {
  const T* data = nullptr;
  std::size_t stride = 0;  // of the stored rows
  bool transposed = false;
};

// c[m × n] = a[m × k] · b[k × n] (+ c if `accumulate`), sums in fp32.
void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate);
void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate);

const char* matrix_library();
// And what of it decides how products are rounded: its version, and the instructions it takes.
std::string matrix_library_version();
// Whether it multiplies bf16 on this machine; where not, `multiply` widens such operands to fp32.
bool multiplies_bf16();
// Whether it does so with instructions made for it, at nearly twice the speed of fp32.
bool is_fast_at_bf16();

}  // namespace orrery::cpu
