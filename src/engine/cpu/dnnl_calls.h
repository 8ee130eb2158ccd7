// The calls of oneDNN that we make, the same for its versions 2 and 3, by as many threads as asked.
#pragma once

#include <dnnl.h>
#include <omp.h>
#include <signal.h>

#include <cstdlib>
#include <dnnl.hpp>

#include "base/error.h"
#include "engine/cpu/amx_tiles.h"
#include "engine/cpu/gemm.h"

namespace orrery::cpu {

// Before the first call of oneDNN, which settles its instructions. What the environment says of
// them stays.
inline void settle_instructions() {
  [[maybe_unused]] static const bool settled = [] {
    if (!announces_tiles_unseen() || std::getenv("DNNL_MAX_CPU_ISA") != nullptr ||
        std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr)
      return false;
    return dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx512_core_bf16) == dnnl::status::success;
  }();
}

// oneDNN's team for calls from this thread, as long as this lives.
class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(omp_get_max_threads()) {
    settle_instructions();
    omp_set_num_threads(threads);
  }
  ~TeamSize() { omp_set_num_threads(before_); }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

// Keeps signals from this thread as long as this lives. The products that oneDNN 2.6 generates keep
// values where a signal's handler puts its frame: a Ctrl-C inside one made it write past its
// buffer.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

inline const dnnl::engine& dnnl_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

inline void call_sgemm(std::size_t m, std::size_t n, std::size_t k, const Matrix<float>& a,
                       const Matrix<float>& b, float* c, std::size_t c_stride, bool accumulate) {
  const SignalsHeld held;
  const auto status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', static_cast<dnnl_dim_t>(m),
                 static_cast<dnnl_dim_t>(n), static_cast<dnnl_dim_t>(k), 1.0F, a.data,
                 static_cast<dnnl_dim_t>(a.stride), b.data, static_cast<dnnl_dim_t>(b.stride),
                 accumulate ? 1.0F : 0.0F, c, static_cast<dnnl_dim_t>(c_stride));
  if (status != dnnl_success) fail_broken("oneDNN: sgemm failed with status {}", int(status));
}

// A product of one shape. Making it costs more than a small product does: keep it. Where oneDNN has
// none of this type for the processor, making it throws a dnnl::error.
class Bf16Product {
 public:
  Bf16Product(std::size_t m, std::size_t n, std::size_t k, const Matrix<std::uint16_t>& a,
              const Matrix<std::uint16_t>& b, std::size_t c_stride, bool accumulate)
      : a_(describe(m, k, a)),
        b_(describe(k, n, b)),
        c_({static_cast<dnnl::memory::dim>(m), static_cast<dnnl::memory::dim>(n)},
           dnnl::memory::data_type::f32,
           dnnl::memory::dims{static_cast<dnnl::memory::dim>(c_stride), 1}) {
    dnnl::primitive_attr attributes;
    if (accumulate) {
      dnnl::post_ops sum;
      sum.append_sum();
      attributes.set_post_ops(sum);
    }
#if DNNL_VERSION_MAJOR >= 3
    primitive_ = dnnl::matmul(dnnl::matmul::primitive_desc(dnnl_engine(), a_, b_, c_, attributes));
#else
    primitive_ = dnnl::matmul(
        dnnl::matmul::primitive_desc(dnnl::matmul::desc(a_, b_, c_), attributes, dnnl_engine()));
#endif
  }

  void run(const std::uint16_t* a, const std::uint16_t* b, float* c) const {
    const SignalsHeld held;
    thread_local dnnl::stream stream(dnnl_engine());
    const auto wrap = [](const dnnl::memory::desc& desc, const void* data) {
      return dnnl::memory(desc, dnnl_engine(), const_cast<void*>(data));
    };
    primitive_.execute(stream, {{DNNL_ARG_SRC, wrap(a_, a)},
                                {DNNL_ARG_WEIGHTS, wrap(b_, b)},
                                {DNNL_ARG_DST, wrap(c_, c)}});
    stream.wait();
  }

 private:
  static dnnl::memory::desc describe(std::size_t rows, std::size_t columns,
                                     const Matrix<std::uint16_t>& matrix) {
    const auto stride = static_cast<dnnl::memory::dim>(matrix.stride);
    return {{static_cast<dnnl::memory::dim>(rows), static_cast<dnnl::memory::dim>(columns)},
            dnnl::memory::data_type::bf16,
            matrix.transposed ? dnnl::memory::dims{1, stride} : dnnl::memory::dims{stride, 1}};
  }

  dnnl::memory::desc a_, b_, c_;
  dnnl::matmul primitive_;
};

}  // namespace orrery::cpu
