// What benchmarks compare the engine with: plain products by the matrix library's own threads, on
// every core, as a program would call them that has nothing else to do.
#pragma once

#include "engine/cpu/gemm.h"

namespace orrery {

// c[m × n] = a[m × k] · b[k × n]
void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, const cpu::Matrix<float>& a,
                           const cpu::Matrix<float>& b, float* c, std::size_t c_stride);
void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k,
                           const cpu::Matrix<std::uint16_t>& a, const cpu::Matrix<std::uint16_t>& b,
                           float* c, std::size_t c_stride);

}  // namespace orrery
