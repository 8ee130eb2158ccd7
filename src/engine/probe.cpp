#include "engine/probe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "engine/reference.h"
#include "models/gate_names.h"
#include "models/list.h"

namespace orrery {
namespace {

// A typical entity is the mean of this many, evenly chosen.
constexpr std::int32_t typical_of = 1000;

// Its queries are embeddings as its candidates are, and lanes do not mix.
template <class M>
inline constexpr bool maps_entities =
    !has_core<M>() && std::is_same_v<QueryAlgebra<M>, typename M::Algebra> &&
    std::is_same_v<CandidateAlgebra<M>, typename M::Algebra>;

// The slow truth over tables of one row each, which hold what a question reads.
template <class M>
class ProbeOf final : public Probe, private Reference<M> {
 public:
  ProbeOf(const ModelPlan& plan, std::vector<std::span<const float>> rows)
      : Reference<M>(plan_of_one(plan), tables_of_one(plan, rows)),
        rows_(std::move(rows)),
        shape_of_all_(plan.shape),
        clock_of_all_(clock_of(plan)),
        gradient_(tables) {
    if constexpr (has_core<M>()) gradient_[Slow::core_row].clear();
  }

  std::vector<double> scores(const Query& query, std::span<const std::int32_t> entities) override {
    const auto asked = begin(query);
    std::vector<double> found;
    for (const std::int32_t e : entities) found.push_back(this->compare(asked, candidate(e)));
    return found;
  }

  std::vector<NamedGate> attention(const Query& query) override {
    std::vector<NamedGate> weights;
    if constexpr (!gate_names<M>.empty()) {
      load_context(query);
      load_entity(query.subject);
      const auto found = Pass<M>(*this, rule()).gates_of(only);
      for (const GateName& name : gate_names<M>)
        weights.push_back({name.view, name.part, found.value[name.gate]});
    }
    return weights;
  }

  EntityMap entity_map(const Query& query) override {
    if constexpr (maps_entities<M>) {
      load_context(query);
      load_typical_entity();
      return map_of_loaded();
    } else {
      return {};
    }
  }
  double entity_size() override {
    load_typical_entity();
    return entity_size_;
  }

  void gradient(const Query& query, std::span<const WeighedEntity> answers,
                const ExamplePenalty& penalty, RowSink& sink) override {
    const auto asked = begin(query);
    std::vector<double> d_asked(asked.size());
    for (const WeighedEntity& answer : answers)
      answer_gradient(query, asked, answer, d_asked, sink);
    auto with_penalty = rule();
    with_penalty.penalty_weight = penalty.weight;
    with_penalty.norm = penalty.norm;
    if (is_wanted(query, query.subject, sink)) {
      load_entity(query.subject);
      clear_gradient();
      if constexpr (has_core<M>()) d_asked = core_gradient(d_asked, sink);
      Pass<M>(*this, with_penalty).back(only, d_asked, gradient_);
      send(query, query.subject, sink);
    }
    if (penalty.weight == 0 || !is_wanted(query, penalty.answer, sink)) return;
    load_entity(penalty.answer);
    clear_gradient();
    Pass<M>(*this, with_penalty).answer_back(only, gradient_);
    send(query, penalty.answer, sink);
  }

 private:
  using Slow = Reference<M>;
  using Slow::lanes_;
  using Slow::tables;
  template <class Formula>
  using Pass = typename Slow::template Pass<Formula>;

  static constexpr Query only = {0, 0, 0};  // its tables' one row

  static ModelPlan plan_of_one(const ModelPlan& plan) {
    ModelPlan one{plan.variant, {1, 1, 1, plan.shape.dim, 1}, plan.without};
    return one;
  }
  static ReferenceTables tables_of_one(const ModelPlan& plan,
                                       const std::vector<std::span<const float>>& rows) {
    ReferenceTables tables(row_count<M>);
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      if (rows[r].empty()) continue;
      if (M::rows[r].of == RowOf::core)
        tables[r].assign(rows[r].begin(), rows[r].end());
      else
        tables[r].resize(static_cast<std::size_t>(plan.shape.dim));
    }
    return tables;
  }

