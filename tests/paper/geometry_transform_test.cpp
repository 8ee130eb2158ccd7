// R as it is read out of a model file, against the engine's own scores.
#include <gtest/gtest.h>

#include "api/small_runs.h"
#include "orrery/predict.h"
#include "paper/relation_transform.h"

namespace orrery {
namespace {

class Transforms : public testing::SmallRuns {
 protected:
  // Σ over lanes of ⟨e_s · R, e_o⟩ for all s and o must be the score, as there are no shifts.
  void expect_scores_of(const std::string& run) const {
    const ModelFile file(at(run));
    const RelationTransforms transforms(file);
    const auto engine = file.start_engine({.threads = 1});
    const auto entity = read_table(*engine, 0, State::value);
    const std::int32_t lanes = transforms.lanes(), entities = file.header().entities.size();
    ASSERT_EQ(lanes, 2);
    const auto element = [&](std::int32_t id, std::int32_t lane) {
      BiquaternionValue e;
      for (int c = 0; c < e.size; ++c)
        e.c[c] = entity[static_cast<std::size_t>((id * e.size + c) * lanes + lane)];
      return e;
    };
    const std::int32_t row = transforms.rows_of(2).front(), time = 3, subject = 5;
    const QueryPair query{{subject, row, time}, {}, false};
    std::vector<float> scores(static_cast<std::size_t>(entities));
    engine->score({&query, 1}, scores);
    for (std::int32_t o = 0; o < entities; ++o) {
      double score = 0;
      for (std::int32_t lane = 0; lane < lanes; ++lane)
        score += dot(mul(element(subject, lane), transforms.at(row, time, lane)), element(o, lane));
      EXPECT_NEAR(scores[static_cast<std::size_t>(o)], score, 1e-5) << o;
    }
  }

  TrainOptions without(std::vector<std::string> rows) const {
    TrainOptions o = options();
    o.choices["attention"] = "none";
    o.without = std::move(rows);
    o.init_scale = 0.5;
    return o;
  }
};

TEST_F(Transforms, GiveTheScores) {
  train(without({"time_add", "relation_add"}), at("run"));
  expect_scores_of("run");
}

TEST_F(Transforms, RowsThatAreSwitchedOffAreConstant) {
  train(without({"time_add", "relation_add", "time_mul"}), at("no_mul"));
  expect_scores_of("no_mul");
  train(without({"time_add", "relation_add", "time_joint"}), at("no_joint"));
  expect_scores_of("no_joint");
  const RelationTransforms transforms(ModelFile(at("no_mul")));
  EXPECT_EQ(squared_norm(transforms.time_mul(0, 0)), 1);
  EXPECT_EQ(transforms.time_mul(0, 0).c[0], 1);
}

TEST_F(Transforms, RowsAndTimes) {
  train(options(), at("run"));
  const RelationTransforms points(ModelFile(at("run")));
  EXPECT_EQ(points.rows_of(1), std::vector<std::int32_t>{1});
  EXPECT_EQ(points.reciprocal(1), 4);
  EXPECT_EQ(points.sample_of_times(100), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(points.sample_of_times(3), (std::vector<std::int32_t>{0, 3, 7}));
  EXPECT_EQ(points.sample_of_times(1), std::vector<std::int32_t>{0});

  write_world("intervals", true);
  TrainOptions o = options();
  o.data = at("intervals").string();
  train(o, at("interval_run"));
  const RelationTransforms intervals(ModelFile(at("interval_run")));
  EXPECT_EQ(intervals.rows_of(1), (std::vector<std::int32_t>{1, 4}));
  EXPECT_EQ(intervals.reciprocal(4), 10);
}

TEST_F(Transforms, DistancesGoBothWays) {
  train(options(), at("run"));
  const RelationTransforms transforms(ModelFile(at("run")));
  const double there = transforms.distance({0, 2}, {1, 5}).value();
  EXPECT_NEAR(there, transforms.distance({1, 5}, {0, 2}).value(), 1e-12);
  EXPECT_GT(there, 0);
  EXPECT_NEAR(transforms.distance({0, 2}, {0, 2}, true).value(), 0, 1e-12);
}

TEST_F(Transforms, OnlyBiquaternionsHaveThem) {
  TrainOptions o = options();
  o.choices["product"] = "componentwise";
  train(o, at("componentwise"));
  EXPECT_TRUE(testing::contains(
      testing::refused([&] { RelationTransforms(ModelFile(at("componentwise"))); }),
      "componentwise"));
  o = options();
  o.model = "complex";
  train(o, at("complex"));
  const std::string message =
      testing::refused([&] { RelationTransforms(ModelFile(at("complex"))); });
  EXPECT_TRUE(testing::contains(message, "complex")) << message;
  EXPECT_TRUE(testing::contains(message, "bsca")) << message;
}

}  // namespace
}  // namespace orrery
