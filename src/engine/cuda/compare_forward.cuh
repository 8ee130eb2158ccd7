// Scores of tiles of queries and candidates. A thread holds the sums of a few pairs of rows in
// registers; a few lanes at a time pass through shared memory, transposed so that rows lie side by
// side, while the next ones are on their way.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>

#include "engine/cuda/compare_kernels.h"
#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

inline constexpr int chunk_lanes = 8;

// How a block's pairs are shared out. Where candidates depend on time, queries come in small runs.
template <class Q, class C, bool Narrow>
struct CompareTile {
  static constexpr int queries_a_thread = Narrow || Q::size + C::size > 4 ? 4 : 8;
  static constexpr int candidates_a_thread = Narrow ? 4 : 8;
  static constexpr int query_threads = Narrow ? 4 : 16;
  static constexpr int candidate_threads = Narrow ? 32 : 16;
  static constexpr int threads = query_threads * candidate_threads;
  static constexpr int queries = queries_a_thread * query_threads;
  static constexpr int candidates = candidates_a_thread * candidate_threads;
};

// A chunk of the lanes of `Rows` rows. Groups of four rows change places from lane to lane, so that
// neither writing lanes nor reading rows meets a bank twice.
template <class A, int Rows, int Threads>
struct LaneChunk {
  float values[chunk_lanes][A::size][Rows];

  __device__ static int place(int lane, int row) {
    constexpr int groups = std::min(Rows / 4, 8);
    return 4 * (row / 4 ^ lane % groups) + row % 4;
  }

  // Orders the copies; rows past the last are copies of it.
  __device__ void order(const float* rows, std::size_t stride, int first_row, int row_count,
                        int first_lane) {
    const float* block =
        rows + first_lane / block_lanes * (A::size * block_lanes) + first_lane % block_lanes;
    constexpr int rows_at_once = Threads / chunk_lanes;
    const int lane = static_cast<int>(threadIdx.x) % chunk_lanes;
#pragma unroll
    for (int r = 0; r < Rows; r += rows_at_once) {
      const int row = r + static_cast<int>(threadIdx.x) / chunk_lanes;
      if (row >= Rows) break;
      const float* from =
          block + static_cast<std::size_t>(min(first_row + row, row_count - 1)) * stride + lane;
#pragma unroll
      for (int c = 0; c < A::size; ++c)
        __pipeline_memcpy_async(&values[lane][c][place(lane, row)], from + c * block_lanes,
                                sizeof(float));
    }
  }

  // The lane of four neighbouring rows.
  __device__ void read(int lane, int row, Element<float, A>* to) const {
#pragma unroll
    for (int c = 0; c < A::size; ++c) {
      const float4 four = *reinterpret_cast<const float4*>(&values[lane][c][place(lane, row)]);
      to[0].c[c] = four.x;
      to[1].c[c] = four.y;
      to[2].c[c] = four.z;
      to[3].c[c] = four.w;
    }
  }
};

// A thread's rows are groups of four, one group from each `4 · threads` rows of the tile.
template <int Threads>
__device__ inline int row_in_tile(int k, int thread) {
  return k / 4 * (4 * Threads) + 4 * thread + k % 4;
}

template <class Compare, class Q, class C, bool Narrow>
__global__ void __launch_bounds__(CompareTile<Q, C, Narrow>::threads, 2)
    compare_kernel(CompareJob job) {
  using Tile = CompareTile<Q, C, Narrow>;
  constexpr int own_queries = Tile::queries_a_thread, own_candidates = Tile::candidates_a_thread;
  struct Stage {
    LaneChunk<Q, Tile::queries, Tile::threads> queries;
    LaneChunk<C, Tile::candidates, Tile::threads> candidates;
  };
  __shared__ __align__(16) Stage stages[2];
  const int first_query = static_cast<int>(blockIdx.y) * Tile::queries;
  const int first_candidate = static_cast<int>(blockIdx.x) * Tile::candidates;
  const int query_thread = static_cast<int>(threadIdx.x) / Tile::candidate_threads;
  const int candidate_thread = static_cast<int>(threadIdx.x) % Tile::candidate_threads;

  const auto order = [&](int chunk) {
    if (chunk * chunk_lanes < job.lanes) {
      Stage& stage = stages[chunk % 2];
      stage.queries.order(job.queries, job.query_stride, first_query, job.query_count,
                          chunk * chunk_lanes);
      stage.candidates.order(job.candidates, job.candidate_stride, first_candidate,
                             job.candidate_count, chunk * chunk_lanes);
    }
    __pipeline_commit();
  };

  float sums[own_queries][own_candidates] = {};
  order(0);
  for (int chunk = 0; chunk * chunk_lanes < job.lanes; ++chunk) {
    order(chunk + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const Stage& stage = stages[chunk % 2];
    const int lanes = min(chunk_lanes, job.lanes - chunk * chunk_lanes);
#pragma unroll 2
    for (int lane = 0; lane < lanes; ++lane) {
      Element<float, Q> q[own_queries], to_query;
      Element<float, C> c[own_candidates], to_candidate;
#pragma unroll
      for (int k = 0; k < own_queries; k += 4)
        stage.queries.read(lane, row_in_tile<Tile::query_threads>(k, query_thread), q + k);
#pragma unroll
      for (int k = 0; k < own_candidates; k += 4)
        stage.candidates.read(lane, row_in_tile<Tile::candidate_threads>(k, candidate_thread),
                              c + k);
#pragma unroll
      for (int i = 0; i < own_queries; ++i)
#pragma unroll
        for (int j = 0; j < own_candidates; ++j)
          sums[i][j] += Compare::compare(Leaf<Element<float, Q>>{q[i], &to_query},
                                         Leaf<Element<float, C>>{c[j], &to_candidate})
                            .v;
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < own_queries; ++i) {
    const int query = first_query + row_in_tile<Tile::query_threads>(i, query_thread);
    if (query >= job.query_count) continue;
    const auto row =
        static_cast<std::size_t>(job.score_rows != nullptr ? job.score_rows[query] : query);
#pragma unroll
    for (int j = 0; j < own_candidates; j += 4) {
      const int candidate =
          first_candidate + row_in_tile<Tile::candidate_threads>(j, candidate_thread);
      if (candidate >= job.candidate_count) continue;
      auto* to = reinterpret_cast<float4*>(job.scores + row * job.score_stride + candidate);
      const auto score = [&](int k) {
        return Compare::rooted ? -square_root(sums[i][j + k]) : sums[i][j + k];
      };
      float4 four = {score(0), score(1), score(2), score(3)};
      if (job.add) {
        const float4 there = *to;
        four = {there.x + four.x, there.y + four.y, there.z + four.z, there.w + four.w};
      }
      *to = four;
    }
  }
}

template <class Compare, class Q, class C, bool Narrow>
void launch_compare(const CompareJob& job, cudaStream_t stream) {
  using Tile = CompareTile<Q, C, Narrow>;
  if (job.query_count == 0) return;
  const auto tiles = [](int count, int size) {
    return static_cast<unsigned>((count + size - 1) / size);
  };
  const dim3 grid(tiles(job.candidate_count, Tile::candidates),
                  tiles(job.query_count, Tile::queries));
  compare_kernel<Compare, Q, C, Narrow><<<grid, Tile::threads, 0, stream>>>(job);
  check_launch("comparing rows");
}

}  // namespace orrery::cuda
