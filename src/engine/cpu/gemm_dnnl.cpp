#include <dnnl.h>
#include <omp.h>

#include <dnnl.hpp>
#include <map>
#include <tuple>

#include "base/error.h"
#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

// oneDNN would start a team of its own in every thread of ours.
void use_one_thread() {
  thread_local const bool once = [] {
    omp_set_num_threads(1);
    return true;
  }();
  static_cast<void>(once);
}

const dnnl::engine& cpu_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

template <class T>
dnnl::memory::desc describe(std::size_t rows, std::size_t columns, const Matrix<T>& matrix) {
  const auto stride = static_cast<dnnl::memory::dim>(matrix.stride);
  return {{static_cast<dnnl::memory::dim>(rows), static_cast<dnnl::memory::dim>(columns)},
          dnnl::memory::data_type::bf16,
          matrix.transposed ? dnnl::memory::dims{1, stride} : dnnl::memory::dims{stride, 1}};
}

struct Bf16Product {
  dnnl::memory::desc a, b, c;
  dnnl::matmul primitive;

  Bf16Product(std::size_t m, std::size_t n, std::size_t k, const Matrix<std::uint16_t>& a_,
              const Matrix<std::uint16_t>& b_, std::size_t c_stride, bool accumulate)
      : a(describe(m, k, a_)),
        b(describe(k, n, b_)),
        c({static_cast<dnnl::memory::dim>(m), static_cast<dnnl::memory::dim>(n)},
          dnnl::memory::data_type::f32,
          dnnl::memory::dims{static_cast<dnnl::memory::dim>(c_stride), 1}) {
    dnnl::primitive_attr attributes;
    if (accumulate) {
      dnnl::post_ops sum;
      sum.append_sum();
      attributes.set_post_ops(sum);
    }
    primitive = dnnl::matmul(
        dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), attributes, cpu_engine()));
  }
};

}  // namespace

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate) {
  use_one_thread();
  const auto status = dnnl_sgemm(
      a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', static_cast<dnnl_dim_t>(m),
      static_cast<dnnl_dim_t>(n), static_cast<dnnl_dim_t>(k), 1.0F, a.data,
      static_cast<dnnl_dim_t>(a.stride), b.data, static_cast<dnnl_dim_t>(b.stride),
      accumulate ? 1.0F : 0.0F, c, static_cast<dnnl_dim_t>(c_stride));
  if (status != dnnl_success) fail_broken("oneDNN: sgemm failed with status {}", int(status));
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate) {
  use_one_thread();
  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                         std::size_t, bool, bool, bool>;
  thread_local std::map<Key, Bf16Product> products;
  thread_local dnnl::stream stream(cpu_engine());
  const Key key{m, n, k, a.stride, b.stride, c_stride, a.transposed, b.transposed, accumulate};
  auto found = products.find(key);
  if (found == products.end())
    found = products.try_emplace(key, m, n, k, a, b, c_stride, accumulate).first;
  const Bf16Product& product = found->second;
  const auto wrap = [](const dnnl::memory::desc& desc, const void* data) {
    return dnnl::memory(desc, cpu_engine(), const_cast<void*>(data));
  };
  product.primitive.execute(stream, {{DNNL_ARG_SRC, wrap(product.a, a.data)},
                                     {DNNL_ARG_WEIGHTS, wrap(product.b, b.data)},
                                     {DNNL_ARG_DST, wrap(product.c, c)}});
  stream.wait();
}

const char* matrix_library() { return "oneDNN"; }

}  // namespace orrery::cpu
