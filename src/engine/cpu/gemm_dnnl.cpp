#include <dnnl.h>
#include <omp.h>

#include <dnnl.hpp>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/thread_pool.h"
#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

// oneDNN's team for calls from this thread. Ours are of one: the engine has threads of its own.
class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~TeamSize() { omp_set_num_threads(before_); }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

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

void sgemm(std::size_t m, std::size_t n, std::size_t k, const Matrix<float>& a,
           const Matrix<float>& b, float* c, std::size_t c_stride, bool accumulate) {
  const auto status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', static_cast<dnnl_dim_t>(m),
                 static_cast<dnnl_dim_t>(n), static_cast<dnnl_dim_t>(k), 1.0F, a.data,
                 static_cast<dnnl_dim_t>(a.stride), b.data, static_cast<dnnl_dim_t>(b.stride),
                 accumulate ? 1.0F : 0.0F, c, static_cast<dnnl_dim_t>(c_stride));
  if (status != dnnl_success) fail_broken("oneDNN: sgemm failed with status {}", int(status));
}

void run(const Bf16Product& product, const std::uint16_t* a, const std::uint16_t* b, float* c) {
  thread_local dnnl::stream stream(cpu_engine());
  const auto wrap = [](const dnnl::memory::desc& desc, const void* data) {
    return dnnl::memory(desc, cpu_engine(), const_cast<void*>(data));
  };
  product.primitive.execute(stream, {{DNNL_ARG_SRC, wrap(product.a, a)},
                                     {DNNL_ARG_WEIGHTS, wrap(product.b, b)},
                                     {DNNL_ARG_DST, wrap(product.c, c)}});
  stream.wait();
}

}  // namespace

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a, Matrix<float> b,
              float* c, std::size_t c_stride, bool accumulate) {
  const TeamSize alone(1);
  sgemm(m, n, k, a, b, c, c_stride, accumulate);
}

void multiply(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
              Matrix<std::uint16_t> b, float* c, std::size_t c_stride, bool accumulate) {
  const TeamSize alone(1);
  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                         std::size_t, bool, bool, bool>;
  thread_local std::map<Key, Bf16Product> products;
  const Key key{m, n, k, a.stride, b.stride, c_stride, a.transposed, b.transposed, accumulate};
  auto found = products.find(key);
  if (found == products.end())
    found = products.try_emplace(key, m, n, k, a, b, c_stride, accumulate).first;
  run(found->second, a.data, b.data, c);
}

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, Matrix<float> a,
                           Matrix<float> b, float* c, std::size_t c_stride) {
  const TeamSize all(available_cores());
  sgemm(m, n, k, a, b, c, c_stride, false);
}

void multiply_on_all_cores(std::size_t m, std::size_t n, std::size_t k, Matrix<std::uint16_t> a,
                           Matrix<std::uint16_t> b, float* c, std::size_t c_stride) {
  const TeamSize all(available_cores());
  run(Bf16Product(m, n, k, a, b, c_stride, false), a.data, b.data, c);
}

const char* matrix_library() { return "oneDNN"; }

}  // namespace orrery::cpu
