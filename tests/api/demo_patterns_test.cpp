// The promise of the built-in world: BSCA learns every planted pattern, a static model cannot.
#include <gtest/gtest.h>

#include <map>

#include "api/judged_run.h"
#include "demo/world.h"
#include "facts/scratch.h"
#include "judge/pattern_report.h"
#include "orrery/train.h"

namespace orrery {
namespace {

class DemoPatterns : public ::testing::Test {
 protected:
  void SetUp() override { write_demo_world(make_demo_world(), scratch_.path() / "demo"); }

  // The share of the reachable MRR that the model reaches, by pattern.
  std::map<Pattern, double> reached_by(const std::string& model) const {
    const auto demo = scratch_.path() / "demo", run = scratch_.path() / model;
    TrainOptions o;
    o.data = demo.string();
    o.model = model;
    o.dim = 128;
    o.epochs = 30;
    o.batch = 1000;
    o.lambda_n3 = 0.01;
    o.lambda_time = 0.1;
    train(o, run);
    const JudgedRun judged = judge_run(run, {}, {});
    std::map<Pattern, double> reached;
    for (const PatternScore& score : score_patterns(read_demo_labels(demo), judged.judgement))
      reached[score.pattern] = score.share();
    return reached;
  }

  testing::ScratchDirectory scratch_;
};

TEST_F(DemoPatterns, BscaLearnsThemAll) {
  const auto reached = reached_by("bsca");
  ASSERT_EQ(reached.size(), std::size(all_patterns));
  for (const auto& [pattern, share] : reached) {
    if (pattern == Pattern::noise) continue;
    EXPECT_GE(share, 0.9) << name_of(pattern);
    EXPECT_LE(share, 1.0 + 1e-9) << name_of(pattern);
  }
  // Chance decides here: far more than expected would mean that answers leak into the judgement.
  EXPECT_GE(reached.at(Pattern::noise), 0.7);
  EXPECT_LE(reached.at(Pattern::noise), 1.3);
}

TEST_F(DemoPatterns, AStaticModelFailsWhereRelationsEvolve) {
  const auto reached = reached_by("complex");
  EXPECT_LT(reached.at(Pattern::evolving), 0.5);
  EXPECT_GE(reached.at(Pattern::hierarchical), 0.9);  // it is no fool elsewhere
}

}  // namespace
}  // namespace orrery
