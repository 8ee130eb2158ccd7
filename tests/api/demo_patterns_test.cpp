// Scores on the built-in world by the rules that made it.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "orrery/demo.h"
#include "orrery/evaluate.h"
#include "orrery/train.h"

namespace orrery {
namespace {

class DemoPatterns : public ::testing::Test {
 protected:
  // The share of the reachable MRR that the model reaches, by pattern.
  static std::map<std::string, double> reached_by(const std::string& model) {
    const Dataset demo = Dataset::demo();
    const Model trained = train(demo, {.model = model,
                                       .dim = 128,
                                       .epochs = 30,
                                       .batch = 1000,
                                       .lambda_n3 = 0.01,
                                       .lambda_time = 0.1});
    std::map<std::string, double> reached;
    for (const PatternScores& pattern : scores_by_pattern(evaluate(trained, demo)))
      reached[pattern.pattern] = pattern.scores.mrr / pattern.reachable_mrr;
    return reached;
  }
};

TEST_F(DemoPatterns, BscaLearnsThemAll) {
  const auto reached = reached_by("bsca");
  ASSERT_EQ(reached.size(), 7U);
  for (const auto& [pattern, share] : reached) {
    if (pattern == "noise") continue;
    EXPECT_GE(share, 0.9) << pattern;
    EXPECT_LE(share, 1.0 + 1e-9) << pattern;
  }
  // Chance decides here: far more than expected would mean that answers leak into the judgement.
  EXPECT_GE(reached.at("noise"), 0.7);
  EXPECT_LE(reached.at("noise"), 1.3);
}

TEST_F(DemoPatterns, AStaticModelFailsWhereRelationsEvolve) {
  const auto reached = reached_by("complex");
  EXPECT_LT(reached.at("evolving"), 0.5);
  EXPECT_GE(reached.at("hierarchical"), 0.9);  // it is no fool elsewhere
}

}  // namespace
}  // namespace orrery