  std::int32_t id_of(std::size_t row, const Query& query, std::int32_t entity) const {
    return id_in(query, M::rows[row].of, entity, shape_of_all_.window);
  }
  std::span<const float> row_of(std::size_t row, std::int32_t id) const {
    const auto dim = static_cast<std::size_t>(shape_of_all_.dim);
    return rows_[row].subspan(static_cast<std::size_t>(id) * dim, dim);
  }

  FactorRule<double> rule() const { return this->rule_of(only); }

  // The query's value; what else it reads but its subject stays loaded.
  std::vector<double> begin(const Query& query) {
    load_context(query);
    load_entity(query.subject);
    return this->query(only, rule());
  }
  void load_context(const Query& query) {
    const auto time = clock_of_all_.begin() + std::ptrdiff_t{query.time} * clock_readings;
    this->clock_.assign(time, time + clock_readings);
    load_where(query, 0, [](RowOf of) { return of != RowOf::entity && of != RowOf::core; });
  }
  void load_entity(std::int32_t entity) {
    load_where(only, entity, [](RowOf of) { return of == RowOf::entity; });
  }
  template <class Which>
  void load_where(const Query& query, std::int32_t entity, const Which& which) {
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (!tables[r].empty() && which(M::rows[r].of))
        std::ranges::copy(row_of(r, id_of(r, query, entity)), tables[r].begin());
  }

  std::vector<double> candidate(std::int32_t entity) {
    if constexpr (derives_candidates<M>) {
      load_entity(entity);
      return candidate_of_loaded();
    } else {
      const auto row = row_of(0, entity);
      return {row.begin(), row.end()};
    }
  }

  // The mean of every entity row, which the first call computes.
  void load_typical_entity() {
    if (typical_.empty()) find_typical_entity();
    for (std::size_t r = 0; r < entity_row_count<M>; ++r)
      std::ranges::copy(typical_[r], tables[r].begin());
  }
  void find_typical_entity() {
    const std::int32_t count = std::min(shape_of_all_.entities, typical_of);
    double squares = 0;
    for (std::size_t r = 0; r < entity_row_count<M>; ++r) {
      typical_.emplace_back(static_cast<std::size_t>(shape_of_all_.dim));
      for (std::int32_t i = 0; i < count; ++i) {
        const auto entity = std::int64_t{i} * shape_of_all_.entities / count;
        const auto row = row_of(r, static_cast<std::int32_t>(entity));
        for (std::size_t k = 0; k < row.size(); ++k) typical_[r][k] += double{row[k]} / count;
        if (r == 0)
          for (const float x : row) squares += double{x} * double{x};
      }
    }
    entity_size_ = std::sqrt(squares / (static_cast<double>(shape_of_all_.dim) * count));
  }

  // Of the rows that are loaded. Each component of a query is swept back to the entity's row.
  EntityMap map_of_loaded() requires(maps_entities<M>) {
    constexpr auto n = static_cast<std::size_t>(M::Algebra::size);
    const auto lanes = static_cast<std::size_t>(lanes_);
    EntityMap map{Comparator<M>::product, lanes, n, {}, {}};
    map.matrices.resize(lanes * n * n);
    map.shift.resize(lanes * n);
    const auto plain = rule();  // which the lane looks at
    LaneOf<M, double> lane(plain);
    if constexpr (vote_count<M>() > 0) {
      const auto found = Pass<M>(*this, rule()).gates_of(only);
      for (int i = 0; i < gate_count<M>(); ++i) lane.gates[i] = found.value[i];
    }
    const auto held = candidate_of_loaded();
    LaneElement<M, double> x[row_count<M>], g[row_count<M>];
    for (std::size_t l = 0; l < lanes; ++l) {
      this->load(only, static_cast<int>(l), x);
      lane.move_to(static_cast<std::uint32_t>(l));
      const auto value = query_value<M, double>(lane, x);
      for (std::size_t to = 0; to < n; ++to) {
        for (auto& e : g) e = zero_element<double, typename M::Algebra>();
        auto d = zero_element<double, typename M::Algebra>();
        d.c[to] = 1;
        lane.move_to(static_cast<std::uint32_t>(l));
        query_back<M, double>(lane, x, d, g);
        map.shift[l * n + to] = value.c[to];
        for (std::size_t from = 0; from < n; ++from) {
          map.matrices[(l * n + from) * n + to] = g[0].c[from];
          map.shift[l * n + to] -= held[from * lanes + l] * g[0].c[from];
        }
      }
    }
    return map;
  }
  std::vector<double> candidate_of_loaded() const {
    if constexpr (derives_candidates<M>)
      return Pass<CandidateOf<M>>(*this, rule()).value(only);
    else
      return tables[0];
  }

