#include "serve/influence.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/thread_pool.h"
#include "engine/probe.h"

namespace orrery {
namespace {

// Candidates beyond the best ones have next to no share of a softmax: their gradients are left out.
constexpr std::size_t rivals = 64;
constexpr std::size_t examples_at_once = 4096;
constexpr std::size_t examples_a_task = 64;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// A gradient, as the few rows that it touches.
class SparseGradient final : public RowSink {
 public:
  explicit SparseGradient(std::size_t rows) : rows_(rows) {}

  bool wants(std::size_t, std::int32_t) const override { return true; }
  void add(std::size_t row, std::int32_t id, std::span<const double> gradient) override {
    auto& sum = rows_[row][id];
    sum.resize(gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) sum[i] += gradient[i];
  }
  void add_core(std::span<const double> left, std::span<const double> right,
                std::span<const double> query) override {
    core_.push_back(
        {{left.begin(), left.end()}, {right.begin(), right.end()}, {query.begin(), query.end()}});
  }

  const std::vector<double>* find(std::size_t row, std::int32_t id) const {
    const auto found = rows_[row].find(id);
    return found == rows_[row].end() ? nullptr : &found->second;
  }
  double along_core(std::span<const double> left, std::span<const double> right,
                    std::span<const double> query) const {
    double sum = 0;
    for (const OuterProduct& part : core_)
      sum += dot(part.left, left) * dot(part.right, right) * dot(part.query, query);
    return sum;
  }

 private:
  struct OuterProduct {
    std::vector<double> left, right, query;
  };
  std::vector<std::unordered_map<std::int32_t, std::vector<double>>> rows_;
  std::vector<OuterProduct> core_;
};

// The product of a gradient on its way with another one.
class ProductWith final : public RowSink {
 public:
  explicit ProductWith(const SparseGradient& other) : other_(other) {}
  double sum = 0;

  bool wants(std::size_t row, std::int32_t id) const override {
    return other_.find(row, id) != nullptr;
  }
  void add(std::size_t row, std::int32_t id, std::span<const double> gradient) override {
    if (const auto* found = other_.find(row, id)) sum += dot(*found, gradient);
  }
  void add_core(std::span<const double> left, std::span<const double> right,
                std::span<const double> query) override {
    sum += other_.along_core(left, right, query);
  }

 private:
  const SparseGradient& other_;
};

// p − y of the answers that matter, y being 1 for the target.
std::vector<WeighedEntity> cross_entropy_slopes(const TopAnswers& top, std::int32_t target) {
  std::vector<WeighedEntity> slopes;
  bool met = false;
  for (const ScoredEntity& one : top.best) {
    const bool is_target = one.entity == target;
    met = met || is_target;
    slopes.push_back({one.entity, std::exp(one.score - top.log_sum) - (is_target ? 1 : 0)});
  }
  if (!met) slopes.push_back({target, -1});
  return slopes;
}

// A fact that is known by heart has next to no gradient left, however much it taught. Divided by
// the root of 1 − p, what it has left says more of that.
void soften(std::vector<WeighedEntity>& slopes, std::int32_t target) {
  constexpr double least = 1e-6;
  const auto own = std::ranges::find(slopes, target, &WeighedEntity::entity);
  const double root = std::sqrt(std::max(least, -own->weight));
  for (WeighedEntity& one : slopes) one.weight /= root;
}

// Of what the fact's answers have over all others, in both directions.
SparseGradient gradient_of_standing(const StoredModel& model, Asker& asker,
                                    const AskedFact& asked) {
  SparseGradient gradient(model.plan().variant->rows.size());
  const auto probe = probe_of(model);
  for (const Direction direction : {Direction::object, Direction::subject}) {
    const QueryPair queries = queries_at(model.header(), asked, direction, asked.time);
    TopAnswers top;
    asker.top({&queries, 1}, rivals, {&top, 1});
    auto slopes = cross_entropy_slopes(top, asked.answer(direction));
    double others = 1e-9;
    for (const WeighedEntity& one : slopes)
      if (one.entity != asked.answer(direction)) others += one.weight;
    for (WeighedEntity& one : slopes) one.weight /= -others;
    probe->gradient(queries.first, slopes, {}, gradient);
    if (queries.paired) probe->gradient(queries.second, slopes, {}, gradient);
  }
  return gradient;
}

// One question of a training fact, and how often an epoch asks it.
struct FactExample {
  Example example;
  std::size_t fact = 0;
  double times = 1;
};

void append_examples(const ModelHeader& header, const AskedFact& asked, const RelatedFact& related,
                     std::size_t place, std::vector<FactExample>& examples) {
  const AskedFact fact{.subject = related.fact.subject,
                       .relation = related.fact.relation,
                       .object = related.fact.object,
                       .time = 0,
                       .timed = true,
                       .note = {}};
  for (const Direction direction : {Direction::object, Direction::subject}) {
    const std::int32_t answer = fact.answer(direction);
    if (header.times.has_ends()) {
      const Moment rows = related.rows;
      if (rows.start != Moment::unknown)
        examples.push_back(
            {{queries_at(header, fact, direction, rows.start).first, answer}, place});
      if (rows.end != Moment::unknown)
        examples.push_back({{queries_at(header, fact, direction, rows.end).second, answer}, place});
      continue;
    }
    // Training draws two times of an interval, often its ends; here the nearest one counts as well.
    std::vector<std::int32_t> times = {related.rows.start,
                                       std::clamp(asked.time, related.rows.start, related.rows.end),
                                       related.rows.end};
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const double draws = header.times.within ? 2 : 1;
    for (const std::int32_t time : times)
      examples.push_back({{queries_at(header, fact, direction, time).first, answer},
                          place,
                          draws / static_cast<double>(times.size())});
  }
}

// Probes are expensive where there is a core tensor, so tasks hand them on.
class ProbeShelf {
 public:
  explicit ProbeShelf(const StoredModel& model) : model_(model) {}
  std::unique_ptr<Probe> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return probe_of(model_);
    auto probe = std::move(idle_.back());
    idle_.pop_back();
    return probe;
  }
  void put_back(std::unique_ptr<Probe> probe) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(probe));
  }

 private:
  const StoredModel& model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Probe>> idle_;
};

}  // namespace

