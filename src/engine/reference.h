// The slow truth: the same formulas in double, plain loops, no layout tricks. Every engine and
// every gradient is compared with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "base/random.h"
#include "data/query.h"
#include "engine/candidates.h"
#include "engine/reference_rows.h"

namespace orrery {

template <class M>
class Reference : public ReferenceRows<M> {
 public:
  using Rows = ReferenceRows<M>;
  using Rows::components;
  using Rows::ReferenceRows;
  using Rows::tables;
  using typename Rows::E;

  std::vector<double> query(const Query& q) const { return query(q, rule_of(q)); }

  std::vector<double> scores(const Query& q) const {
    const auto ids = all_entities(shape_.entities);
    auto s = scores(query(q), candidates(q.time, ids));
    add(feature_scores(q, ids), s);
    return s;
  }

  // The loss of a batch, and its gradient if wanted. `teacher` is what the rules' teacher answers
  // by.
  LossSums loss(std::span<const Example> shuffled, const LossRules& rules, std::uint64_t step_key,
                ReferenceTables* gradient, const Reference* teacher = nullptr) const {
    LossSums sums{.steps = 1};
    ReferenceTables unused;
    if (gradient == nullptr) gradient = &unused;
    *gradient = tables;
    for (auto& table : *gradient) std::fill(table.begin(), table.end(), 0.0);
    std::vector<Example> batch(shuffled.begin(), shuffled.end());
    if (candidates_of<M>() == Candidates::each_time) order_by_time(batch);
    const auto ids = candidate_ids(batch, shape_.entities, rules.negatives, step_key);
    const double share = 1.0 / static_cast<double>(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Query& asked = batch[i].query;
      auto rule = rule_of(asked);
      rule.penalty_weight = rules.lambda_n3 * share;
      rule.norm = rules.norm;
      rule.drop_rate = rules.dropout;
      rule.drop_lanes = rules.drop_lanes;
      rule.drop_key = random_bits(step_key, i);
      const auto q = query(asked, rule);
      const auto held = candidates(asked.time, ids);
      std::vector<double> dq(q.size());
      auto d_candidates = held;
      auto targets = one_hot(ids.size(), position_of(ids, batch[i].object));
      if (rules.teacher_share > 0) {
        auto taught = teacher->scores(teacher->query(asked), teacher->candidates(asked.time, ids));
        add(teacher->feature_scores(asked, ids), taught);
        teach(targets, taught, rules.teacher_share);
      }
      const auto added = feature_scores(asked, ids);
      std::vector<double> ds(ids.size());
      sums.cross_entropy +=
          share * cross_entropy_back(q, held, added, targets, share, dq, d_candidates, ds);
      features_back(asked, ids, ds, *gradient);
      candidates_back(asked.time, ids, d_candidates, *gradient);
      if constexpr (has_core<M>()) dq = core_back(Pass<M>(*this, rule).value(asked), dq, *gradient);
      sums.n3 += rules.lambda_n3 * share * Pass<M>(*this, rule).back(asked, dq, *gradient);
      rule.drop_rate = 0;
      Query answered = asked;
      answered.subject = batch[i].object;
      sums.n3 += rules.lambda_n3 * share * Pass<M>(*this, rule).answer_back(answered, *gradient);
    }
    if (features_ != nullptr)
      for (std::size_t i = 0; i < tables.back().size(); ++i) {
        const double worth = tables.back()[i];
        gradient->back()[i] += rules.lambda_features * worth;
        sums.n3 += rules.lambda_features * worth * worth / 2;
      }
    sums.time = time_back(rules, *gradient);
    sums.auxiliary = sides_back(batch, rules, *gradient);
    return sums;
  }

 protected:
  using Rows::at;
  using Rows::feature_scores;
  using Rows::features_;
  using Rows::features_back;
  using Rows::lanes_;
  using Rows::rule_of;
  using Rows::shape_;
  template <class Formula>
  using Pass = typename Rows::template Pass<Formula>;

  std::vector<double> query(const Query& q, const FactorRule<double>& rule) const {
    const auto made = Pass<M>(*this, rule).value(q);
    if constexpr (has_core<M>())
      return core_product(made);
    else
      return made;
  }

