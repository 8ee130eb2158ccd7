// Queries from a formula.
#pragma once

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

template <class M>
__device__ inline void store_query(const RowJob& job, std::int32_t i, LaneOf<M, float>& lane,
                                   LaneRows<M>& rows) {
  const auto row = static_cast<std::size_t>(job.query_rows != nullptr ? job.query_rows[i] : i);
  const std::size_t at = row * job.query_stride + static_cast<std::size_t>(rows.query_at());
  lane.move_to(static_cast<std::uint32_t>(rows.lane));
  auto query = query_value<M, float>(lane, rows.x);
  if (job.add_to_queries)
    for (int c = 0; c < query.size; ++c) query.c[c] += job.queries.fp32[at + c * block_lanes];
  store_lane(query, job.queries, at);
}

// Opens the lane's gates by the block's summed votes.
template <class M>
__device__ inline void open_gates(const RowJob& job, const float* votes, LaneOf<M, float>& lane) {
  const RowGates<M, float> found(votes, job.vote_scale);
  for (int g = 0; g < gate_count<M>(); ++g) lane.gates[g] = found.value[g];
}

// Keeps for the sweep what the votes decided, of the query or of the answer.
template <class M>
__device__ inline void note_gates(const RowJob& job, std::int32_t i, int side, const float* votes) {
  const RowGates<M, float> found(votes, job.vote_scale);
  for (int g = 0; g < gate_count<M>(); ++g) {
    job.attention[i].gates[side][g] = found.value[g];
    for (int v = 0; v < vote_count<M>(); ++v)
      job.attention[i].by_vote[side][g][v] = found.by_vote[g][v];
  }
}
template <class M>
__device__ inline void note_gates(const RowJob& job, std::int32_t i, const float* votes) {
  if (job.attention == nullptr) return;
  if (threadIdx.x == 0) note_gates<M>(job, i, 0, votes);
  if (threadIdx.x == blockDim.x - 1) note_gates<M>(job, i, 1, votes + vote_count<M>());
}

// Adds the lane's votes as a query and, where it is regularised, as an answer.
template <class M>
__device__ inline void cast_votes(const RowJob& job, LaneRows<M>& rows, const Example& example,
                                  float* sums) {
  LaneElement<M, float> answer[entity_row_count<M>];
  if constexpr (regularises_answer<M>) rows.load_answer(example, answer);
  add_votes<M, float>(rows.x, sums);
  if constexpr (regularises_answer<M>) {
    if (!job.answers) return;
    for (std::size_t r = 0; r < entity_row_count<M>; ++r) rows.x[r] = answer[r];
    add_votes<M, float>(rows.x, sums + vote_count<M>());
  }
}

// Without votes lanes stand alone, and a block may take any part of them.
template <class M>
__global__ void __launch_bounds__(slice_lanes) forward_sliced_kernel(RowJob job) {
  __shared__ Window window;
  window.fetch(job, static_cast<int>(blockIdx.x));
  __syncthreads();
  LaneRows<M> rows{job, static_cast<int>(blockIdx.y * slice_lanes + threadIdx.x)};
  if (rows.lane >= job.lanes) return;
  std::int32_t relation = -1;
  for (int k = 0; k < window.size(); ++k) {
    const Example example = window.example(k);
    if (example.query.relation != relation) rows.load_run(example);
    relation = example.query.relation;
    rows.load_example(example);
    const FactorRule<float> rule = factor_rule(job, example.query.time, window.drop_key(k));
    LaneOf<M, float> lane(rule);
    store_query(job, window.index(k), lane, rows);
  }
}

inline constexpr int row_threads = 256;

// With votes: one block an example, which reads its rows twice.
template <class M>
__global__ void __launch_bounds__(row_threads) forward_voted_kernel(RowJob job) {
  const auto position = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t i = job.order != nullptr ? job.order[position] : position;
  const Example example = job.examples[i];
  const FactorRule<float> rule = factor_rule(job, example.query.time, drop_key_of(job, i));
  LaneOf<M, float> lane(rule);
  LaneRows<M> rows{job, 0};
  const auto for_each_lane = [&](const auto& body) {
    for (rows.lane = static_cast<int>(threadIdx.x); rows.lane < job.lanes;
         rows.lane += row_threads) {
      rows.load(example);
      body();
    }
  };
  float votes[2 * vote_count<M>()] = {};
  for_each_lane([&] { cast_votes(job, rows, example, votes); });
  block_sum(votes);
  open_gates<M>(job, votes, lane);
  note_gates<M>(job, i, votes);
  for_each_lane([&] { store_query(job, i, lane, rows); });
}

template <class M>
void launch_forward(const RowJob& job, cudaStream_t stream) {
  if (job.count == 0) return;
  if constexpr (vote_count<M>() == 0) {
    const dim3 grid(static_cast<unsigned>(job.windows()), static_cast<unsigned>(job.slices()));
    forward_sliced_kernel<M><<<grid, slice_lanes, 0, stream>>>(job);
  } else {
    forward_voted_kernel<M><<<static_cast<unsigned>(job.count), row_threads, 0, stream>>>(job);
  }
  check_launch("computing queries");
}

}  // namespace orrery::cuda
