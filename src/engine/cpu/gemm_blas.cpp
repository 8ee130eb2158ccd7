#include <algorithm>
#include <vector>

#include "base/thread_pool.h"
#include "engine/cpu/gemm.h"

extern "C" {
void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const float* alpha, const float* a, const int* lda, const float* b,
            const int* ldb, const float* beta, float* c, const int* ldc);
[[gnu::weak]] void openblas_set_num_threads(int threads);
}

namespace orrery::cpu {
namespace {

// OpenBLAS has one team for all callers, and the engine has threads of its own.
void use_one_thread() {
  static const bool once = [] {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return true;
  }();
  static_cast<void>(once);
}

std::vector<float> widen(const Matrix<std::uint16_t>& matrix, std::size_t rows,
                         std::size_t columns) {
  if (matrix.transposed) std::swap(rows, columns);
  std::vector<float> wide(rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      wide[r * columns + c] = __builtin_bit_cast(
          float, static_cast<std::uint32_t>(matrix.data[r * matrix.stride + c]) << 16);
  return wide;
}

// BLAS is column-major: the row-major c = a · b is its cᵀ = bᵀ · aᵀ.
void sgemm(std::size_t m, std::size_t n, std::size_t k, const Matrix<float>& a,
           const Matrix<float>& b, float* c, std::size_t c_stride, bool accumulate) {
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), inner = static_cast<int>(k);
  const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride);
  const int ldc = static_cast<int>(c_stride);
  const float one = 1, beta = accumulate ? 1.0F : 0.0F;
  sgemm_(b.transposed ? "T" : "N", a.transposed ? "T" : "N", &columns, &rows, &inner, &one, b.data,
         &ldb, a.data, &lda, &beta, c, &ldc);
}

}  // namespace

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate) {
  use_one_thread();
  sgemm(m, n, k, a, b, c, c_stride, accumulate);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate) {
  const auto wide_a = widen(a, m, k);
  const auto wide_b = widen(b, k, n);
  multiply(m, n, k, {wide_a.data(), a.transposed ? m : k, a.transposed},
           {wide_b.data(), b.transposed ? k : n, b.transposed}, c, c_stride, accumulate);
}

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a,
                           Matrix<float> b, float* c, std::size_t c_stride) {
  use_one_thread();
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(available_cores());
  sgemm(m, n, k, a, b, c, c_stride, false);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
                           Matrix<std::uint16_t> b, float* c, std::size_t c_stride) {
  const auto wide_a = widen(a, m, k);
  const auto wide_b = widen(b, k, n);
  multiply_on_all_cores(m, n, k, {wide_a.data(), a.transposed ? m : k, a.transposed},
                        {wide_b.data(), b.transposed ? k : n, b.transposed}, c, c_stride);
}

const char* matrix_library() { return "BLAS"; }

}  // namespace orrery::cpu
