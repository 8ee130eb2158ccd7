// The slow truth: the same formulas in double, plain loops, no layout tricks. Every engine and
// every gradient is compared with it.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"
#include "data/examples.h"
#include "engine/engine.h"
#include "engine/row_pass.h"

namespace orrery {

// tables[row of the model][id · dim + component · lanes + lane]; empty where a row is not trained.
using ReferenceTables = std::vector<std::vector<double>>;

template <class M>
class Reference {
 public:
  using E = LaneElement<M, double>;
  static constexpr int components = M::Algebra::size;

  Reference(const ModelPlan& plan, ReferenceTables start)
      : shape_(plan.shape), lanes_(plan.shape.dim / components), tables(std::move(start)) {
    for (std::size_t r = 0; r < row_count<M>; ++r) without_[r] = M::rows[r].without;
  }

  std::vector<double> query(const Query& q) const {
    const FactorRule<double> rule;
    return query(q, rule);
  }

  std::vector<double> scores(const Query& q) const { return scores(query(q)); }

  // The loss of a batch, and its gradient if wanted.
  LossSums loss(std::span<const Example> batch, const LossRules& rules, std::uint64_t step_key,
                ReferenceTables* gradient) const {
    LossSums sums{.steps = 1};
    ReferenceTables unused;
    if (gradient == nullptr) gradient = &unused;
    *gradient = tables;
    for (auto& table : *gradient) std::fill(table.begin(), table.end(), 0.0);
    const double share = 1.0 / static_cast<double>(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      FactorRule<double> rule{rules.lambda_n3 * share, rules.norm, rules.dropout,
                              random_bits(step_key, i)};
      const auto q = query(batch[i].query, rule);
      std::vector<double> dq(q.size());
      sums.cross_entropy += share * cross_entropy_back(q, batch[i].object, share, dq, *gradient);
      sums.n3 += rules.lambda_n3 * share * row_back(batch[i].query, -1, rule, dq, *gradient);
      rule.drop_rate = 0;
      sums.n3 +=
          rules.lambda_n3 * share * row_back(batch[i].query, batch[i].object, rule, dq, *gradient);
    }
    sums.time = time_back(rules, *gradient);
    return sums;
  }

  void adagrad(const ReferenceTables& gradient, ReferenceTables& squares, const StepRules& rules) {
    for (std::size_t r = 0; r < tables.size(); ++r)
      for (std::size_t i = 0; i < tables[r].size(); ++i) {
        const double g = gradient[r][i];
        squares[r][i] += g * g;
        tables[r][i] -= rules.learning_rate * g / (std::sqrt(squares[r][i]) + rules.epsilon);
      }
  }

 private:
  ModelShape shape_;
  int lanes_;
  Without without_[row_count<M>];

 public:
  ReferenceTables tables;

 private:
  static std::int32_t id_of(std::size_t row, const Query& q) {
    const RowOf of = M::rows[row].of;
    return of == RowOf::entity ? q.subject : of == RowOf::relation ? q.relation : q.time;
  }

  std::size_t at(std::int32_t id, int component, int lane) const {
    return static_cast<std::size_t>(id) * shape_.dim + component * lanes_ + lane;
  }

  void load(const Query& q, int lane, E* x) const {
    for (std::size_t r = 0; r < row_count<M>; ++r)
      for (int c = 0; c < components; ++c)
        x[r].c[c] = !tables[r].empty()            ? tables[r][at(id_of(r, q), c, lane)]
                    : without_[r] == Without::one ? unit_component<typename M::Algebra>(c)
                                                  : 0.0;
  }

  void set_gates(const Query& q, LaneOf<M, double>& lane) const {
    if constexpr (vote_count<M>() > 0) {
      const auto gates = gates_of(q);
      for (int i = 0; i < gate_count<M>(); ++i) lane.gates[i] = gates.value[i];
    }
  }

  auto gates_of(const Query& q) const requires(vote_count<M>() > 0) {
    double sums[vote_count<M>()] = {};
    E x[row_count<M>];
    for (int l = 0; l < lanes_; ++l) {
      load(q, l, x);
      add_votes<M, double>(x, sums);
    }
    return RowGates<M, double>(sums, vote_scale<M>(lanes_));
  }