 private:
  static void add(const std::vector<double>& what, std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
  }

 protected:
  // The core tensor: query_k = Σ left_i right_j core[i, j]_k.
  static constexpr std::size_t core_row = [] {
    std::size_t row = 0;
    while (row + 1 < row_count<M> && M::rows[row].of != RowOf::core) ++row;
    return row;
  }();
  std::vector<double> core_product(const std::vector<double>& pair) const {
    std::vector<double> q(static_cast<std::size_t>(lanes_));
    for (int i = 0; i < lanes_; ++i)
      for (int j = 0; j < lanes_; ++j)
        for (int k = 0; k < lanes_; ++k)
          q[k] += pair[i] * pair[lanes_ + j] * tables[core_row][at(i * lanes_ + j, 0, k)];
    return q;
  }
  std::vector<double> core_back(const std::vector<double>& pair, const std::vector<double>& dq,
                                ReferenceTables& gradient) const {
    std::vector<double> d_pair(pair.size());
    for (int i = 0; i < lanes_; ++i)
      for (int j = 0; j < lanes_; ++j) {
        const double left = pair[i], right = pair[lanes_ + j];
        double along = 0;
        for (int k = 0; k < lanes_; ++k) {
          const std::size_t place = at(i * lanes_ + j, 0, k);
          along += dq[k] * tables[core_row][place];
          gradient[core_row][place] += left * right * dq[k];
        }
        d_pair[i] += along * right;
        d_pair[lanes_ + j] += along * left;
      }
    return d_pair;
  }

 private:
  // What a query of this time is held against, and the way back to the rows it is made of.
  std::vector<std::vector<double>> candidates(std::int32_t time,
                                              const std::vector<std::int32_t>& ids) const {
    std::vector<std::vector<double>> rows;
    for (const std::int32_t e : ids) {
      if constexpr (derives_candidates<M>) {
        const Query of{e, 0, time};
        rows.push_back(Pass<CandidateOf<M>>(*this, rule_of(of)).value(of));
      } else {
        const auto begin = tables[0].begin() + std::ptrdiff_t{e} * shape_.dim;
        rows.emplace_back(begin, begin + shape_.dim);
      }
    }
    return rows;
  }
  void candidates_back(std::int32_t time, const std::vector<std::int32_t>& ids,
                       const std::vector<std::vector<double>>& d, ReferenceTables& gradient) const {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Query of{ids[i], 0, time};
      if constexpr (derives_candidates<M>)
        Pass<CandidateOf<M>>(*this, rule_of(of)).back(of, d[i], gradient);
      else
        for (std::size_t k = 0; k < d[i].size(); ++k)
          gradient[0][static_cast<std::size_t>(ids[i]) * d[i].size() + k] += d[i][k];
    }
  }

  // One lane of a row, as a leaf of a comparison.
  template <class A>
  Element<double, A> lane_of(const std::vector<double>& row, int lane) const {
    Element<double, A> e;
    for (int c = 0; c < A::size; ++c) e.c[c] = row[c * lanes_ + lane];
    return e;
  }
  using HeldAlgebra = std::conditional_t<has_core<M>(), typename M::Algebra, QueryAlgebra<M>>;
  using QueryLane = Element<double, HeldAlgebra>;
  using CandidateLane = Element<double, CandidateAlgebra<M>>;

 protected:
  double compare(const std::vector<double>& q, const std::vector<double>& candidate) const {
    double sum = 0;
    for (int l = 0; l < lanes_; ++l) {
      QueryLane dq;
      CandidateLane dc;
      sum += Comparator<M>::compare(
                 Leaf<QueryLane>{lane_of<HeldAlgebra>(q, l), &dq},
                 Leaf<CandidateLane>{lane_of<CandidateAlgebra<M>>(candidate, l), &dc})
                 .v;
    }
    return Comparator<M>::rooted ? -std::sqrt(sum) : sum;
  }
  // Adds `d` times the derivatives of a score.
  void compare_back(const std::vector<double>& q, const std::vector<double>& candidate,
                    double score, double d, std::vector<double>& d_query,
                    std::vector<double>& d_candidate) const {
    if (Comparator<M>::rooted) d *= root_slope(score);
    for (int l = 0; l < lanes_; ++l) {
      auto dq = zero_element<double, HeldAlgebra>();
      auto dc = zero_element<double, CandidateAlgebra<M>>();
      Comparator<M>::compare(Leaf<QueryLane>{lane_of<HeldAlgebra>(q, l), &dq},
                             Leaf<CandidateLane>{lane_of<CandidateAlgebra<M>>(candidate, l), &dc})
          .back(d);
      for (int c = 0; c < dq.size; ++c) d_query[c * lanes_ + l] += dq.c[c];
      for (int c = 0; c < dc.size; ++c) d_candidate[c * lanes_ + l] += dc.c[c];
    }
  }

