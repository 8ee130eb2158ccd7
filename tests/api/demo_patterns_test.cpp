// Scores on the built-in world by the rules that made it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "orrery/demo.h"
#include "orrery/evaluate.h"
#include "orrery/train.h"

namespace orrery {
namespace {

class DemoPatterns : public ::testing::Test {
 protected:
  static Model trained(const std::string& model, const std::string& history = "none") {
    TrainOptions options{.model = model,
                         .dim = 128,
                         .epochs = 30,
                         .batch = 1000,
                         .lambda_n3 = 0.01,
                         .lambda_time = 0.1};
    options.history = history;
    return train(Dataset::demo(), options);
  }

  // The share of the reachable MRR that the model reaches, by pattern.
  static std::map<std::string, double> reached_by(const Model& model) {
    std::map<std::string, double> reached;
    for (const PatternScores& pattern : scores_by_pattern(evaluate(model, Dataset::demo())))
      reached[pattern.pattern] = pattern.scores.mrr / pattern.reachable_mrr;
    return reached;
  }
};

TEST_F(DemoPatterns, BscaLearnsThemAll) {
  const auto reached = reached_by(trained("bsca"));
  ASSERT_EQ(reached.size(), 10U);
  for (const char* pattern :
       {"symmetric", "asymmetric", "inverse", "evolving", "periodic", "hierarchical"}) {
    EXPECT_GE(reached.at(pattern), 0.9) << pattern;
    EXPECT_LE(reached.at(pattern), 1.0 + 1e-9) << pattern;
  }
  // Chance decides here: far more than expected would mean that answers leak into the judgement.
  EXPECT_GE(reached.at("noise"), 0.7);
  EXPECT_LE(reached.at("noise"), 1.3);
}

TEST_F(DemoPatterns, AStaticModelFailsWhereRelationsEvolve) {
  const auto reached = reached_by(trained("complex"));
  EXPECT_LT(reached.at("evolving"), 0.5);
  EXPECT_GE(reached.at("hierarchical"), 0.9);  // it is no fool elsewhere
}

// By the relation's name, in the order of gaps: 1, 2, 4, 8, 32 and 128 weeks and more; then 0.
std::vector<float> worth_of(const Model& model, const std::string& relation) {
  const Embeddings history = model.embeddings("history");
  const auto row = std::ranges::find(history.names, relation) - history.names.begin();
  const auto values = history.row(row);
  return {values.begin(), values.end()};
}

// What an embedding learns slowly, and a number a relation at once.
TEST_F(DemoPatterns, HistoryFindsWhatHappensOnceWhatRepeatsAndWhatComesBackInAYear) {
  const Model model = trained("bsca", "gap");
  for (const char* direction : {"", " (reciprocal)"}) {
    const auto once = worth_of(model, std::string("recognises") + direction);
    const auto again = worth_of(model, std::string("consults") + direction);
    const auto yearly = worth_of(model, std::string("speaks in") + direction);
    ASSERT_EQ(once.size(), 7U);
    for (const std::size_t far : {3U, 4U}) EXPECT_LT(once[far], -1) << direction;
    for (const float gap : once) EXPECT_LE(gap, 0) << direction;
    EXPECT_EQ(once.back(), 0) << "no two dates share a time here";
    for (const std::size_t far : {3U, 4U}) EXPECT_GT(again[far], 0.3) << direction;
    EXPECT_GT(yearly[4], 1) << direction;
    for (const std::size_t near : {0U, 1U, 2U, 3U}) EXPECT_LT(yearly[near], yearly[4] - 1);
  }
  const auto with = reached_by(model), without = reached_by(trained("bsca"));
  EXPECT_GT(with.at("once"), without.at("once") + 0.3);
  EXPECT_GT(with.at("yearly"), without.at("yearly") + 0.1);
  for (const auto& [pattern, share] : with) {
    if (pattern == "once" || pattern == "yearly") continue;
    EXPECT_GT(share, without.at(pattern) - 0.05) << pattern;
  }
}

}  // namespace
}  // namespace orrery
