// Rows of the slow truth, and formulas run on them: double, plain loops, no layout tricks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/candidates.h"
#include "engine/engine.h"
#include "engine/row_pass.h"

namespace orrery {

// tables[row of the model][id · dim + component · lanes + lane]; empty where a row is not trained.
// What candidates' features are worth, where they have any, comes after those of the rows.
using ReferenceTables = std::vector<std::vector<double>>;

template <class M>
class ReferenceRows {
 public:
  using E = LaneElement<M, double>;
  static constexpr int components = M::Algebra::size;

  ReferenceRows(const ModelPlan& plan, ReferenceTables start)
      : tables(std::move(start)),
        shape_(plan.shape),
        lanes_(plan.shape.dim / components),
        clock_(clock_of(plan)),
        features_(plan.features) {}

  ReferenceTables tables;

 protected:
  std::int32_t id_of(std::size_t row, const Query& q) const {
    return id_in(q, M::rows[row].of, q.subject, shape_.window);
  }

  std::size_t at(std::int32_t id, int component, int lane) const {
    return static_cast<std::size_t>(id) * shape_.dim + component * lanes_ + lane;
  }

  void load(const Query& q, int lane, E* x) const {
    for (std::size_t r = 0; r < row_count<M>; ++r)
      for (int c = 0; c < components; ++c)
        x[r].c[c] = !tables[r].empty()                   ? tables[r][at(id_of(r, q), c, lane)]
                    : M::rows[r].without == Without::one ? unit_component<typename M::Algebra>(c)
                                                         : 0.0;
  }

  FactorRule<double> rule_of(const Query& q) const {
    FactorRule<double> rule;
    rule.lanes = lanes_;
    rule.clock = clock_.data() + static_cast<std::size_t>(q.time) * clock_readings;
    return rule;
  }

  // Calls body(place among the candidates, place among the features' worths).
  template <class Body>
  void for_each_feature(const Query& q, const std::vector<std::int32_t>& ids,
                        const Body& body) const {
    if (features_ == nullptr) return;
    std::vector<CandidateFeature> found;
    features_->append(q, found);
    for (const CandidateFeature& feature : found)
      if (std::ranges::binary_search(ids, feature.entity))
        body(position_of(ids, feature.entity), static_cast<std::size_t>(feature.weight));
  }
  std::vector<double> feature_scores(const Query& q, const std::vector<std::int32_t>& ids) const {
    std::vector<double> added(ids.size());
    for_each_feature(q, ids, [&](std::size_t candidate, std::size_t weight) {
      added[candidate] += tables.back()[weight];
    });
    return added;
  }
  void features_back(const Query& q, const std::vector<std::int32_t>& ids,
                     const std::vector<double>& ds, ReferenceTables& gradient) const {
    for_each_feature(q, ids, [&](std::size_t candidate, std::size_t weight) {
      gradient.back()[weight] += ds[candidate];
    });
  }

  // One formula on one row: the query's, or a candidate's.
  template <class Formula>
  struct Pass {
    static constexpr int votes = vote_count<Formula>(), gates = gate_count<Formula>();
    const ReferenceRows& model;
    FactorRule<double> rule;
    E x[row_count<M>], g[row_count<M>];

    Pass(const ReferenceRows& model_, const FactorRule<double>& rule_)
        : model(model_), rule(rule_) {}

    std::vector<double> value(const Query& q) {
      constexpr int size = QueryAlgebra<Formula>::size;
      std::vector<double> row(static_cast<std::size_t>(size) * model.lanes_);
      LaneOf<Formula, double> lane(rule);
      set_gates(q, lane);
      for (int l = 0; l < model.lanes_; ++l) {
        begin_lane(q, l, lane);
        const auto v = query_value<Formula, double>(lane, x);
        for (int c = 0; c < size; ++c) row[c * model.lanes_ + l] = v.c[c];
      }
      return row;
    }

    // Adds the gradients of the rows, from that of the formula's value; gives the penalty.
    double back(const Query& q, const std::vector<double>& dq, ReferenceTables& gradient) {
      return sweep(q, gradient, [&](auto& lane, int l) {
        QueryElement<Formula, double> d;
        for (int c = 0; c < d.size; ++c) d.c[c] = dq[c * model.lanes_ + l];
        query_back<Formula, double>(lane, x, d, g);
      });
    }
    // The same for the answer's penalty, the answer being q's subject.
    double answer_back(const Query& q, ReferenceTables& gradient) {
      return sweep(q, gradient,
                   [&](auto& lane, int) { orrery::answer_back<Formula, double>(lane, x, g); });
    }

    auto gates_of(const Query& q) requires(votes > 0) {
      double sums[votes] = {};
      for (int l = 0; l < model.lanes_; ++l) {
        model.load(q, l, x);
        add_votes<Formula, double>(x, sums);
      }
      return RowGates<Formula, double>(sums, vote_scale<Formula>(model.lanes_));
    }

   private:
    void begin_lane(const Query& q, int l, LaneOf<Formula, double>& lane) {
      model.load(q, l, x);
      lane.move_to(static_cast<std::uint32_t>(l));
    }

    template <class Back>
    double sweep(const Query& q, ReferenceTables& gradient, const Back& back) {
      LaneOf<Formula, double> lane(rule);
      set_gates(q, lane);
      for (int l = 0; l < model.lanes_; ++l) {
        begin_lane(q, l, lane);
        for (auto& e : g) e = zero_element<double, typename M::Algebra>();
        back(lane, l);
        model.store(q, l, g, gradient);
      }
      if constexpr (votes > 0) {
        const auto found = gates_of(q);
        double dz[votes];
        for (int v = 0; v < votes; ++v) dz[v] = found.vote_gradient(v, lane.gate_gradients);
        for (int l = 0; l < model.lanes_; ++l) {
          model.load(q, l, x);
          for (auto& e : g) e = zero_element<double, typename M::Algebra>();
          votes_back<Formula, double>(x, dz, g);
          model.store(q, l, g, gradient);
        }
      }
      return lane.penalty;
    }

    void set_gates(const Query& q, LaneOf<Formula, double>& lane) {
      if constexpr (votes > 0) {
        const auto found = gates_of(q);
        for (int i = 0; i < gates; ++i) lane.gates[i] = found.value[i];
      }
    }
  };

  void store(const Query& q, int lane, const E* g, ReferenceTables& gradient) const {
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (!gradient[r].empty())
        for (int c = 0; c < components; ++c) gradient[r][at(id_of(r, q), c, lane)] += g[r].c[c];
  }

  ModelShape shape_;
  int lanes_;
  std::vector<float> clock_;
  const CandidateFeatures* features_;
};

}  // namespace orrery
