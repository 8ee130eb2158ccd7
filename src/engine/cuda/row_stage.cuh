// Rows on their way into shared memory: while a block works on one example, the copy engine brings
// the rows of the next.
#pragma once

#include <cuda/ptx>

#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

// Rows on stage in a sweep with votes, in the order of their places in shared memory:
// - kept: rows of the formula that votes read, and the answer's entity rows. There is room for two
//   examples, since they are read until the example's end.
// - passing: the formula's other rows. They are read in the first half of the work on an example
//   only, and there is room for one.
// - the run's relation rows, which a thread puts there for itself: its registers do not suffice.
// - the query's gradient, passing too, whose length is another.
template <class M>
struct StageSlots {
  enum class Kind { kept, passing, relation };
  static constexpr RowsUsed<M> used = rows_used<M>(std::make_index_sequence<row_count<M>>{});
  static constexpr Kind kind(std::size_t row) {
    if (M::rows[row].of == RowOf::relation) return Kind::relation;
    return used.by_votes[row] ? Kind::kept : Kind::passing;
  }
  static constexpr int count_before(std::size_t row, Kind wanted) {
    int count = 0;
    for (std::size_t r = 0; r < row; ++r) count += kind(r) == wanted;
    return count;
  }
  template <std::size_t R>
  static constexpr Kind kind_of = kind(R);
  template <std::size_t R>
  static constexpr int of_row = count_before(R, kind(R));  // among its kind
  static constexpr int answer = count_before(row_count<M>, Kind::kept);
  static constexpr int kept = answer + static_cast<int>(entity_row_count<M>);
  static constexpr int first_passing = 2 * kept;
  static constexpr int first_relation = first_passing + count_before(row_count<M>, Kind::passing);
  static constexpr int gradient = first_relation + count_before(row_count<M>, Kind::relation);
};

// Thread 0 orders copies; everybody waits for them. `memory` is dynamic shared memory.
template <class M>
class RowStage {
 public:
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;
  using Slots = StageSlots<M>;
  using Kind = typename Slots::Kind;
  static constexpr int barriers = 3;  // of kept rows: even examples, odd ones; of passing rows

  // Needs a barrier before anybody waits.
  __device__ RowStage(const RowJob& job, float* memory, std::uint64_t* arrived)
      : job_(job), memory_(memory), arrived_(arrived) {
    if (threadIdx.x != 0) return;
    for (int b = 0; b < barriers; ++b) ::cuda::ptx::mbarrier_init(arrived_ + b, 1);
    ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
  }

  // All threads must be done with example k − 2.
  __device__ void order_kept(int k, const Example& example) {
    if (threadIdx.x != 0) return;
    expect(k % 2, (job_.answers ? Slots::kept : Slots::answer) * row_bytes());
    for_each_row<M>([&](auto r) {
      if constexpr (Slots::template kind_of<r> == Kind::kept)
        copy(k % 2, kept_slot(k, Slots::template of_row<r>),
             row_at<r>(example.query, example.query.subject), row_bytes());
      if constexpr (row_of<M, r> == RowOf::entity)
        if (job_.answers)
          copy(k % 2, kept_slot(k, Slots::answer + static_cast<int>(r.value)),
               row_at<r>(example.query, example.object), row_bytes());
    });
  }
  // All threads must be done with the passing rows of the example before.
  __device__ void order_passing(std::int32_t index, const Query& query) {
    if (threadIdx.x != 0) return;
    const auto query_bytes = static_cast<std::uint32_t>(job_.query_stride * sizeof(float));
    expect(2, (Slots::first_relation - Slots::first_passing) * row_bytes() + query_bytes);
    for_each_row<M>([&](auto r) {
      if constexpr (Slots::template kind_of<r> == Kind::passing)
        copy(2, Slots::first_passing + Slots::template of_row<r>, row_at<r>(query, query.subject),
             row_bytes());
    });
    copy(2, Slots::gradient,
         job_.query_gradients + static_cast<std::size_t>(index) * job_.query_stride, query_bytes);
  }

