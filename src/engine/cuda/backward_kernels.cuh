// The sweep of a formula: from the queries' gradients to those of every row it read.
#pragma once

#include "engine/cuda/forward_kernels.cuh"
#include "engine/cuda/lane_sweep.cuh"

namespace orrery::cuda {

__device__ inline void note_penalty(const RowJob& job, float own) {
  float penalty[1] = {own};
  block_sum(penalty);
  if (threadIdx.x == 0) job.penalties[blockIdx.x * gridDim.y + blockIdx.y] = penalty[0];
}

// A window's attention, next to the threads that all read it.
__device__ inline void fetch_attention(const RowJob& job, const Window& window,
                                       Attention* attention) {
  constexpr int floats = sizeof(Attention) / sizeof(float);
  for (int f = static_cast<int>(threadIdx.x); f < window.size() * floats;
       f += static_cast<int>(blockDim.x))
    reinterpret_cast<float*>(attention)[f] =
        reinterpret_cast<const float*>(job.attention + window.index(f / floats))[f % floats];
}

// With votes: a block holds all lanes, one a thread, and sums what flows into the gates.
template <class M>
__global__ void __launch_bounds__(most_staged_lanes) backward_staged_kernel(RowJob job) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900  // else StagedBlock never picks it
  constexpr int votes = vote_count<M>(), gates = gate_count<M>();
  using Stage = RowStage<M>;
  extern __shared__ __align__(128) float staged[];
  __shared__ std::uint64_t arrived[Stage::barriers];
  __shared__ Window window;
  __shared__ Attention attention[window_examples];
  window.fetch(job, static_cast<int>(blockIdx.x));
  Stage stage(job, staged, arrived);
  __syncthreads();
  stage.order_kept(0, window.example(0));
  stage.order_passing(window.index(0), window.example(0).query);
  fetch_attention(job, window, attention);
  LaneSweep<M> sweep(job, static_cast<int>(threadIdx.x));
  std::int32_t relation = -1;
  for (int k = 0; k < window.size(); ++k) {
    const std::int32_t i = window.index(k);
    const Query query = window.example(k).query;
    if (sweep.inside && query.relation != relation) {
      if (relation >= 0) sweep.end_run(static_cast<int>(blockIdx.x), relation);
      sweep.begin_run(window.example(k));
      sweep.keep_relation(stage);
    }
    relation = query.relation;
    __syncthreads();
    const bool more = k + 1 < window.size();
    if (more) stage.order_kept(k + 1, window.example(k + 1));
    float gate_gradients[2 * gates] = {};
    stage.wait_for(k);
    if (sweep.inside) {
      sweep.load_staged(stage, k);
      sweep.factors_back(query.time, window.drop_key(k), attention + k, gate_gradients);
      sweep.store_before_votes(i);
    }
    block_sum(gate_gradients);
    if (more) stage.order_passing(window.index(k + 1), window.example(k + 1).query);
    float vote_gradients[2 * votes];
    gates_back<M>(attention[k], 0, gate_gradients, vote_gradients);
    gates_back<M>(attention[k], 1, gate_gradients + gates, vote_gradients + votes);
    if (sweep.inside) {
      sweep.load_voting(stage, k);
      sweep.votes_back(vote_gradients);
      sweep.store_after_votes(i);
    }
  }
  if (sweep.inside) sweep.end_run(static_cast<int>(blockIdx.x), relation);
  note_penalty(job, sweep.penalty);
#endif
}