 private:
  std::vector<double> scores(const std::vector<double>& q,
                             const std::vector<std::vector<double>>& held) const {
    std::vector<double> s;
    for (const auto& candidate : held) s.push_back(compare(q, candidate));
    return s;
  }

  static std::vector<double> log_softmax(std::vector<double> s) {
    const double top = *std::ranges::max_element(s);
    double sum = 0;
    for (const double v : s) sum += std::exp(v - top);
    for (double& v : s) v -= top + std::log(sum);
    return s;
  }

  static std::vector<double> one_hot(std::size_t size, std::size_t target) {
    std::vector<double> targets(size);
    targets[target] = 1;
    return targets;
  }
  // Gives a share of the targets to what these scores say.
  static void teach(std::vector<double>& targets, const std::vector<double>& taught, double share) {
    const auto log_p = log_softmax(taught);
    for (std::size_t e = 0; e < targets.size(); ++e)
      targets[e] = (1 - share) * targets[e] + share * std::exp(log_p[e]);
  }

  // `added` to the scores; `ds` is their gradient.
  double cross_entropy_back(const std::vector<double>& q,
                            const std::vector<std::vector<double>>& held,
                            const std::vector<double>& added, const std::vector<double>& targets,
                            double share, std::vector<double>& dq,
                            std::vector<std::vector<double>>& d_candidates,
                            std::vector<double>& ds) const {
    const auto compared = scores(q, held);
    auto s = compared;
    add(added, s);
    const auto log_p = log_softmax(s);
    double value = 0;
    for (std::size_t e = 0; e < s.size(); ++e) {
      std::ranges::fill(d_candidates[e], 0.0);
      ds[e] = share * (std::exp(log_p[e]) - targets[e]);
      compare_back(q, held[e], compared[e], ds[e], dq, d_candidates[e]);
      value -= targets[e] * log_p[e];
    }
    return value;
  }

  double sides_back(std::span<const Example> batch, const LossRules& rules,
                    ReferenceTables& gradient) const {
    double value = 0;
    if constexpr (auxiliary_targets<M>(AuxiliaryLoss::relation) >= 0)
      value += side_back<AuxiliaryLoss::relation>(batch, rules, gradient);
    if constexpr (auxiliary_targets<M>(AuxiliaryLoss::time) >= 0)
      value += side_back<AuxiliaryLoss::time>(batch, rules, gradient);
    return value;
  }
  template <AuxiliaryLoss Question>
  double side_back(std::span<const Example> batch, const LossRules& rules,
                   ReferenceTables& gradient) const {
    constexpr auto answers = static_cast<std::size_t>(auxiliary_targets<M>(Question));
    const double weight = rules.auxiliary[static_cast<std::size_t>(Question)];
    if (weight == 0) return 0;
    const double share = weight / static_cast<double>(batch.size());
    const auto& table = tables[answers];
    std::vector<std::vector<double>> held;
    for (auto row = table.begin(); row != table.end(); row += shape_.dim)
      held.emplace_back(row, row + shape_.dim);
    double value = 0;
    for (const Example& example : batch) {
      const auto q = side_query<Question>(example);
      const Query& asked = example.query;
      const auto target = static_cast<std::size_t>(
          Question == AuxiliaryLoss::relation ? asked.relation : asked.time);
      std::vector<double> dq(q.size());
      auto d_held = held;
      std::vector<double> ds(held.size());
      value += share * cross_entropy_back(q, held, std::vector<double>(held.size()),
                                          one_hot(held.size(), target), share, dq, d_held, ds);
      for (std::size_t i = 0; i < d_held.size(); ++i)
        for (std::size_t k = 0; k < dq.size(); ++k)
          gradient[answers][i * dq.size() + k] += d_held[i][k];
      side_query_back<Question>(example, dq, gradient);
    }
    return value;
  }

