#include "paper/relation_transform.h"

#include <gtest/gtest.h>

#include "api/small_runs.h"

namespace orrery {
namespace {

using testing::train_run;

class Transforms : public testing::SmallRuns {
 protected:
  RelationTransforms transforms_of(const std::string& run) const {
    return RelationTransforms(Model::open(at(run)));
  }
};

TEST_F(Transforms, RowsAndTimes) {
  train_run(options(), at("run"));
  const RelationTransforms points = transforms_of("run");
  EXPECT_EQ(points.lanes(), 2);
  EXPECT_EQ(points.rows_of(1), std::vector<std::int32_t>{1});
  EXPECT_EQ(points.rows_of(1, true), std::vector<std::int32_t>{4});
  EXPECT_EQ(points.sample_of_times(100), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(points.sample_of_times(3), (std::vector<std::int32_t>{0, 3, 7}));
  EXPECT_EQ(points.sample_of_times(1), std::vector<std::int32_t>{0});

  write_world("intervals", true);
  TrainOptions o = options();
  o.data = at("intervals").string();
  o.reading.intervals = "ends";
  train_run(o, at("interval_run"));
  const RelationTransforms intervals = transforms_of("interval_run");
  EXPECT_EQ(intervals.rows_of(1), (std::vector<std::int32_t>{1, 4}));
  EXPECT_EQ(intervals.rows_of(1, true), (std::vector<std::int32_t>{7, 10}));
}

TEST_F(Transforms, DistancesGoBothWays) {
  train_run(options(), at("run"));
  const RelationTransforms transforms = transforms_of("run");
  const double there = transforms.distance({0, 2}, {1, 5}).value();
  EXPECT_NEAR(there, transforms.distance({1, 5}, {0, 2}).value(), 1e-12);
  EXPECT_GT(there, 0);
  EXPECT_NEAR(transforms.distance({0, 2}, {0, 2}, true).value(), 0, 1e-12);
}

TEST_F(Transforms, OnlyBiquaternionsHaveThem) {
  TrainOptions o = options();
  o.model = "complex";
  train_run(o, at("complex"));
  const std::string message = testing::refused([&] { transforms_of("complex"); });
  EXPECT_TRUE(testing::contains(message, "complex")) << message;
  EXPECT_TRUE(testing::contains(message, "bsca")) << message;
}

}  // namespace
}  // namespace orrery
