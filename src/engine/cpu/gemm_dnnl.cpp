#include <fmt/format.h>

#include <map>
#include <tuple>

#include "engine/cpu/dnnl_calls.h"
#include "engine/cpu/gemm.h"
#include "engine/cpu/widen.h"

namespace orrery::cpu {

const char* matrix_library() { return "oneDNN"; }

std::string matrix_library_version() {
  settle_instructions();
  const dnnl_version_t& version = *dnnl_version();
  return fmt::format("{}.{}.{} instructions {:x}", version.major, version.minor, version.patch,
                     static_cast<unsigned>(dnnl::get_effective_cpu_isa()));
}

// Only a try tells: it depends on the version, the processor and the environment.
bool multiplies_bf16() {
  static const bool possible = [] {
    try {
      const TeamSize alone(1);
      constexpr std::size_t size = 16;
      const std::uint16_t operand[size * size] = {};
      float product[size * size];
      const Matrix<std::uint16_t> a{operand, size, false}, b{operand, size, true};
      Bf16Product(size, size, size, a, b, size, false).run(operand, operand, product);
      return true;
    } catch (const dnnl::error&) {
      return false;
    }
  }();
  return possible;
}

// The library knows the processor and what its environment forbids. Sets of instructions are sets
// of bits. AVX512-BF16 without AMX is no faster than fp32, and its operands are packed anew.
bool is_fast_at_bf16() {
  settle_instructions();
  const auto has = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  const auto wanted = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_amx);
  return (has & wanted) == wanted && multiplies_bf16();
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate) {
  const TeamSize alone(1);
  call_sgemm(m, n, k, a, b, c, c_stride, accumulate);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate) {
  if (!multiplies_bf16()) {
    const Widened wide_a(a, m, k), wide_b(b, k, n);
    multiply(m, n, k, wide_a.matrix(), wide_b.matrix(), c, c_stride, accumulate);
    return;
  }
  const TeamSize alone(1);
  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                         std::size_t, bool, bool, bool>;
  thread_local std::map<Key, Bf16Product> products;
  const Key key{m, n, k, a.stride, b.stride, c_stride, a.transposed, b.transposed, accumulate};
  auto found = products.find(key);
  if (found == products.end())
    found = products.try_emplace(key, m, n, k, a, b, c_stride, accumulate).first;
  found->second.run(a.data, b.data, c);
}

}  // namespace orrery::cpu
