// Queries from a formula.
#pragma once

#include "engine/cuda/block_sum.cuh"
#include "engine/cuda/device.h"
#include "engine/cuda/lane_io.cuh"

namespace orrery::cuda {

template <class M>
__device__ inline void store_query(const RowJob& job, std::int32_t i, LaneOf<M, float>& lane,
                                   LaneRows<M>& rows) {
  using A = typename M::Algebra;
  const auto row = static_cast<std::size_t>(job.query_rows != nullptr ? job.query_rows[i] : i);
  lane.move_to(static_cast<std::uint32_t>(rows.at));
  auto query = query_value<M, float>(lane, rows.x);
  if (job.add_to_queries) {
    const float* there = job.queries.fp32 + row * job.stride + rows.at;
    for (int c = 0; c < A::size; ++c) query.c[c] += there[c * job.lanes];
  }
  store_lane(query, job.queries, row * job.stride, job.lanes, rows.at);
}

// From the block's summed votes: the query's, then the answer's.
template <class M>
__device__ inline void open_gates(const RowJob& job, std::int32_t i, const float* votes,
                                  LaneOf<M, float>& lane) {
  const RowGates<M, float> found(votes, job.vote_scale);
  for (int g = 0; g < gate_count<M>(); ++g) lane.gates[g] = found.value[g];
  if (job.attention == nullptr || threadIdx.x >= 2) return;
  const int side = static_cast<int>(threadIdx.x);
  const RowGates<M, float> noted(votes + side * vote_count<M>(), job.vote_scale);
  for (int g = 0; g < gate_count<M>(); ++g) {
    job.attention[i].gates[side][g] = noted.value[g];
    for (int v = 0; v < vote_count<M>(); ++v)
      job.attention[i].by_vote[side][g][v] = noted.by_vote[g][v];
  }
}

// Adds the lane's votes as a query and, where it is regularised, as an answer.
template <class M>
__device__ inline void cast_votes(const RowJob& job, const Example& example, LaneRows<M>& rows,
                                  float* sums) {
  add_votes<M, float>(rows.x, sums);
  if (!job.answers) return;
  const auto subject = rows.x[0];
  rows.x[0] = rows.template row<0>(example.object);
  add_votes<M, float>(rows.x, sums + vote_count<M>());
  rows.x[0] = subject;
}

// A thread keeps one lane for the whole window. Where the model has votes, the block holds all
// lanes.
template <class M>
__global__ void __launch_bounds__(most_whole_lanes) forward_window_kernel(RowJob job) {
  __shared__ Window window;
  window.fetch(job, static_cast<int>(blockIdx.x));
  __syncthreads();
  LaneRows<M> rows{job, static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x)};
  const bool inside = rows.at < job.lanes;
  std::int32_t relation = -1;
  for (int k = 0; k < window.size; ++k) {
    const Example& example = window.examples[k];
    const std::int32_t i = window.index[k];
    if (inside && example.query.relation != relation) rows.load_relation(example.query);
    relation = example.query.relation;
    if (inside) rows.load_example(example.query);
    const FactorRule<float> rule = factor_rule(job, i);
    LaneOf<M, float> lane(rule);
    if constexpr (vote_count<M>() > 0) {
      float votes[2 * vote_count<M>()] = {};
      if (inside) cast_votes(job, example, rows, votes);
      block_sum(votes);
      open_gates<M>(job, i, votes, lane);
    }
    if (inside) store_query(job, i, lane, rows);
  }
}

inline constexpr int wide_threads = 256;

// For rows of more lanes than a block can hold: one block an example, which reads its rows twice.
template <class M>
__global__ void __launch_bounds__(wide_threads) forward_wide_kernel(RowJob job) {
  const auto position = static_cast<std::int32_t>(blockIdx.x);
  const std::int32_t i = job.order != nullptr ? job.order[position] : position;
  const Example example = job.examples[i];
  const FactorRule<float> rule = factor_rule(job, i);
  LaneOf<M, float> lane(rule);
  LaneRows<M> rows{job, 0};
  const auto for_each_lane = [&](const auto& body) {
    for (rows.at = static_cast<int>(threadIdx.x); rows.at < job.lanes; rows.at += wide_threads) {
      rows.load(example.query);
      body();
    }
  };
  float votes[2 * vote_count<M>()] = {};
  for_each_lane([&] { cast_votes(job, example, rows, votes); });
  block_sum(votes);
  open_gates<M>(job, i, votes, lane);
  for_each_lane([&] { store_query(job, i, lane, rows); });
}

// Threads of a block that holds all lanes.
inline unsigned whole_row_threads(int lanes) {
  return static_cast<unsigned>((lanes + 31) / 32 * 32);
}

template <class M>
void launch_forward(const RowJob& job, cudaStream_t stream) {
  if (job.count == 0) return;
  const auto windows = static_cast<unsigned>(job.windows());
  if constexpr (vote_count<M>() == 0) {
    forward_window_kernel<M>
        <<<dim3(windows, static_cast<unsigned>(job.slices())), slice_lanes, 0, stream>>>(job);
  } else {
    if (job.lanes <= most_whole_lanes)
      forward_window_kernel<M><<<windows, whole_row_threads(job.lanes), 0, stream>>>(job);
    else
      forward_wide_kernel<M><<<static_cast<unsigned>(job.count), wide_threads, 0, stream>>>(job);
  }
  check_launch("computing queries");
}

}  // namespace orrery::cuda
