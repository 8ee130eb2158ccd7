// One lane's part in the sweep of a formula.
#pragma once

#include "engine/cuda/lane_io.cuh"
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
  static constexpr std::size_t entity_rows = entity_row_count<M>;
  template <std::size_t R>
  static constexpr bool gets_gradient = used.by_factors[R] || used.by_votes[R];

  const RowJob& job;
  LaneRows<M> rows;
  bool inside;
  E g[row_count<M>];
  E answer[entity_rows], answer_gradient[entity_rows];
  QueryElement<M, float> query_gradient;
  float penalty = 0;

  __device__ LaneSweep(const RowJob& job_, int lane)
      : job(job_), rows{job_, lane}, inside(lane < job_.lanes) {}

  // Auxiliary losses come after the query's sweep, and add to what it has stored.
  template <std::size_t R>
  __device__ void store(const E& gradient, std::size_t to) const {
    const RowsOut& out = job.gradients[R];
    if (out.fp32 == nullptr && out.bf16 == nullptr) return;
    const std::size_t place = to * job.stride + static_cast<std::size_t>(rows.at());
    if constexpr (is_side<M>)
      add_lane(gradient, out, place);
    else
      store_lane(gradient, out, place);
  }

  __device__ void begin_run(const Example& example) {
    rows.load_run(example);
    for_each_row<M>([&](auto r) {
      if constexpr (of_run<M, r>) g[r] = zero_element<float, A>();
    });
  }
  __device__ void end_run(int window, std::int32_t relation) const {
    for_each_row<M>([&](auto r) {
      if constexpr (of_run<M, r> && gets_gradient<r>)
        store<r>(g[r], static_cast<std::size_t>(window + relation));
    });
  }

  __device__ void load_example(std::int32_t i, const Example& e) {
    rows.load_example(e);
    if (job.answers) rows.load_answer(e, answer);
    query_gradient = load_lane<QueryAlgebra<M>>(
        job.query_gradients + static_cast<std::size_t>(i) * job.query_stride + rows.query_at());
  }
  // The same from a stage, where rows can be had again instead of being held: for the factors, then
  // for the votes, when passing rows are on their way out.
  __device__ void load_staged(const RowStage<M>& stage, int k) {
    for_each_row<M>([&](auto r) { rows.x[r] = stage.template lane<r>(k, rows.at()); });
    load_staged_answer(stage, k);
    query_gradient = stage.gradient(rows.query_at());
  }
  __device__ void load_voting(const RowStage<M>& stage, int k) {
    for_each_row<M>([&](auto r) {
      if constexpr (used.by_votes[r]) rows.x[r] = stage.template lane<r>(k, rows.at());
    });
    load_staged_answer(stage, k);
  }
  __device__ void keep_relation(RowStage<M>& stage) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::relation)
        stage.template keep_relation<r>(rows.x[r], rows.at());
    });
  }

  // The factors of the query and of the answer, which share all rows but the entity's.
  __device__ void factors_back(std::int32_t time, std::uint64_t drop_key,
                               const Attention* attention, float* gate_gradients) {
    for_each_row<M>([&](auto r) {
      if constexpr (!of_run<M, r>) g[r] = zero_element<float, A>();
    });
    FactorRule<float> rule = factor_rule(job, time, drop_key);
    run_factors<0>(rule, attention, gate_gradients,
                   [&](auto& lane) { query_back<M, float>(lane, rows.x, query_gradient, g); });
    if constexpr (regularises_answer<M>) {
      if (!job.answers) return;
      rule.drop_rate = 0;
      as_answer([&] {
        for (std::size_t r = 0; r < entity_rows; ++r) g[r] = zero_element<float, A>();
        run_factors<1>(rule, attention, gate_gradients + gates,
                       [&](auto& lane) { answer_back<M, float>(lane, rows.x, g); });
      });
    }
  }

  __device__ void votes_back(const float* vote_gradients) {
    orrery::votes_back<M, float>(rows.x, vote_gradients, g);
    if constexpr (regularises_answer<M>)
      if (job.answers)
        as_answer([&] { orrery::votes_back<M, float>(rows.x, vote_gradients + votes, g); });
  }

  // Rows that votes do not touch are stored before them, which frees their registers.
  __device__ void store_before_votes(std::int32_t i) const { store_times<false>(i); }
  __device__ void store_after_votes(std::int32_t i) const {
    const auto row = static_cast<std::size_t>(i);
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::entity && gets_gradient<r>) {
        store<r>(g[r], 2 * row);
        if (job.answers) store<r>(answer_gradient[r], 2 * row + 1);
      }
      if constexpr (row_of<M, r> == RowOf::answer) store<r>(g[r], 2 * row + 1);
    });
    store_times<true>(i);
  }
  // Of a candidate: nobody else adds to its rows.
  __device__ void add_to_entity(std::int32_t entity) const {
    for_each_row<M>([&](auto r) {
      if constexpr (row_of<M, r> == RowOf::entity && gets_gradient<r>)
        if (job.gradients[r].fp32 != nullptr)
          add_lane(g[r], job.gradients[r].fp32 + static_cast<std::size_t>(entity) * job.stride +
                             rows.at());
    });
  }

 private:
  template <bool ByVotes>
  __device__ void store_times(std::int32_t i) const {
    for_each_row<M>([&](auto r) {
      if constexpr (!of_run<M, r> && row_of<M, r> != RowOf::entity &&
                    row_of<M, r> != RowOf::answer && gets_gradient<r> &&
                    used.by_votes[r] == ByVotes)
        store<r>(g[r], static_cast<std::size_t>(i));
    });
  }

  __device__ void load_staged_answer(const RowStage<M>& stage, int k) {
    if (!job.answers) return;
    for (std::size_t r = 0; r < entity_rows; ++r)
      answer[r] = stage.answer(k, static_cast<int>(r), rows.at());
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
    E subject[entity_rows], subject_gradient[entity_rows];
    for (std::size_t r = 0; r < entity_rows; ++r) {
      subject[r] = rows.x[r];
      subject_gradient[r] = g[r];
      rows.x[r] = answer[r];
      g[r] = answer_gradient[r];
    }
    run();
    for (std::size_t r = 0; r < entity_rows; ++r) {
      answer_gradient[r] = g[r];
      rows.x[r] = subject[r];
      g[r] = subject_gradient[r];
    }
  }
};

}  // namespace orrery::cuda
