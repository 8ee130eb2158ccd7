// The sweep of a formula: from the queries' gradients to those of every row it read.
#pragma once

#include "engine/cuda/forward_kernels.cuh"

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
  E answer, answer_gradient;
  float penalty = 0;

  __device__ LaneSweep(const RowJob& job_, int lane)
      : job(job_), rows{job_, lane}, inside(lane < job_.lanes) {}

  template <std::size_t R>
  __device__ void store(const E& gradient, std::size_t to) const {
    const RowsOut& out = job.gradients[R];
    if (out.fp32 != nullptr || out.bf16 != nullptr)
      store_lane(gradient, out, to * job.stride, job.lanes, rows.at);
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

  // The factors of the query and of the answer, which share all rows but the entity's.
  __device__ void factors_back(std::int32_t i, const Example& e, const Attention* attention,
                               float* gate_gradients) {
    rows.load_example(e.query);
    if (job.answers) answer = rows.template row<0>(e.object);
    const E query_gradient = load_lane<A>(
        job.query_gradients + static_cast<std::size_t>(i) * job.stride, job.lanes, rows.at);
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> != RowOf::relation) g[r] = zero_element<float, A>();
    });
    FactorRule<float> rule = factor_rule(job, i);
    run_factors(rule, attention, 0, gate_gradients,
                [&](auto& lane) { query_back<M, float>(lane, rows.x, query_gradient, g); });
    if (job.answers) {
      rule.drop_rate = 0;
      as_answer([&] {
        g[0] = zero_element<float, A>();
        run_factors(rule, attention, 1, gate_gradients + gates,
                    [&](auto& lane) { answer_back<M, float>(lane, rows.x, g); });
      });
    }
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

  template <class Run>
  __device__ void run_factors(const FactorRule<float>& rule, const Attention* attention, int side,
                              float* gate_gradients, const Run& run) {
    LaneOf<M, float> lane(rule);
    lane.move_to(static_cast<std::uint32_t>(rows.at));
    if constexpr (votes > 0)
      for (int k = 0; k < gates; ++k) lane.gates[k] = attention->gates[side][k];
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

// With votes, either the block holds all lanes and sums what flows into the gates, or (wide rows)
// dL/dvote is known already.
template <class M, bool WholeRows>
__global__ void __launch_bounds__(WholeRows ? most_whole_lanes : slice_lanes)
    backward_kernel(RowJob job) {
  constexpr int votes = vote_count<M>(), gates = gate_count<M>();
  __shared__ Window window;
  window.fetch(job, static_cast<int>(blockIdx.x));
  __syncthreads();
  LaneSweep<M> sweep(job, static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x));
  std::int32_t relation = -1;
  for (int k = 0; k < window.size; ++k) {
    const Example& example = window.examples[k];
    const std::int32_t i = window.index[k];
    if (sweep.inside && example.query.relation != relation) {
      if (relation >= 0) sweep.end_run(static_cast<int>(blockIdx.x), relation);
      sweep.begin_run(example.query);
    }
    relation = example.query.relation;
    const Attention* attention = votes > 0 ? job.attention + i : nullptr;
    float gate_gradients[2 * gates + 1] = {};
    if (sweep.inside) {
      sweep.factors_back(i, example, attention, gate_gradients);
      sweep.store_before_votes(i);
    }
    if constexpr (votes > 0) {
      float vote_gradients[2 * votes];
      if constexpr (WholeRows) {
        block_sum(gate_gradients);
        gates_back<M>(*attention, 0, gate_gradients, vote_gradients);
        gates_back<M>(*attention, 1, gate_gradients + gates, vote_gradients + votes);
      } else {
        for (int v = 0; v < 2 * votes; ++v)
          vote_gradients[v] = attention->vote_gradients[v / votes][v % votes];
      }
      if (sweep.inside) sweep.votes_back(vote_gradients);
    }
    if (sweep.inside) sweep.store_after_votes(i);
  }
  if (sweep.inside) sweep.end_run(static_cast<int>(blockIdx.x), relation);
  float penalty[1] = {sweep.penalty};
  block_sum(penalty);
  if (threadIdx.x == 0) job.penalties[blockIdx.x * gridDim.y + blockIdx.y] = penalty[0];
}

// For wide rows, before the sweep: one block an example finds dL/dvote. What its sweep gives to
// rows is dead code here.
template <class M>
__global__ void __launch_bounds__(wide_threads) gate_sweep_kernel(RowJob job) {
  constexpr int gates = gate_count<M>();
  const auto i = static_cast<std::int32_t>(blockIdx.x);
  const Example example = job.examples[i];
  float sums[2 * gates] = {};
  for (int l = static_cast<int>(threadIdx.x); l < job.lanes; l += wide_threads) {
    LaneSweep<M> sweep(job, l);
    sweep.begin_run(example.query);
    sweep.factors_back(i, example, job.attention + i, sums);
  }
  block_sum(sums);
  if (threadIdx.x >= 2) return;
  const int side = static_cast<int>(threadIdx.x);
  gates_back<M>(job.attention[i], side, sums + side * gates, job.attention[i].vote_gradients[side]);
}

template <class M>
std::int32_t backward_blocks(const RowJob& job) {
  const bool whole = vote_count<M>() > 0 && job.lanes <= most_whole_lanes;
  return job.windows() * (whole ? 1 : job.slices());
}

template <class M>
void launch_backward(const RowJob& job, cudaStream_t stream) {
  const auto windows = static_cast<unsigned>(job.windows());
  const dim3 sliced(windows, static_cast<unsigned>(job.slices()));
  if constexpr (vote_count<M>() == 0) {
    backward_kernel<M, false><<<sliced, slice_lanes, 0, stream>>>(job);
  } else {
    if (job.lanes <= most_whole_lanes) {
      backward_kernel<M, true><<<windows, whole_row_threads(job.lanes), 0, stream>>>(job);
    } else {
      gate_sweep_kernel<M><<<static_cast<unsigned>(job.count), wide_threads, 0, stream>>>(job);
      backward_kernel<M, false><<<sliced, slice_lanes, 0, stream>>>(job);
    }
  }
  check_launch("sweeping rows");
}

}  // namespace orrery::cuda