  __device__ void wait_for(int k) {
    wait(k % 2, k / 2);
    wait(2, k);
  }

  template <std::size_t R>
  __device__ E lane(int k, int at) const {
    constexpr int slot = Slots::template of_row<R>;
    if constexpr (Slots::template kind_of<R> == Kind::kept)
      return lane_of<A>(kept_slot(k, slot), at);
    else if constexpr (Slots::template kind_of<R> == Kind::passing)
      return lane_of<A>(Slots::first_passing + slot, at);
    else
      return lane_of<A>(Slots::first_relation + slot, at);
  }
  // Of one of its entity rows.
  __device__ E answer(int k, int row, int at) const {
    return lane_of<A>(kept_slot(k, Slots::answer + row), at);
  }
  __device__ QueryElement<M, float> gradient(int at) const {
    return lane_of<QueryAlgebra<M>>(Slots::gradient, at);
  }

  template <std::size_t R>
  __device__ void keep_relation(const E& e, int at) {
    float* row = slot(Slots::first_relation + Slots::template of_row<R>) + at;
#pragma unroll
    for (int c = 0; c < A::size; ++c) row[c * block_lanes] = e.c[c];
  }

 private:
  __device__ static int kept_slot(int k, int slot) { return k % 2 * Slots::kept + slot; }
  __device__ float* slot(int index) const {
    return memory_ + static_cast<std::size_t>(index) * job_.stride;
  }
  template <std::size_t R>
  __device__ const float* row_at(const Query& query, std::int32_t entity) const {
    const std::int32_t id = id_in(query, row_of<M, R>, entity, job_.row_times);
    return job_.sources[R].data + static_cast<std::size_t>(id) * job_.sources[R].stride;
  }
  __device__ std::uint32_t row_bytes() const {
    return static_cast<std::uint32_t>(job_.stride * sizeof(float));
  }
  __device__ void expect(int barrier, std::uint32_t bytes) {
    ::cuda::ptx::mbarrier_arrive_expect_tx(::cuda::ptx::sem_release, ::cuda::ptx::scope_cta,
                                           ::cuda::ptx::space_shared, arrived_ + barrier, bytes);
  }
  __device__ void copy(int barrier, int to, const float* row, std::uint32_t bytes) {
    ::cuda::ptx::cp_async_bulk(::cuda::ptx::space_cluster, ::cuda::ptx::space_global, slot(to), row,
                               bytes, arrived_ + barrier);
  }
  __device__ void wait(int barrier, int use) {
    while (!::cuda::ptx::mbarrier_try_wait_parity(arrived_ + barrier,
                                                  static_cast<std::uint32_t>(use % 2))) {
    }
  }
  template <class B>
  __device__ Element<float, B> lane_of(int index, int at) const {
    const float* row = slot(index) + at;
    Element<float, B> e;
#pragma unroll
    for (int c = 0; c < B::size; ++c) e.c[c] = row[c * block_lanes];
    return e;
  }

  const RowJob& job_;
  float* memory_;
  std::uint64_t* arrived_;
};

// The block that such a sweep takes: a thread a lane; 0 threads where that is impossible, which it
// is, too, where the kernel was built for a device without a copy engine.
template <class M>
struct StagedBlock {
  unsigned threads = 0;
  std::size_t bytes = 0;

  template <class Kernel>
  StagedBlock(Kernel* kernel, const RowJob& job) {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "asking for shared memory");
    bytes = (StageSlots<M>::gradient * job.stride + job.query_stride) * sizeof(float);
    if (attributes.ptxVersion >= 90 && job.lanes <= most_staged_lanes &&
        bytes + attributes.sharedSizeBytes <= job.shared_memory)
      threads = static_cast<unsigned>((job.lanes + 31) / 32 * 32);
  }
};

}  // namespace orrery::cuda
