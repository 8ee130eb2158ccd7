// The sweep of a formula: from the queries' gradients to those of every row it read.
#pragma once

#include "engine/cuda/forward_kernels.cuh"
#include "engine/cuda/row_stage.cuh"

namespace orrery::cuda {

// dL/dvote from dL/dgate, for the query (side 0) or the answer (side 1).
template <class M>
__device__ inline void gates_back(const Attention& attention, int side, const float* gate_gradients,
                                  float* vote_gradients) {
  for (int v = 0; v < vote_count<M>(); ++v) {
    float sum = 0;
    for (int g = 0; g < gate_count<M>(); ++g)
      sum += gate_gradients[g] * attention.by_vote[side][g][v];
    vote_gradients[v] = sum;
  }
}

// One lane's sweep over a window of examples.
template <class M>
struct LaneSweep {
  using A = typename M::Algebra;
  using E = LaneElement<M, float>;
  static constexpr RowsUsed<M> used = rows_used<M>(std::make_index_sequence<row_count<M>>{});
  static constexpr int gates = gate_count<M>(), votes = vote_count<M>();
  template <std::size_t R>
  static constexpr bool gets_gradient = used.by_factors[R] || used.by_votes[R];

  const RowJob& job;
  LaneRows<M> rows;
  bool inside;
  E g[row_count<M>];
  E answer, answer_gradient, query_gradient;
  float penalty = 0;

  __device__ LaneSweep(const RowJob& job_, int lane)
      : job(job_), rows{job_, lane}, inside(lane < job_.lanes) {}

  template <std::size_t R>
  __device__ void store(const E& gradient, std::size_t to) const {
    const RowsOut& out = job.gradients[R];
    if (out.fp32 != nullptr || out.bf16 != nullptr)
      store_lane(gradient, out, to * job.stride + static_cast<std::size_t>(rows.at()));
  }

  __device__ void begin_run(const Query& query) {
    rows.load_relation(query);
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::relation) g[r] = zero_element<float, A>();
    });
  }
  __device__ void end_run(int window, std::int32_t relation) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::relation && gets_gradient<r>)
        store<r>(g[r], static_cast<std::size_t>(window + relation));
    });
  }

  __device__ void load_example(std::int32_t i, const Example& e) {
    rows.load_example(e.query);
    if (job.answers) answer = rows.template row<0>(e.object);
    query_gradient =
        load_lane<A>(job.query_gradients + static_cast<std::size_t>(i) * job.stride + rows.at());
  }
  // The same from a stage, where rows can be had again instead of being held.
  __device__ void load_staged(const RowStage<M>& stage, int k) {
    for_each_row<M>([&](auto r) { rows.x[r] = stage.template lane<r>(k, rows.at()); });
    answer = stage.answer(k, rows.at());
  }
  __device__ void keep_relation(RowStage<M>& stage) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::relation)
        stage.template keep_relation<r>(rows.x[r], rows.at());
    });
  }

  // The factors of the query and of the answer, which share all rows but the entity's.
  __device__ void factors_back(std::uint64_t drop_key, const Attention* attention,
                               float* gate_gradients) {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> != RowOf::relation) g[r] = zero_element<float, A>();
    });
    FactorRule<float> rule = factor_rule(job, drop_key);
    run_factors<0>(rule, attention, gate_gradients,
                   [&](auto& lane) { query_back<M, float>(lane, rows.x, query_gradient, g); });
    if (!job.answers) return;
    rule.drop_rate = 0;
    as_answer([&] {
      g[0] = zero_element<float, A>();
      run_factors<1>(rule, attention, gate_gradients + gates,
                     [&](auto& lane) { answer_back<M, float>(lane, rows.x, g); });
    });
  }

  __device__ void votes_back(const float* vote_gradients) {
    orrery::votes_back<M, float>(rows.x, vote_gradients, g);
    if (job.answers)
      as_answer([&] { orrery::votes_back<M, float>(rows.x, vote_gradients + votes, g); });
  }

  // Rows that votes do not touch are stored before them, which frees their registers.
  __device__ void store_before_votes(std::int32_t i) const { store_times<false>(i); }
  __device__ void store_after_votes(std::int32_t i) const {
    const auto row = static_cast<std::size_t>(i);
    store<0>(g[0], 2 * row);
    if (job.answers) store<0>(answer_gradient, 2 * row + 1);
    store_times<true>(i);
  }

 private:
  template <bool ByVotes>
  __device__ void store_times(std::int32_t i) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::time && gets_gradient<r> && used.by_votes[r] == ByVotes)
        store<r>(g[r], static_cast<std::size_t>(i));
    });
  }

  // Side 0 is the query, 1 the answer.
  template <int Side, class Run>
  __device__ void run_factors(const FactorRule<float>& rule, const Attention* attention,
                              float* gate_gradients, const Run& run) {
    LaneOf<M, float> lane(rule);
    lane.move_to(static_cast<std::uint32_t>(rows.lane));
    if constexpr (votes > 0)
      for (int k = 0; k < gates; ++k) lane.gates[k] = attention->gates[Side][k];
    run(lane);
    penalty += lane.penalty;
    if constexpr (votes > 0)
      for (int k = 0; k < gates; ++k) gate_gradients[k] += lane.gate_gradients[k];
  }

  // Runs with the answer in the entity's place.
  template <class Run>
  __device__ void as_answer(const Run& run) {
    const E subject = rows.x[0], subject_gradient = g[0];
    rows.x[0] = answer;
    g[0] = answer_gradient;
    run();
    answer_gradient = g[0];
    rows.x[0] = subject;
    g[0] = subject_gradient;
  }
};