std::unique_ptr<Probe> probe_of(const StoredModel& model) {
  std::vector<std::span<const float>> rows(model.plan().variant->rows.size());
  for (std::size_t t = 0; t < model.tables().size(); ++t)
    if (model.tables()[t].row != no_row) rows[model.tables()[t].row] = model.rows(t);
  return make_probe(model.plan(), std::move(rows));
}

std::size_t most_influences(const StoredModel& model, std::size_t wanted) {
  if (!model.plan().variant->has_core) return wanted;
  constexpr double products_a_second = 2e9;
  const double dim = model.plan().shape.dim;
  const double a_fact = 2 * 3 * dim * dim * dim;  // both directions; once up, and twice down
  return std::min(wanted, static_cast<std::size_t>(products_a_second / a_fact));
}

std::vector<double> influences(const StoredModel& model, Asker& asker, const AskedFact& asked,
                               std::span<const RelatedFact> facts, int threads) {
  const SparseGradient standing = gradient_of_standing(model, asker, asked);
  std::vector<FactExample> examples;
  for (std::size_t i = 0; i < facts.size(); ++i)
    append_examples(model.header(), asked, facts[i], i, examples);
  std::vector<double> products(examples.size());
  ThreadPool pool(threads);
  ProbeShelf probes(model);
  for (std::size_t first = 0; first < examples.size(); first += examples_at_once) {
    const std::size_t count = std::min(examples_at_once, examples.size() - first);
    std::vector<QueryPair> queries;
    for (std::size_t i = first; i < first + count; ++i)
      queries.push_back({examples[i].example.query, {}, false});
    std::vector<TopAnswers> top(count);
    asker.top(queries, rivals, top);
    parallel_for(pool, count, examples_a_task, [&](std::size_t begin, std::size_t end) {
      auto probe = probes.take();
      for (std::size_t i = begin; i < end; ++i) {
        const Example& example = examples[first + i].example;
        ProductWith product(standing);
        auto slopes = cross_entropy_slopes(top[i], example.object);
        soften(slopes, example.object);
        probe->gradient(example.query, slopes, {}, product);
        products[first + i] = product.sum;
      }
      probes.put_back(std::move(probe));
    });
  }
  std::vector<double> found(facts.size());
  for (std::size_t i = 0; i < examples.size(); ++i)
    found[examples[i].fact] -= examples[i].times * products[i];
  return found;
}

}  // namespace orrery
