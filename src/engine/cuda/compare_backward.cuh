// The way back from scores to one side's rows: to queries from all candidates, or to candidates
// from all queries. A thread holds a few lanes of its own side, rows and gradients, in registers,
// and the other side's rows pass by through shared memory with the pairs' gradients.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <type_traits>

#include "engine/cuda/compare_kernels.h"
#include "engine/cuda/device.h"
#include "engine/cuda/flat_kernels.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

template <class Q, class C, bool ToQueries, bool Narrow>
struct BackTile {
  using Own = std::conditional_t<ToQueries, Q, C>;
  using Other = std::conditional_t<ToQueries, C, Q>;
  static constexpr int rows_a_thread = Own::size <= 4 ? 8 : 4;
  static constexpr int lanes_a_thread = Own::size <= 2 && Own::size + Other::size <= 4 ? 2 : 1;
  static constexpr int warps = ToQueries && Narrow ? 2 : 8;
  static constexpr int threads = 32 * warps;
  static constexpr int own_rows = rows_a_thread * warps;
  static constexpr int lanes = block_lanes * lanes_a_thread;
  static constexpr int other_rows = Other::size * lanes_a_thread <= 2 ? 32 : 16;  // at a time
  static constexpr int other_floats = Other::size * lanes;                        // of a row
  static constexpr int own_floats = own_rows * Own::size * lanes;
  static constexpr int wanted_blocks = warps == 2 ? 1000 : 400;  // that fill a GPU
};

// What the kernel needs to know of both sides.
struct CompareBackJob {
  const float* own = nullptr;
  const float* others = nullptr;
  std::int32_t own_count = 0, other_count = 0;
  std::int32_t part_others = 0;  // that a block takes, a multiple of what it takes at a time
  std::size_t own_stride = 0, other_stride = 0;
  const float* pairs = nullptr;  // dL/dsum of a query (a row) and a candidate
  std::size_t pair_stride = 0;
  int lanes = 0;
  float* gradients = nullptr;  // of all own rows, part by part
  bool add = false;
};

template <class Tile, bool ToQueries>
struct BackStage {
  static constexpr int pair_row = Tile::own_rows + (ToQueries ? 4 : 0);  // spares the banks
  float others[Tile::other_rows][Tile::other_floats];
  float pairs[Tile::other_rows][pair_row];

  // Orders the copies of the other side's rows from `first` on.
  __device__ void order(const CompareBackJob& job, int first, int count, int first_own,
                        int first_lane) {
    const int thread = static_cast<int>(threadIdx.x);
    const std::size_t begin = static_cast<std::size_t>(first_lane) * Tile::Other::size;
    constexpr int quads = Tile::other_floats / 4;
#pragma unroll
    for (int i = thread; i < Tile::other_rows * quads; i += Tile::threads) {
      const int row = i / quads, at = i % quads * 4;
      if (row < count && begin + at < job.other_stride)
        __pipeline_memcpy_async(
            &others[row][at],
            job.others + static_cast<std::size_t>(first + row) * job.other_stride + begin + at,
            sizeof(float4));
    }
    if constexpr (ToQueries) {
#pragma unroll
      for (int i = thread; i < Tile::own_rows * Tile::other_rows; i += Tile::threads) {
        const int row = i % Tile::other_rows, own = i / Tile::other_rows;
        if (row < count && first_own + own < job.own_count)
          __pipeline_memcpy_async(
              &pairs[row][own],
              job.pairs + static_cast<std::size_t>(first_own + own) * job.pair_stride + first + row,
              sizeof(float));
      }
    } else {
      constexpr int own_quads = Tile::own_rows / 4;
#pragma unroll
      for (int i = thread; i < Tile::other_rows * own_quads; i += Tile::threads) {
        const int row = i / own_quads, own = i % own_quads * 4;
        if (row < count && first_own + own < job.own_count)
          __pipeline_memcpy_async(
              &pairs[row][own],
              job.pairs + static_cast<std::size_t>(first + row) * job.pair_stride + first_own + own,
              sizeof(float4));
      }
    }
  }
};

