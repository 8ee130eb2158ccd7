// A probe against the slow truth, which has all rows at hand.
#include "engine/probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/battery.h"
#include "engine/slow_model.h"

namespace orrery {
namespace {

// What it is sent, as whole tables.
class DenseSink final : public RowSink {
 public:
  DenseSink(const ModelPlan& plan, const ReferenceTables& like) : plan_(plan), tables(like) {
    for (auto& table : tables) std::ranges::fill(table, 0.0);
  }
  bool wants(std::size_t, std::int32_t) const override { return true; }
  void add(std::size_t row, std::int32_t id, std::span<const double> gradient) override {
    for (std::size_t i = 0; i < gradient.size(); ++i)
      tables[row][static_cast<std::size_t>(id) * gradient.size() + i] += gradient[i];
  }
  void add_core(std::span<const double> left, std::span<const double> right,
                std::span<const double> query) override {
    std::size_t core = 0;
    while (plan_.variant->rows[core].of != RowOf::core) ++core;
    std::size_t place = 0;
    for (const double l : left)
      for (const double r : right)
        for (const double q : query) tables[core][place++] += l * r * q;
  }

 private:
  const ModelPlan& plan_;

 public:
  ReferenceTables tables;
};

class Probes : public ByVariant {
 protected:
  Probes() : plan_(plan(5)), start_(random_tables(plan_, 9, 0.5)) {
    for (const auto& table : start_) floats_.emplace_back(table.begin(), table.end());
    std::vector<std::span<const float>> rows;
    for (const auto& table : floats_) rows.emplace_back(table);
    probe_ = make_probe(plan_, rows);
    slow_ = make_slow_model(plan_, start_);
  }

  // p − y of all entities.
  std::vector<WeighedEntity> slopes(const Example& example) const {
    const auto scores = slow_->scores(example.query);
    const double top = *std::ranges::max_element(scores);
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - top);
    std::vector<WeighedEntity> found;
    for (std::size_t e = 0; e < scores.size(); ++e)
      found.push_back({static_cast<std::int32_t>(e), std::exp(scores[e] - top) / sum});
    found[static_cast<std::size_t>(example.object)].weight -= 1;
    return found;
  }

  ModelPlan plan_;
  ReferenceTables start_;
  std::vector<std::vector<float>> floats_;
  std::unique_ptr<Probe> probe_;
  std::unique_ptr<SlowModel> slow_;
};

TEST_P(Probes, ScoresAreThoseOfTheSlowTruth) {
  const auto all = all_entities(plan_.shape.entities);
  for (const Example& example : random_examples(plan_.shape, 6, 4)) {
    const auto expected = slow_->scores(example.query);
    const auto found = probe_->scores(example.query, all);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t e = 0; e < found.size(); ++e)
      EXPECT_NEAR(found[e], expected[e], 1e-12 * (1 + std::abs(expected[e])));
  }
}

TEST_P(Probes, TheGradientOfALossIsThatOfTheSlowTruth) {
  const LossRules rules{.lambda_n3 = 0.3, .norm = {Norm::complex, 3}};
  for (const Example& example : random_examples(plan_.shape, 4, 5)) {
    ReferenceTables expected;
    slow_->loss({example}, rules, 1, &expected);
    DenseSink found(plan_, start_);
    probe_->gradient(example.query, slopes(example), {rules.lambda_n3, rules.norm, example.object},
                     found);
    for (std::size_t r = 0; r < expected.size(); ++r)
      for (std::size_t i = 0; i < expected[r].size(); ++i)
        ASSERT_NEAR(found.tables[r][i], expected[r][i], 1e-10)
            << plan_.variant->rows[r].name << " at " << i;
  }
}

TEST_P(Probes, AttentionIsOfThoseThatHaveIt) {
  const std::string attention(variant.choice("attention"));
  const auto weights = probe_->attention({3, 1, 2});
  const bool attends = variant.name == "hge" || (!attention.empty() && attention != "none");
  ASSERT_EQ(!weights.empty(), attends);
  for (std::size_t i = 0; i + 1 < weights.size(); i += 2) {
    EXPECT_EQ(weights[i].part, weights[i + 1].part);
    EXPECT_NEAR(weights[i].weight + weights[i + 1].weight, 1, 1e-12);
    EXPECT_NE(weights[i].view, weights[i + 1].view);
  }
}

// Where no gate and no clock has a part in it, the map is the whole formula.
TEST_P(Probes, TheMapOfEntitiesGivesTheScores) {
  const Query query{3, 1, 2};
  const EntityMap map = probe_->entity_map(query);
  if (map.numbers == 0) {
    EXPECT_TRUE(variant.has_core || variant.query_size != variant.algebra_size);
    return;
  }
  const std::size_t n = map.components;
  ASSERT_EQ(n, static_cast<std::size_t>(variant.algebra_size));
  ASSERT_EQ(map.matrices.size(), map.numbers * n * n);
  EXPECT_EQ(map.product, variant.by_product);
  const bool attends = !probe_->attention(query).empty();
  if (attends || variant.derives_candidates() || !variant.by_product) return;
  const auto row = [&](std::int32_t entity) {
    return std::span(floats_[0]).subspan(static_cast<std::size_t>(entity) * map.numbers * n);
  };
  const auto expected = slow_->scores(query);
  for (std::int32_t object = 0; object < plan_.shape.entities; ++object) {
    double score = 0;
    for (std::size_t l = 0; l < map.numbers; ++l)
      for (std::size_t to = 0; to < n; ++to) {
        double sent = map.shift[l * n + to];
        for (std::size_t from = 0; from < n; ++from)
          sent +=
              row(query.subject)[from * map.numbers + l] * map.matrices[(l * n + from) * n + to];
        score += sent * row(object)[to * map.numbers + l];
      }
    EXPECT_NEAR(score, expected[static_cast<std::size_t>(object)], 1e-9);
  }
}

TEST_P(Probes, TheSizeOfEntitiesIsThatOfTheirComponents) {
  double squares = 0;
  for (const float x : floats_[0]) squares += double{x} * double{x};
  EXPECT_NEAR(probe_->entity_size(), std::sqrt(squares / static_cast<double>(floats_[0].size())),
              1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, Probes, every_variant(), name_of_variant);

}  // namespace
}  // namespace orrery
