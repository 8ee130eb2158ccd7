// What a relation does to an entity, against the model's own scores.
#include "orrery/inspect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "api/small_runs.h"
#include "math/algebra.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::train_run;
using Value = Element<double, Biquaternion>;

template <class Number>
Value lane_of(std::span<const Number> row, std::size_t lane) {
  Value value;
  const std::size_t lanes = row.size() / Value::size;
  for (std::size_t c = 0; c < Value::size; ++c) value.c[c] = row[c * lanes + lane];
  return value;
}

class Inspect : public testing::SmallRuns {
 protected:
  TrainOptions without(std::vector<std::string> embeddings) const {
    TrainOptions o = options();
    o.choices["attention"] = "none";
    o.without = std::move(embeddings);
    o.init_scale = 0.5;
    return o;
  }
  Model trained(const TrainOptions& options, const std::string& run) const {
    train_run(options, at(run));
    return Model::open(at(run));
  }

  // Σ ⟨e_s · R, e_o⟩ over the biquaternions must be the score, as there are no shifts.
  static void expect_scores_of(const Model& model) {
    const std::int32_t relation = 2, time = 3;
    const std::int64_t subject = 5;
    const RelationTransform r =
        relation_transform(model, model.card().relation_ids.id(relation, false), time);
    const Embeddings entity = model.embeddings("entity");
    const Answers answers = model.predict({.subject = entity.names[subject],
                                           .relation = model.relation_names()[relation],
                                           .time = model.time_names()[time]},
                                          {.top = static_cast<std::size_t>(entity.info.rows)});
    ASSERT_EQ(answers.size(), 20U);
    for (const Answer& answer : answers) {
      const auto object = std::ranges::find(entity.names, answer.name) - entity.names.begin();
      double score = 0;
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(model.card().lanes); ++lane)
        score += dot(mul(lane_of(entity.row(subject), lane),
                         lane_of(std::span<const double>(r.product), lane)),
                     lane_of(entity.row(object), lane));
      EXPECT_NEAR(answer.score, score, 1e-5) << answer.name;
    }
  }
};

TEST_F(Inspect, TransformsGiveTheScores) {
  expect_scores_of(trained(without({"time_add", "relation_add"}), "run"));
}

TEST_F(Inspect, EmbeddingsThatAreLeftOutAreConstants) {
  const Model no_mul = trained(without({"time_add", "relation_add", "time_mul"}), "no_mul");
  expect_scores_of(no_mul);
  expect_scores_of(trained(without({"time_add", "relation_add", "time_joint"}), "no_joint"));
  const RelationTransform r = relation_transform(no_mul, 0, 0);
  for (std::size_t i = 0; i < r.time_mul.size(); ++i)
    EXPECT_EQ(r.time_mul[i], i < r.time_mul.size() / 8 ? 1 : 0) << i;  // the unit
  EXPECT_EQ(r.joint, r.product);
}

TEST_F(Inspect, WhatIsNotThereIsRefused) {
  const Model model = trained(options(), "run");
  EXPECT_EQ(no_transforms_reason(model), "");
  EXPECT_TRUE(contains(refused([&] { relation_transform(model, 6, 0); }), "relation embedding 6"));
  EXPECT_TRUE(contains(refused([&] { relation_transform(model, 0, 8); }), "time 8"));
  EXPECT_TRUE(contains(refused([&] { relation_transform(model, 0, -1); }), "time -1"));
  TrainOptions o = options();
  o.choices["product"] = "componentwise";
  const Model componentwise = trained(o, "componentwise");
  EXPECT_TRUE(contains(refused([&] { relation_transform(componentwise, 0, 0); }), "componentwise"));
  o = options();
  o.model = "complex";
  EXPECT_TRUE(contains(no_transforms_reason(trained(o, "complex")), "relations of complex"));
}

TEST_F(Inspect, TimesAreFoundByTheirDates) {
  const Model model = trained(options(), "run");
  EXPECT_EQ(model.find_time("2014-1-3"), 2);
  EXPECT_FALSE(model.find_time("2015-01-03"));
  EXPECT_EQ(Dataset::open(at("data").string()).find_time("2014-01-03"), 2);
}

}  // namespace
}  // namespace orrery
