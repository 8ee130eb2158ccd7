// Rows on their way into shared memory: while a block works on one example, the copy engine brings
// the rows of the next.
#pragma once

#include <cuda/ptx>

#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

// Places of rows in shared memory. Twice: the formula's rows that are no relation's, and the
// answer's entity row. Once, for a sweep: the query's gradient, and the run's relation rows, which
// a thread puts there for itself, since its registers do not suffice.
template <class M>
struct StageSlots {
  static constexpr int count_before(std::size_t row, bool relation) {
    int count = 0;
    for (std::size_t r = 0; r < row; ++r) count += (M::rows[r].of == RowOf::relation) == relation;
    return count;
  }
  template <std::size_t R>
  static constexpr int of_row = count_before(R, M::rows[R].of == RowOf::relation);
  static constexpr int answer = count_before(row_count<M>, false);
  static constexpr int of_example = answer + 1;
  static constexpr int relations = count_before(row_count<M>, true);
  static constexpr int forward = 2 * of_example;
  static constexpr int backward = forward + 1 + relations;
};

// Thread 0 orders copies; everybody waits for them. `memory` is dynamic shared memory.
template <class M>
class RowStage {
 public:
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;
  using Slots = StageSlots<M>;
  static constexpr int barriers = 3;  // of even examples, odd ones, and the query's gradient

  // Needs a barrier before anybody waits.
  __device__ RowStage(const RowJob& job, float* memory, std::uint64_t* arrived)
      : job_(job), memory_(memory), arrived_(arrived) {
    if (threadIdx.x != 0) return;
    for (int b = 0; b < barriers; ++b) ::cuda::ptx::mbarrier_init(arrived_ + b, 1);
    ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
  }

  // All threads must be done with example k − 2.
  __device__ void order_example(int k, const Example& example) {
    if (threadIdx.x != 0) return;
    const std::uint32_t rows = job_.answers ? Slots::of_example : Slots::answer;
    expect(k % 2, rows);
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> != RowOf::relation)
        copy(k % 2, example_slot(k, Slots::template of_row<r>),
             row_at(r, row_of<M, r> == RowOf::entity ? example.query.subject : example.query.time));
    });
    if (job_.answers) copy(k % 2, example_slot(k, Slots::answer), row_at(0, example.object));
  }
  // All threads must be done with the gradient before.
  __device__ void order_gradient(std::int32_t index) {
    if (threadIdx.x != 0) return;
    expect(2, 1);
    copy(2, Slots::forward, job_.query_gradients + static_cast<std::size_t>(index) * job_.stride);
  }

  __device__ void wait_example(int k) { wait(k % 2, k / 2); }
  __device__ void wait_gradient(int k) { wait(2, k); }

  // A lane of what has arrived: of a row that is no relation's, or of the answer.
  __device__ E lane(int k, int slot, int at) const { return lane_of(example_slot(k, slot), at); }
  __device__ E gradient(int at) const { return lane_of(Slots::forward, at); }

  template <std::size_t R>
  __device__ void keep_relation(const E& e, int at) {
    float* row = slot(Slots::forward + 1 + Slots::template of_row<R>) + at;
#pragma unroll
    for (int c = 0; c < A::size; ++c) row[c * block_lanes] = e.c[c];
  }
  template <std::size_t R>
  __device__ E relation(int at) const {
    return lane_of(Slots::forward + 1 + Slots::template of_row<R>, at);
  }

 private:
  __device__ static int example_slot(int k, int slot) { return k % 2 * Slots::of_example + slot; }
  __device__ float* slot(int index) const {
    return memory_ + static_cast<std::size_t>(index) * job_.stride;
  }
  __device__ const float* row_at(std::size_t r, std::int32_t id) const {
    return job_.sources[r].data + static_cast<std::size_t>(id) * job_.sources[r].stride;
  }
  __device__ std::uint32_t row_bytes() const {
    return static_cast<std::uint32_t>(job_.stride * sizeof(float));
  }
  __device__ void expect(int barrier, std::uint32_t rows) {
    ::cuda::ptx::mbarrier_arrive_expect_tx(::cuda::ptx::sem_release, ::cuda::ptx::scope_cta,
                                           ::cuda::ptx::space_shared, arrived_ + barrier,
                                           rows * row_bytes());
  }
  __device__ void copy(int barrier, int to, const float* row) {
    ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_cluster, ::cuda::ptx::space_global, slot(to), row,
                               row_bytes(), arrived_ + barrier);
  }
  __device__ void wait(int barrier, int use) {
    while (!::cuda::ptx::mbarrier_try_wait_parity(arrived_ + barrier,
                                                  static_cast<std::uint32_t>(use % 2))) {
    }
  }
  __device__ E lane_of(int index, int at) const {
    const float* row = slot(index) + at;
    E e;
#pragma unroll
    for (int c = 0; c < A::size; ++c) e.c[c] = row[c * block_lanes];
    return e;
  }

  const RowJob& job_;
  float* memory_;
  std::uint64_t* arrived_;
};

inline std::size_t stage_bytes(const RowJob& job, int slots) {
  return static_cast<std::size_t>(slots) * job.stride * sizeof(float);
}

}  // namespace orrery::cuda
