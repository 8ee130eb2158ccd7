#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "api/small_runs.h"
#include "orrery/demo.h"
#include "paper/geometry.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

std::int64_t values_in(const Histogram& h) {
  return std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0});
}

// The algebra's promise, learned: a symmetric relation brings R nearer to R†.
TEST(DemoGeometry, TheSymmetricRelationIsNearestToItsAdjoint) {
  const testing::ScratchDirectory scratch;
  write_demo(scratch.path() / "demo");
  TrainOptions o;
  o.data = (scratch.path() / "demo").string();
  o.dim = 64;
  o.epochs = 6;
  o.batch = 1000;
  o.lambda_n3 = 0.01;
  o.lambda_time = 0.1;
  o.device = "cpu";
  testing::train_run(o, scratch.path() / "run");
  const Model model = Model::open(scratch.path() / "run");
  const Geometry geometry = measure_geometry(model, model.training_data(), {});
  EXPECT_EQ(geometry.relation, "lies in");  // the one with the most facts
  EXPECT_EQ(geometry.sampled_times, 24);
  EXPECT_EQ(geometry.times, 104);
  ASSERT_EQ(geometry.relations.size(), 16U);
  EXPECT_EQ(geometry.relations.front().relation, geometry.relation);

  const auto symmetric = std::ranges::find(geometry.relations, std::string("negotiates with"),
                                           &RelationSymmetry::relation);
  ASSERT_NE(symmetric, geometry.relations.end());
  EXPECT_GT(symmetric->share(), 0.8);
  for (const RelationSymmetry& other : geometry.relations) {
    if (other.relation == symmetric->relation) continue;
    EXPECT_LT(other.share(), 0.1) << other.relation;
    EXPECT_GT(other.over_times, symmetric->over_times + 0.04) << other.relation;
  }
}

class SmallGeometry : public testing::SmallRuns {
 protected:
  Geometry measure(const GeometryOptions& asked) const {
    const Model model = Model::open(at("run"));
    return measure_geometry(model, model.training_data(), asked);
  }
};

TEST_F(SmallGeometry, OfTheRelationAndTimeAskedFor) {
  testing::train_run(options(), at("run"));
  const Geometry geometry = measure({.relation = "r1", .time = "2014-01-03"});
  EXPECT_EQ(geometry.relation, "r1");
  EXPECT_EQ(geometry.time, "2014-01-03");
  EXPECT_EQ(geometry.lanes, 2);
  EXPECT_EQ(geometry.sampled_times, 8);  // all there are
  ASSERT_EQ(geometry.sides.size(), 1U);
  const TransformPicture& picture = geometry.sides[0];
  EXPECT_EQ(picture.side, "");
  EXPECT_EQ(values_in(picture.joint), 16);
  EXPECT_EQ(values_in(picture.time_mul), 16);
  EXPECT_EQ(values_in(picture.transform), 16);
  for (const auto* h : {&picture.angle, &picture.rapidity, &picture.scale, &picture.phase})
    EXPECT_EQ(values_in(*h), 2);
  EXPECT_EQ(picture.singular, 0);
  const auto listed =
      std::ranges::find(geometry.relations, geometry.relation, &RelationSymmetry::relation);
  ASSERT_NE(listed, geometry.relations.end());
  EXPECT_DOUBLE_EQ(listed->at_time, picture.distance);
  ASSERT_EQ(geometry.correlations.size(), 2U);
  EXPECT_EQ(geometry.correlations[0].relations, 3U);
  EXPECT_EQ(measure({.relation = "r1", .time = {}}).time, "2014-01-05");  // the middle
}

TEST_F(SmallGeometry, UnknownNamesAreRefusedWithNearOnes) {
  testing::train_run(options(), at("run"));
  const std::string relation = refused([&] { measure({.relation = "R1", .time = {}}); });
  EXPECT_TRUE(contains(relation, "did you mean \"r1\"")) << relation;
  for (const std::string time : {"2014-01-33", "2015-01-03"}) {
    const std::string message = refused([&] { measure({.relation = {}, .time = time}); });
    EXPECT_TRUE(contains(message, "no time \"" + time)) << message;
    EXPECT_TRUE(contains(message, "2014-01-03")) << message;
  }
  EXPECT_TRUE(contains(refused([&] { measure({.relation = {}, .time = "yesterday"}); }), "time"));
  // Not a label, but the same day.
  EXPECT_EQ(measure({.relation = {}, .time = "2014-1-3"}).time, "2014-01-03");
}

TEST_F(SmallGeometry, IntervalsHaveStartsAndEnds) {
  write_world("data", true);
  TrainOptions o = options();
  o.reading.intervals = "ends";
  testing::train_run(o, at("run"));
  const Geometry geometry = measure({.relation = "r2", .time = "1903"});
  ASSERT_EQ(geometry.sides.size(), 2U);
  EXPECT_EQ(geometry.sides[0].side, "start");
  EXPECT_EQ(geometry.sides[1].side, "end");
  EXPECT_NE(geometry.sides[0].distance, geometry.sides[1].distance);
  EXPECT_EQ(geometry.relations.size(), 3U);
}

TEST_F(SmallGeometry, RowsThatAreSwitchedOff) {
  TrainOptions o = options();
  o.without = {"time_mul", "time_joint"};
  testing::train_run(o, at("run"));
  const TransformPicture picture = measure({.relation = "r0", .time = {}}).sides.at(0);
  EXPECT_EQ(picture.time_mul.least, 0);
  EXPECT_EQ(picture.time_mul.most, 1);
  EXPECT_EQ(picture.joint.counts, picture.transform.counts);  // times 1
}

TEST_F(SmallGeometry, FactsMayHaveOtherIds) {
  testing::train_run(options(), at("run"));
  const Model model = Model::open(at("run"));
  const auto lines = [](const char* relation) {
    return FactColumns{
        {"e01", "e02"}, {relation, relation}, {"e02", "e01"}, {"2014-01-03", "2014-01-03"}};
  };
  const Geometry geometry = measure_geometry(model, Dataset::from_columns(lines("r2")), {});
  ASSERT_EQ(geometry.relations.size(), 1U);
  EXPECT_EQ(geometry.relations[0].relation, "r2");
  EXPECT_EQ(geometry.relations[0].share(), 1);
  const std::string other =
      refused([&] { measure_geometry(model, Dataset::from_columns(lines("r7")), {}); });
  EXPECT_TRUE(contains(other, "\"r7\" is not known to the model")) << other;
}

TEST_F(SmallGeometry, ModelsWithoutBiquaternionsAreRefused) {
  TrainOptions o = options();
  o.model = "tntcomplex";
  testing::train_run(o, at("run"));
  EXPECT_TRUE(contains(refused([&] { measure({}); }), "tntcomplex"));
}

}  // namespace
}  // namespace orrery