  template <AuxiliaryLoss Question>
  std::vector<double> side_query(const Example& example) const {
    std::vector<double> row(static_cast<std::size_t>(shape_.dim));
    for (int l = 0; l < lanes_; ++l) {
      E x[row_count<M> + 1];
      load_side(example, l, x);
      FactorRule<double> rule;
      Lane<double, 0> lane(rule);
      const auto v = query_value<SideFormulaOf<M, Question>, double>(lane, x);
      for (int c = 0; c < components; ++c) row[at(0, c, l)] = v.c[c];
    }
    return row;
  }
  template <AuxiliaryLoss Question>
  void side_query_back(const Example& example, const std::vector<double>& dq,
                       ReferenceTables& gradient) const {
    for (int l = 0; l < lanes_; ++l) {
      E x[row_count<M> + 1], g[row_count<M> + 1], d;
      load_side(example, l, x);
      for (auto& e : g) e = zero_element<double, typename M::Algebra>();
      for (int c = 0; c < components; ++c) d.c[c] = dq[at(0, c, l)];
      FactorRule<double> rule;
      Lane<double, 0> lane(rule);
      query_back<SideFormulaOf<M, Question>, double>(lane, x, d, g);
      this->store(example.query, l, g, gradient);
      for (int c = 0; c < components; ++c)
        gradient[0][at(example.object, c, l)] += g[row_count<M>].c[c];
    }
  }
  void load_side(const Example& example, int lane, E* x) const {
    this->load(example.query, lane, x);
    for (int c = 0; c < components; ++c)
      x[row_count<M>].c[c] = tables[0][at(example.object, c, lane)];
  }

  // Windows take as many steps as there are windows less one; times likewise.
  double time_back(const LossRules& rules, ReferenceTables& gradient) const {
    double value = 0;
    if (rules.lambda_time == 0 || shape_.times < 2) return 0;
    const double weight = rules.lambda_time / (shape_.times - 1);
    E steps[row_count<M>], g[row_count<M>];
    for (std::int32_t t = 0; t + 1 < shape_.times; ++t)
      for (int l = 0; l < lanes_; ++l) {
        for (std::size_t r = 0; r < row_count<M>; ++r) {
          g[r] = zero_element<double, typename M::Algebra>();
          steps[r] = step_of(r, t, l);
        }
        value += weight * timeline_back<M, double>(steps, weight, rules.time_norm(), g);
        for (std::size_t r = 0; r < row_count<M>; ++r) add_step(r, t, l, g[r], gradient[r]);
      }
    return value;
  }

  // Of the row's step from time t on; zero where it takes none.
  E step_of(std::size_t row, std::int32_t t, int lane) const {
    E step = zero_element<double, typename M::Algebra>();
    const RowOf of = M::rows[row].of;
    if (tables[row].empty() || !takes_part(of, t)) return step;
    for (int c = 0; c < components; ++c) {
      step.c[c] = tables[row][at(of == RowOf::shared ? 0 : t + 1, c, lane)];
      if (of != RowOf::shared) step.c[c] -= tables[row][at(t, c, lane)];
    }
    return step;
  }
  void add_step(std::size_t row, std::int32_t t, int lane, const E& g,
                std::vector<double>& gradient) const {
    const RowOf of = M::rows[row].of;
    if (gradient.empty() || !takes_part(of, t)) return;
    for (int c = 0; c < components; ++c) {
      gradient[at(of == RowOf::shared ? 0 : t + 1, c, lane)] += g.c[c];
      if (of != RowOf::shared) gradient[at(t, c, lane)] -= g.c[c];
    }
  }
  bool takes_part(RowOf of, std::int32_t t) const {
    if (of == RowOf::window) return t + 1 < shape_.rows_of(of);
    return of == RowOf::time || of == RowOf::shared;
  }
};

}  // namespace orrery