  std::vector<double> query(const Query& q, const FactorRule<double>& rule) const {
    std::vector<double> row(static_cast<std::size_t>(shape_.dim));
    LaneOf<M, double> lane(rule);
    set_gates(q, lane);
    E x[row_count<M>];
    for (int l = 0; l < lanes_; ++l) {
      load(q, l, x);
      lane.move_to(static_cast<std::uint32_t>(l));
      const E v = query_value<M, double>(lane, x);
      for (int c = 0; c < components; ++c) row[c * lanes_ + l] = v.c[c];
    }
    return row;
  }

  std::vector<double> scores(const std::vector<double>& q) const {
    std::vector<double> s(static_cast<std::size_t>(shape_.entities));
    for (std::size_t e = 0; e < s.size(); ++e)
      for (std::size_t i = 0; i < q.size(); ++i) s[e] += q[i] * tables[0][e * q.size() + i];
    return s;
  }

  double cross_entropy_back(const std::vector<double>& q, std::int32_t object, double share,
                            std::vector<double>& dq, ReferenceTables& gradient) const {
    const auto s = scores(q);
    double top = s[0], sum = 0;
    for (const double v : s) top = std::max(top, v);
    for (const double v : s) sum += std::exp(v - top);
    for (std::size_t e = 0; e < s.size(); ++e) {
      const bool target = static_cast<std::int32_t>(e) == object;
      const double d = share * (std::exp(s[e] - top) / sum - (target ? 1.0 : 0.0));
      for (std::size_t i = 0; i < q.size(); ++i) {
        dq[i] += d * tables[0][e * q.size() + i];
        gradient[0][e * q.size() + i] += d * q[i];
      }
    }
    return std::log(sum) + top - s[static_cast<std::size_t>(object)];
  }

  // The sweep of one row: the query's if `answer` < 0, else the answer's penalty in its context.
  double row_back(Query q, std::int32_t answer, const FactorRule<double>& rule,
                  const std::vector<double>& dq, ReferenceTables& gradient) const {
    if (answer >= 0) q.subject = answer;
    LaneOf<M, double> lane(rule);
    set_gates(q, lane);
    E x[row_count<M>], g[row_count<M>];
    for (int l = 0; l < lanes_; ++l) {
      load(q, l, x);
      for (auto& e : g) e = zero_element<double, typename M::Algebra>();
      lane.move_to(static_cast<std::uint32_t>(l));
      if (answer >= 0) {
        answer_back<M, double>(lane, x, g);
      } else {
        E d;
        for (int c = 0; c < components; ++c) d.c[c] = dq[c * lanes_ + l];
        query_back<M, double>(lane, x, d, g);
      }
      store(q, l, g, gradient);
    }
    if constexpr (vote_count<M>() > 0) {
      const auto gates = gates_of(q);
      double dz[vote_count<M>()];
      for (int v = 0; v < vote_count<M>(); ++v) dz[v] = gates.vote_gradient(v, lane.gate_gradients);
      for (int l = 0; l < lanes_; ++l) {
        load(q, l, x);
        for (auto& e : g) e = zero_element<double, typename M::Algebra>();
        votes_back<M, double>(x, dz, g);
        store(q, l, g, gradient);
      }
    }
    return lane.penalty;
  }

  void store(const Query& q, int lane, const E* g, ReferenceTables& gradient) const {
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (!gradient[r].empty())
        for (int c = 0; c < components; ++c) gradient[r][at(id_of(r, q), c, lane)] += g[r].c[c];
  }

  double time_back(const LossRules& rules, ReferenceTables& gradient) const {
    double value = 0;
    if (rules.lambda_time == 0 || shape_.times < 2) return 0;
    const double weight = rules.lambda_time / (shape_.times - 1);
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      if (M::rows[r].of != RowOf::time || tables[r].empty()) continue;
      for (std::int32_t t = 0; t + 1 < shape_.times; ++t)
        for (int l = 0; l < lanes_; ++l) {
          E step, g = zero_element<double, typename M::Algebra>();
          for (int c = 0; c < components; ++c)
            step.c[c] = tables[r][at(t + 1, c, l)] - tables[r][at(t, c, l)];
          value += weight * norm_back(step, weight, rules.norm, g);
          for (int c = 0; c < components; ++c) {
            gradient[r][at(t + 1, c, l)] += g.c[c];
            gradient[r][at(t, c, l)] -= g.c[c];
          }
        }
    }
    return value;
  }
};

}  // namespace orrery