template <class M>
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
      sweep.begin_run(query);
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
      sweep.query_gradient = stage.gradient(sweep.rows.at());
      sweep.factors_back(window.drop_key(k), attention + k, gate_gradients);
      sweep.store_before_votes(i);
    }
    block_sum(gate_gradients);
    if (more) stage.order_passing(window.index(k + 1), window.example(k + 1).query);
    float vote_gradients[2 * votes];
    gates_back<M>(attention[k], 0, gate_gradients, vote_gradients);
    gates_back<M>(attention[k], 1, gate_gradients + gates, vote_gradients + votes);
    if (sweep.inside) {
      sweep.load_staged(stage, k);
      sweep.votes_back(vote_gradients);
      sweep.store_after_votes(i);
    }
  }
  if (sweep.inside) sweep.end_run(static_cast<int>(blockIdx.x), relation);
  note_penalty<M>(job, sweep.penalty);
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
        sweep.begin_run(example.query);
      }
      relation = example.query.relation;
      const Attention* attention = votes > 0 ? job.attention + i : nullptr;
      float unused[gates > 0 ? 2 * gates : 1] = {};
      sweep.load_example(i, example);
      sweep.factors_back(window.drop_key(k), attention, unused);
      sweep.store_before_votes(i);
      if constexpr (votes > 0) {
        float vote_gradients[2 * votes];
        for (int v = 0; v < votes; ++v) {
          vote_gradients[v] = attention->vote_gradients[0][v];
          vote_gradients[votes + v] = attention->vote_gradients[1][v];
        }
        sweep.votes_back(vote_gradients);
      }
      sweep.store_after_votes(i);
    }
    sweep.end_run(static_cast<int>(blockIdx.x), relation);
  }
  note_penalty<M>(job, sweep.penalty);
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
    sweep.begin_run(example.query);
    sweep.load_example(i, example);
    sweep.factors_back(drop_key_of(job, i), &attention, sums);
  }
  block_sum(sums);
  if (threadIdx.x == 0) gates_back<M>(attention, 0, sums, attention.vote_gradients[0]);
  if (threadIdx.x == blockDim.x - 1)
    gates_back<M>(attention, 1, sums + gates, attention.vote_gradients[1]);
}

template <class M>
std::int32_t backward_blocks(const RowJob& job) {
  if constexpr (vote_count<M>() > 0)
    if (StagedBlock<M>(backward_staged_kernel<M>, job).threads > 0) return job.windows();
  return job.windows() * job.slices();
}

template <class M>
void launch_backward(const RowJob& job, cudaStream_t stream) {
  const auto windows = static_cast<unsigned>(job.windows());
  if constexpr (vote_count<M>() > 0) {
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
    gate_sweep_kernel<M><<<static_cast<unsigned>(job.count), row_threads, 0, stream>>>(job);
  }
  const dim3 sliced(windows, static_cast<unsigned>(job.slices()));
  backward_sliced_kernel<M><<<sliced, slice_lanes, 0, stream>>>(job);
  check_launch("sweeping rows");
}

}  // namespace orrery::cuda