template <class Compare, class Q, class C, bool ToQueries, bool Narrow>
__global__ void __launch_bounds__(BackTile<Q, C, ToQueries, Narrow>::threads, 2)
    compare_back_kernel(CompareBackJob job) {
  using Tile = BackTile<Q, C, ToQueries, Narrow>;
  using Own = Element<float, typename Tile::Own>;
  using Other = Element<float, typename Tile::Other>;
  constexpr int rows = Tile::rows_a_thread, lanes = Tile::lanes_a_thread;
  __shared__ __align__(16) BackStage<Tile, ToQueries> stages[2];
  const int first_own = static_cast<int>(blockIdx.x) * Tile::own_rows;
  const int first_lane = static_cast<int>(blockIdx.y) * Tile::lanes;
  const int begin = static_cast<int>(blockIdx.z) * job.part_others;
  const int count = min(job.part_others, job.other_count - begin);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int own_row = first_own + warp * rows;
  // Of the thread's k-th lane in a row; lanes past the last are not loaded, and written as zeros
  // where the row has room for them.
  const auto lane_of = [&](int k) { return first_lane + k * block_lanes + lane; };
  const auto in_row = [&](int k) {
    return static_cast<std::size_t>(lane_at<typename Tile::Own>(lane_of(k)));
  };

  Own own[rows][lanes], g[rows][lanes];
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int k = 0; k < lanes; ++k) {
      own[r][k] = g[r][k] = zero_element<float, typename Tile::Own>();
      const int row = min(own_row + r, job.own_count - 1);
      if (lane_of(k) < job.lanes)
        own[r][k] = load_lane<typename Tile::Own>(
            job.own + static_cast<std::size_t>(row) * job.own_stride + in_row(k));
    }

  const auto order = [&](int chunk) {
    const int first = chunk * Tile::other_rows;
    if (first < count)
      stages[chunk % 2].order(job, begin + first, min(Tile::other_rows, count - first), first_own,
                              first_lane);
    __pipeline_commit();
  };
  order(0);
  for (int chunk = 0; chunk * Tile::other_rows < count; ++chunk) {
    order(chunk + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const auto& stage = stages[chunk % 2];
    const int here = min(Tile::other_rows, count - chunk * Tile::other_rows);
#pragma unroll 2
    for (int o = 0; o < here; ++o) {
      float pair[rows];
#pragma unroll
      for (int r = 0; r < rows; r += 4) {
        const auto four = *reinterpret_cast<const float4*>(&stage.pairs[o][warp * rows + r]);
        pair[r] = four.x;
        pair[r + 1] = four.y;
        pair[r + 2] = four.z;
        pair[r + 3] = four.w;
      }
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        Other other, unused;
#pragma unroll
        for (int c = 0; c < Other::size; ++c)
          other.c[c] = stage.others[o][(k * Other::size + c) * block_lanes + lane];
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          const Leaf<Own> own_leaf{own[r][k], &g[r][k]};
          const Leaf<Other> other_leaf{other, &unused};
          if constexpr (ToQueries)
            Compare::compare(own_leaf, other_leaf).back(pair[r]);
          else
            Compare::compare(other_leaf, own_leaf).back(pair[r]);
        }
      }
    }
    __syncthreads();
  }

  float* to = job.gradients + static_cast<std::size_t>(blockIdx.z) *
                                  static_cast<std::size_t>(job.own_count) * job.own_stride;
#pragma unroll
  for (int r = 0; r < rows; ++r)
#pragma unroll
    for (int k = 0; k < lanes; ++k) {
      if (own_row + r >= job.own_count || lane_of(k) / block_lanes * block_lanes >= job.lanes)
        continue;
      if (lane_of(k) >= job.lanes) g[r][k] = zero_element<float, typename Tile::Own>();
      float* row = to + static_cast<std::size_t>(own_row + r) * job.own_stride + in_row(k);
      if (job.add)
        add_lane(g[r][k], row);
      else
        store_lane(g[r][k], {row, nullptr}, 0);
    }
}

// Where own rows alone do not fill the GPU, the others are shared out, and the parts' sums added in
// their order.
template <class Compare, class Q, class C, bool ToQueries, bool Narrow>
void launch_compare_back(const CompareJob& job, cudaStream_t stream) {
  using Tile = BackTile<Q, C, ToQueries, Narrow>;
  CompareBackJob back;
  back.own = ToQueries ? job.queries : job.candidates;
  back.others = ToQueries ? job.candidates : job.queries;
  back.own_count = ToQueries ? job.query_count : job.candidate_count;
  back.other_count = ToQueries ? job.candidate_count : job.query_count;
  back.own_stride = ToQueries ? job.query_stride : job.candidate_stride;
  back.other_stride = ToQueries ? job.candidate_stride : job.query_stride;
  back.pairs = job.scores;
  back.pair_stride = job.score_stride;
  back.lanes = job.lanes;
  const auto parts_of = [](int count, int size) { return (count + size - 1) / size; };
  const int tiles = parts_of(back.own_count, Tile::own_rows);
  const int slices = parts_of(job.lanes, Tile::lanes);
  const std::size_t row_floats = static_cast<std::size_t>(back.own_count) * back.own_stride;
  const int most_parts = std::min(parts_of(back.other_count, 2 * Tile::other_rows),
                                  static_cast<int>(job.space_floats / row_floats));
  const int wanted_parts =
      std::clamp(Tile::wanted_blocks / (tiles * slices), 1, std::max(1, most_parts));
  back.part_others =
      parts_of(parts_of(back.other_count, wanted_parts), Tile::other_rows) * Tile::other_rows;
  const int parts = parts_of(back.other_count, back.part_others);
  back.gradients = parts > 1 ? job.space : job.gradients;
  back.add = parts == 1 && job.add;
  const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(slices),
                  static_cast<unsigned>(parts));
  compare_back_kernel<Compare, Q, C, ToQueries, Narrow><<<grid, Tile::threads, 0, stream>>>(back);
  check_launch("comparing rows back");
  if (parts > 1) sum_rows({job.space, parts, row_floats, job.gradients, job.add}, stream);
}

}  // namespace orrery::cuda
