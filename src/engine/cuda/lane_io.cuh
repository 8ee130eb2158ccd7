// Lanes of rows in and out of a thread's registers.
#pragma once

#include <cuda_bf16.h>

#include "base/random.h"
#include "engine/cuda/row_kernels.h"
#include "engine/row_pass.h"

namespace orrery::cuda {

// Where a lane begins in a row; its components follow `block_lanes` apart.
template <class A>
__device__ inline int lane_at(int lane) {
  return lane / block_lanes * (A::size * block_lanes) + lane % block_lanes;
}

// Of rows that nobody writes while the kernel runs, so that loads may be moved ahead of stores.
template <class A>
__device__ inline Element<float, A> load_lane(const float* lane) {
  Element<float, A> e;
#pragma unroll
  for (int c = 0; c < A::size; ++c) e.c[c] = __ldg(lane + c * block_lanes);
  return e;
}

template <class A>
__device__ inline void store_lane(const Element<float, A>& e, const RowsOut& out, std::size_t at) {
  if (out.bf16 != nullptr) {
    std::uint16_t* lane = out.bf16 + at;
#pragma unroll
    for (int c = 0; c < A::size; ++c)
      lane[c * block_lanes] = __bfloat16_as_ushort(__float2bfloat16_rn(e.c[c]));
  } else {
    float* lane = out.fp32 + at;
#pragma unroll
    for (int c = 0; c < A::size; ++c) lane[c * block_lanes] = e.c[c];
  }
}

template <class A>
__device__ inline void add_lane(const Element<float, A>& e, float* lane) {
#pragma unroll
  for (int c = 0; c < A::size; ++c) lane[c * block_lanes] += e.c[c];
}
template <class A>
__device__ inline void add_lane(const Element<float, A>& e, const RowsOut& out, std::size_t at) {
  if (out.bf16 == nullptr) {
    add_lane(e, out.fp32 + at);
    return;
  }
  Element<float, A> sum;
#pragma unroll
  for (int c = 0; c < A::size; ++c)
    sum.c[c] = e.c[c] + __bfloat162float(__ushort_as_bfloat16(out.bf16[at + c * block_lanes]));
  store_lane(sum, out, at);
}

// Calls f with each row's index as a type, since a device sees no array but in constants.
template <class M, class F>
__device__ inline void for_each_row(const F& f) {
  [&]<std::size_t... R>(std::index_sequence<R...>) {
    (f(std::integral_constant<std::size_t, R>{}), ...);
  }
  (std::make_index_sequence<row_count<M>>{});
}

template <class M, std::size_t R>
inline constexpr RowOf row_of = M::rows[R].of;

// Rows that the examples of a run share; see RowJob.
template <class M, std::size_t R>
inline constexpr bool of_run =
    is_candidate<M> ? row_of<M, R> != RowOf::entity : row_of<M, R> == RowOf::relation;

// The rows of a formula on one lane.
template <class M>
struct LaneRows {
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;

  const RowJob& job;
  int lane;
  E x[row_count<M>];

  __device__ int at() const { return lane_at<A>(lane); }
  __device__ int query_at() const { return lane_at<QueryAlgebra<M>>(lane); }

  // `entity` is the subject, or the answer in its place.
  template <std::size_t R>
  __device__ E row(const Example& example, std::int32_t entity) const {
    const RowOrigin& source = job.sources[R];
    const std::int32_t id = id_for(example, row_of<M, R>, entity, job.row_times);
    return load_lane<A>(source.data + static_cast<std::size_t>(id) * source.stride + at());
  }
  __device__ void load_run(const Example& example) {
    for_each_row<M>([&](auto r) {
      if constexpr (of_run<M, r>) x[r] = row<r>(example, example.query.subject);
    });
  }
  // All rows that change from example to example.
  __device__ void load_example(const Example& example) {
    for_each_row<M>([&](auto r) {
      if constexpr (!of_run<M, r>) x[r] = row<r>(example, example.query.subject);
    });
  }
  __device__ void load(const Example& example) {
    load_run(example);
    load_example(example);
  }
  __device__ void load_answer(const Example& example, E* answer) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::entity) answer[r] = row<r>(example, example.object);
    });
  }
};

__device__ inline std::uint64_t drop_key_of(const RowJob& job, std::int32_t example) {
  return random_bits(job.drop_key, static_cast<std::uint64_t>(example));
}
__device__ inline FactorRule<float> factor_rule(const RowJob& job, std::int32_t time,
                                                std::uint64_t drop_key) {
  return {job.penalty_weight,
          job.norm,
          job.drop_rate,
          job.drop_lanes,
          drop_key,
          job.lanes,
          job.clock + time * clock_readings};
}

// A block's examples, fetched once so that its loop need not wait for them one by one.
class Window {
 public:
  // Needs a barrier before the window is read.
  __device__ void fetch(const RowJob& job, int window) {
    const int first = window * window_examples;
    const int own = static_cast<int>(threadIdx.x);
    if (own == 0) size_ = min(window_examples, job.count - first);
    if (own >= window_examples || first + own >= job.count) return;
    index_[own] = job.order != nullptr ? job.order[first + own] : first + own;
    const Example e = job.examples[index_[own]];
    ids_[own] = {e.query.subject, e.query.relation, e.query.time, e.object};
    drop_keys_[own] = drop_key_of(job, index_[own]);
  }

  __device__ int size() const { return size_; }
  __device__ std::int32_t index(int k) const { return index_[k]; }  // in the batch
  __device__ std::uint64_t drop_key(int k) const { return drop_keys_[k]; }
  __device__ Example example(int k) const { return {{ids_[k].x, ids_[k].y, ids_[k].z}, ids_[k].w}; }

 private:
  int size_;
  std::int32_t index_[window_examples];
  int4 ids_[window_examples];
  std::uint64_t drop_keys_[window_examples];
};

}  // namespace orrery::cuda