  void answer_gradient(const Query& query, const std::vector<double>& asked,
                       const WeighedEntity& answer, std::vector<double>& d_asked, RowSink& sink) {
    const auto held = candidate(answer.entity);
    std::vector<double> d_held(held.size());
    const double score = Comparator<M>::rooted ? this->compare(asked, held) : 0;
    this->compare_back(asked, held, score, answer.weight, d_asked, d_held);
    if constexpr (derives_candidates<M>) {
      if (!is_wanted(query, answer.entity, sink)) return;
      clear_gradient();
      Pass<CandidateOf<M>>(*this, rule()).back(only, d_held, gradient_);
      send(query, answer.entity, sink);
    } else if (sink.wants(0, answer.entity)) {
      sink.add(0, answer.entity, d_held);
    }
  }

  // Of the pair of rows that the core multiplies, from the query's.
  std::vector<double> core_gradient(const std::vector<double>& d_asked,
                                    RowSink& sink) requires(has_core<M>()) {
    const auto pair = Pass<M>(*this, rule()).value(only);
    const auto lanes = static_cast<std::size_t>(lanes_);
    const std::span<const double> left(pair.data(), lanes), right(pair.data() + lanes, lanes);
    std::vector<double> d_pair(pair.size());
    const double* core = tables[Slow::core_row].data();
    for (std::size_t i = 0; i < lanes; ++i)
      for (std::size_t j = 0; j < lanes; ++j, core += lanes) {
        double along = 0;
        for (std::size_t k = 0; k < lanes; ++k) along += d_asked[k] * core[k];
        d_pair[i] += along * right[j];
        d_pair[lanes + j] += along * left[i];
      }
    sink.add_core(left, right, d_asked);
    return d_pair;
  }

  bool is_wanted(const Query& query, std::int32_t entity, const RowSink& sink) const {
    if (has_core<M>()) return true;
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (!tables[r].empty() && sink.wants(r, id_of(r, query, entity))) return true;
    return false;
  }
  void clear_gradient() {
    for (auto& table : gradient_) std::ranges::fill(table, 0.0);
  }
  void send(const Query& query, std::int32_t entity, RowSink& sink) const {
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      const std::int32_t id = id_of(r, query, entity);
      if (!gradient_[r].empty() && sink.wants(r, id)) sink.add(r, id, gradient_[r]);
    }
  }

  std::vector<std::span<const float>> rows_;
  ModelShape shape_of_all_;
  std::vector<float> clock_of_all_;
  ReferenceTables gradient_;
  std::vector<std::vector<double>> typical_;  // by entity row; empty: not yet computed
  double entity_size_ = 0;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const ModelPlan& plan, std::vector<std::span<const float>> rows) {
  std::unique_ptr<Probe> made;
  [&]<class... Models>(ModelList<Models...>) {
    std::size_t index = 0;
    ((index++ == plan.variant->index
          ? void(made = std::make_unique<ProbeOf<Models>>(plan, std::move(rows)))
          : void()),
     ...);
  }(AllModels{});
  return made;
}

}  // namespace orrery
