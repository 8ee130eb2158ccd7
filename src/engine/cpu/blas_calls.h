// The calls of a BLAS that we make, by as many threads as it is told.
#pragma once

#include "engine/cpu/gemm.h"

extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the library's own name
void sgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
            const int* k, const float* alpha, const float* a, const int* lda, const float* b,
            const int* ldb, const float* beta, float* c, const int* ldc);
[[gnu::weak]] void openblas_set_num_threads(int threads);
}

namespace orrery::cpu {

// OpenBLAS has one team for all callers; other libraries keep what their environment says.
inline void set_blas_team(int threads) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}

// BLAS is column-major: the row-major c = a · b is its cᵀ = bᵀ · aᵀ.
inline void call_sgemm(std::size_t m, std::size_t n, std::size_t k, const Matrix<float>& a,
                       const Matrix<float>& b, float* c, std::size_t c_stride, bool accumulate) {
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), inner = static_cast<int>(k);
  const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride);
  const int ldc = static_cast<int>(c_stride);
  const float one = 1, beta = accumulate ? 1.0F : 0.0F;
  sgemm_(b.transposed ? "T" : "N", a.transposed ? "T" : "N", &columns, &rows, &inner, &one, b.data,
         &ldb, a.data, &lda, &beta, c, &ldc);
}

}  // namespace orrery::cpu