// A block takes a part of the lanes; where there are votes, dL/dvote is known already.
template <class M>
__global__ void __launch_bounds__(slice_lanes) backward_sliced_kernel(RowJob job) {
  constexpr int votes = vote_count<M>(), gates = gate_count<M>();
  __shared__ Window window;
  window.fetch(job, static_cast<int>(blockIdx.x));
  __syncthreads();
  LaneSweep<M> sweep(job, static_cast<int>(blockIdx.y * slice_lanes + threadIdx.x));
  if (sweep.inside) {
    std::int32_t relation = -1;
    for (int k = 0; k < window.size(); ++k) {
      const std::int32_t i = window.index(k);
      const Example example = window.example(k);
      if (example.query.relation != relation) {
        if (relation >= 0) sweep.end_run(static_cast<int>(blockIdx.x), relation);
        sweep.begin_run(example);
      }
      relation = example.query.relation;
      const Attention* attention = votes > 0 ? job.attention + i : nullptr;
      float unused[gates > 0 ? 2 * gates : 1] = {};
      sweep.load_example(i, example);
      sweep.factors_back(example.query.time, window.drop_key(k), attention, unused);
      if constexpr (!is_candidate<M>) sweep.store_before_votes(i);
      if constexpr (votes > 0) {
        float vote_gradients[2 * votes];
        for (int v = 0; v < votes; ++v) {
          vote_gradients[v] = attention->vote_gradients[0][v];
          vote_gradients[votes + v] = attention->vote_gradients[1][v];
        }
        sweep.votes_back(vote_gradients);
      }
      if constexpr (is_candidate<M>)
        sweep.add_to_entity(example.query.subject);
      else
        sweep.store_after_votes(i);
    }
    sweep.end_run(static_cast<int>(blockIdx.x), relation);
  }
  if constexpr (regularises_answer<M>) note_penalty(job, sweep.penalty);
}

// Before it, with votes: one block an example finds dL/dvote. What flows into rows is dead code
// here.
template <class M>
__global__ void __launch_bounds__(row_threads) gate_sweep_kernel(RowJob job) {
  constexpr int gates = gate_count<M>();
  const auto i = static_cast<std::int32_t>(blockIdx.x);
  const Example example = job.examples[i];
  Attention& attention = job.attention[i];
  float sums[2 * gates] = {};
  for (int l = static_cast<int>(threadIdx.x); l < job.lanes; l += row_threads) {
    LaneSweep<M> sweep(job, l);
    sweep.begin_run(example);
    sweep.load_example(i, example);
    sweep.factors_back(example.query.time, drop_key_of(job, i), &attention, sums);
  }
  block_sum(sums);
  if (threadIdx.x == 0) gates_back<M>(attention, 0, sums, attention.vote_gradients[0]);
  if (threadIdx.x == blockDim.x - 1)
    gates_back<M>(attention, 1, sums + gates, attention.vote_gradients[1]);
}

// Candidates are never staged: their sweep adds to rows, which it must read as well.
template <class M>
inline constexpr bool may_be_staged = vote_count<M>() > 0 && !is_candidate<M>;

template <class M>
std::int32_t backward_blocks(const RowJob& job) {
  if constexpr (may_be_staged<M>)
    if (StagedBlock<M>(backward_staged_kernel<M>, job).threads > 0) return job.windows();
  return job.windows() * job.slices();
}

template <class M>
void launch_backward(const RowJob& job, cudaStream_t stream) {
  const auto windows = static_cast<unsigned>(job.windows());
  if constexpr (may_be_staged<M>) {
    const auto kernel = backward_staged_kernel<M>;
    const StagedBlock<M> block(kernel, job);
    if (block.threads > 0) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(block.bytes)),
            "asking for shared memory");
      kernel<<<windows, block.threads, block.bytes, stream>>>(job);
      check_launch("sweeping rows");
      return;
    }
  }
  if constexpr (vote_count<M>() > 0)
    gate_sweep_kernel<M><<<static_cast<unsigned>(job.count), row_threads, 0, stream>>>(job);
  const dim3 sliced(windows, static_cast<unsigned>(job.slices()));
  backward_sliced_kernel<M><<<sliced, slice_lanes, 0, stream>>>(job);
  check_launch("sweeping rows");
}

}  // namespace orrery::cuda
