#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "api/small_runs.h"
#include "orrery/demo.h"
#include "paper/patterns.h"

namespace orrery {
namespace {

PatternTreatment treatment_of(const Patterns& patterns, RelationPattern pattern) {
  return *std::ranges::find(patterns.treatments, pattern, &PatternTreatment::pattern);
}

Patterns patterns_of(const std::filesystem::path& run, Split split = Split::test) {
  const Model model = Model::open(run);
  return measure_patterns(model, model.training_data(), {.split = split});
}

// What is planted is found, and what is found is learned as the algebra says.
TEST(DemoPatternsStudy, PlantedPatternsAreFoundAndNearToTheAlgebra) {
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
  const Patterns patterns = patterns_of(scratch.path() / "run");

  EXPECT_DOUBLE_EQ(patterns.all.mrr, testing::evaluate_run(scratch.path() / "run").pessimistic.mrr);
  EXPECT_EQ(treatment_of(patterns, RelationPattern::symmetric).relations, 1U);
  EXPECT_EQ(treatment_of(patterns, RelationPattern::inverse).relations, 4U);
  for (const PatternTreatment& treatment : patterns.treatments) {
    EXPECT_GT(treatment.all.facts, 0U) << name_of(treatment.pattern);
    if (treatment.pattern != RelationPattern::none) {
      EXPECT_EQ(treatment.known.facts + treatment.unknown.facts, treatment.all.facts);
    }
  }
  std::map<std::string, std::pair<std::string, std::int32_t>> evolving;  // the most followed first
  for (const PatternRelation& found : patterns.relations)
    if (found.pattern == RelationPattern::evolving && found.turned)
      evolving.emplace(found.relation, std::make_pair(found.other, found.lag));
  EXPECT_EQ(evolving.at("threatens"), std::make_pair(std::string("retaliates against"), 3));
  EXPECT_EQ(evolving.at("invites"), std::make_pair(std::string("visits"), 2));

  EXPECT_EQ(patterns.no_distances, "");
  const auto mean = [&](const std::string& beginning) {
    for (const PatternDistance& d : patterns.distances)
      if (d.of.starts_with(beginning)) return d.mean;
    ADD_FAILURE() << beginning;
    return 0.0;
  };
  EXPECT_LT(mean("symmetric relations"), mean("other relations") - 0.1);
  EXPECT_LT(mean("inverse pairs"), mean("random pairs: ") - 0.1);
  EXPECT_LT(mean("a relation and its own reciprocal"), mean("random pairs: ") - 0.1);
  EXPECT_LT(mean("evolving pairs"), mean("random pairs, the same lags") - 0.1);
}

class SmallPatterns : public testing::SmallRuns {};

TEST_F(SmallPatterns, CounterpartsAreLookedForInTrainingOnly) {
  // Everyone meets everyone's neighbour both ways; of the test facts five have their reverse in
  // training, and three in the validation split.
  std::string train_lines, valid_lines, test_lines;
  const auto line = [](int s, int o, int day) {
    return fmt::format("e{:02}\tmeets\te{:02}\t2014-01-{:02}\n", s, o, day);
  };
  for (int i = 0; i < 40; ++i) {
    const int a = i % 20, b = (i + 1) % 20, day = 1 + i / 5;
    train_lines += line(a, b, day);
    (i < 5 ? test_lines : train_lines) += line(b, a, day);
  }
  for (int i = 0; i < 3; ++i) {
    test_lines += line(i, i + 10, 3);
    valid_lines += line(i + 10, i, 3);
  }
  scratch_.write("data/train.txt", train_lines);
  scratch_.write("data/valid.txt", valid_lines);
  scratch_.write("data/test.txt", test_lines);
  testing::train_run(options(), at("run"));
  const Patterns patterns = patterns_of(at("run"));
  const PatternTreatment symmetric = treatment_of(patterns, RelationPattern::symmetric);
  EXPECT_EQ(symmetric.all.facts, 8U);
  EXPECT_EQ(symmetric.known.facts, 5U);
  EXPECT_EQ(symmetric.unknown.facts, 3U);
  EXPECT_NEAR(symmetric.all.mrr, (5 * symmetric.known.mrr + 3 * symmetric.unknown.mrr) / 8, 1e-12);
  EXPECT_EQ(treatment_of(patterns, RelationPattern::none).all.facts, 0U);
  ASSERT_EQ(patterns.relations.size(), 1U);
  EXPECT_EQ(patterns.relations[0].other, "meets");
  EXPECT_GT(patterns.relations[0].distance, 0);
}

TEST_F(SmallPatterns, AnyModelIsRankedAndOnlyBiquaternionsAreMeasured) {
  TrainOptions o = options();
  o.model = "complex";
  testing::train_run(o, at("run"));
  const Patterns patterns = patterns_of(at("run"));
  EXPECT_EQ(patterns.all.facts, 25U);
  EXPECT_TRUE(patterns.distances.empty());
  EXPECT_TRUE(testing::contains(patterns.no_distances, "complex"));
}

TEST_F(SmallPatterns, OfIntervalsAndOfAnotherSplit) {
  write_world("data", true);
  testing::train_run(options(), at("run"));
  const Patterns patterns = patterns_of(at("run"), Split::valid);
  EXPECT_EQ(patterns.split, "valid");
  EXPECT_EQ(patterns.all.facts, 25U);
  EXPECT_FALSE(patterns.distances.empty());
}

}  // namespace
}  // namespace orrery
