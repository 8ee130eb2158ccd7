// The pull between neighbouring times.
#pragma once

#include <array>

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

// Where rows are penalised one by one, all models of an algebra share this one's kernel.
template <class A>
struct LoneTimeline {
  using Algebra = A;
  static constexpr std::array rows = {RowSpec{"time", RowOf::time}};
};

// One lane on its way along the times.
template <class M>
struct LaneOfTimes {
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;

  const SmoothJob& job;
  const SmoothTable* tables;  // by row
  std::size_t at;             // of the lane in a row
  E here[row_count<M>];

  template <std::size_t R>
  static constexpr bool takes_part = is_timed<M, R> || row_of<M, R> == RowOf::shared;

  template <std::size_t R>
  __device__ E row(std::int32_t id) const {
    return load_lane<A>(tables[R].values + static_cast<std::size_t>(id) * job.stride + at);
  }
  // Whether the row takes the step from `time` to the next.
  template <std::size_t R>
  __device__ bool takes_step(std::int32_t time) const {
    if (tables[R].values == nullptr) return false;
    return row_of<M, R> == RowOf::shared || time + 1 < tables[R].rows;
  }

  __device__ void begin(std::int32_t time) {
    for_each_row<M>([&](auto r) {
      here[r] = zero_element<float, A>();
      if constexpr (takes_part<r>) {
        if (row_of<M, r> == RowOf::shared && tables[r].values != nullptr)
          here[r] = row<r>(0);
        else if (time < tables[r].rows && tables[r].values != nullptr)
          here[r] = row<r>(time);
      }
    });
  }
  // Goes from `time` to the next; writes the gradients by the step and returns its penalty.
  __device__ float step(std::int32_t time, E* gradients) {
    E steps[row_count<M>];
    for_each_row<M>([&](auto r) {
      steps[r] = gradients[r] = zero_element<float, A>();
      if constexpr (takes_part<r>) {
        if (!takes_step<r>(time)) return;
        if constexpr (row_of<M, r> == RowOf::shared) {
          steps[r] = here[r];
        } else {
          const E next = row<r>(time + 1);
          steps[r] = subtract(next, here[r]);
          here[r] = next;
        }
      }
    });
    const float value = timeline_back<M, float>(steps, job.weight, job.norm, gradients);
    for_each_row<M>([&](auto r) {
      if constexpr (takes_part<r>)
        if (!takes_step<r>(time)) gradients[r] = zero_element<float, A>();
    });
    return value;
  }
};

// A block takes some times and a part of the lanes.
template <class M>
__global__ void __launch_bounds__(slice_lanes) smooth_kernel(SmoothJob job) {
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;
  const SmoothTable* tables = job.tables + blockIdx.z;
  const std::int32_t times = job.joint ? job.times : tables->rows;
  const std::int32_t first = static_cast<std::int32_t>(blockIdx.x) * smooth_times;
  const int lane = static_cast<int>(blockIdx.y * slice_lanes + threadIdx.x);
  float value[1] = {0};
  if (lane < job.lanes) {
    LaneOfTimes<M> times_lane{job, tables, static_cast<std::size_t>(lane_at<A>(lane))};
    E before[row_count<M>], after[row_count<M>], shared[row_count<M>];
    for_each_row<M>([&](auto r) { before[r] = shared[r] = zero_element<float, A>(); });
    times_lane.begin(first > 0 ? first - 1 : 0);
    if (first > 0 && first < times) times_lane.step(first - 1, before);
    for (std::int32_t time = first; time < min(first + smooth_times, times); ++time) {
      for_each_row<M>([&](auto r) { after[r] = zero_element<float, A>(); });
      if (time + 1 < times) value[0] += times_lane.step(time, after);
      for_each_row<M>([&](auto r) {
        const SmoothTable& table = tables[r];
        if constexpr (is_timed<M, r>)
          if (table.values != nullptr && time < table.rows)
            store_lane(subtract(before[r], after[r]), {table.gradient, nullptr},
                       static_cast<std::size_t>(time) * job.stride + times_lane.at);
        if constexpr (row_of<M, r> == RowOf::shared) shared[r] = add(shared[r], after[r]);
        before[r] = after[r];
      });
    }
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::shared)
        if (tables[r].values != nullptr)
          store_lane(shared[r], {tables[r].partial, nullptr},
                     blockIdx.x * job.stride + times_lane.at);
    });
  }
  block_sum(value);
  if (threadIdx.x == 0)
    job.values[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = value[0];
}

template <class M>
void launch_smooth(const SmoothJob& job, cudaStream_t stream) {
  if (job.table_count == 0) return;
  const dim3 grid(static_cast<unsigned>(job.chunks()), static_cast<unsigned>(job.slices()),
                  static_cast<unsigned>(job.layers()));
  if constexpr (has_timeline<M>)
    smooth_kernel<M><<<grid, slice_lanes, 0, stream>>>(job);
  else
    smooth_kernel<LoneTimeline<typename M::Algebra>><<<grid, slice_lanes, 0, stream>>>(job);
  check_launch("smoothing times");
}

}  // namespace orrery::cuda
