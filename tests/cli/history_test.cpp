// What the verbs say of a pair's history.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "orrery/options.h"

namespace orrery {
namespace {

using testing::contains;

class HistoryVerbs : public testing::CommandLine {
 protected:
  // Learned in training: so few validation facts would leave fitted numbers at zero.
  std::string remembering(const std::string& run, const Words& more = {}) const {
    Words words =
        train_words(run, {"--epochs", "10", "--history", "gap", "--history-from", "train"});
    words.insert(words.end(), more.begin(), more.end());
    done(words);
    return at(run).string();
  }
  // Both forms, and that history made a difference.
  void expect_left_out(const std::string& model) const {
    const auto with = json({"evaluate", model}),
               without = json({"evaluate", model, "--without-history"});
    EXPECT_FALSE(with.contains("history"));
    EXPECT_EQ(without["history"], false);
    EXPECT_EQ(with["queries"], without["queries"]);
    EXPECT_NE(with["mrr"], without["mrr"]);
    const std::string said = "without what history adds";
    EXPECT_FALSE(contains(done({"evaluate", model}).out, said));
    EXPECT_TRUE(contains(done({"evaluate", model, "--without-history"}).out, said));
  }
};

TEST_F(HistoryVerbs, EvaluateLeavesItOutWhereAsked) { expect_left_out(remembering("run")); }

TEST_F(HistoryVerbs, EvaluateLeavesItOutOfAMixture) {
  const std::string first = remembering("first");
  const std::string second = remembering("second", {"--model", "tntcomplex"});
  done({"mix", first, second, "--out", at("mixed").string()});
  expect_left_out(at("mixed").string());
}

// They were fitted to scores with history.
TEST_F(HistoryVerbs, CalibrationAndWhenAreNotToldWithoutIt) {
  const std::string absent = at("nothing").string();
  const auto said = [&](const Words& more) {
    Words words = {"evaluate", absent, "--without-history"};
    words.insert(words.end(), more.begin(), more.end());
    return refused(words);
  };
  EXPECT_TRUE(contains(said({"--calibration"}), "--calibration was fitted to scores with it"));
  EXPECT_TRUE(contains(said({"--when"}), "--when was fitted to scores with it"));
  EXPECT_TRUE(contains(said({"--calibration", "--when"}), "--calibration and --when were fitted"));
}

TEST_F(HistoryVerbs, HelpSaysWhatEachKindIs) {
  const OptionInfo& option = option_named("history");
  ASSERT_EQ(option.values.size(), 5U);
  for (const std::string& kind : option.values)
    EXPECT_TRUE(contains(option.sentence, "; " + kind + ": ")) << kind;
}

}  // namespace
}  // namespace orrery
