// What the verbs say of a pair's history.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

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
  EXPECT_TRUE(contains(refused({"inspect", at("mixed").string(), "--relation", "r1"}),
                       "a mixture has no embeddings of its own"));
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

TEST_F(HistoryVerbs, InspectHasTheNumbersOfEveryRelation) {
  const std::string run = remembering("run");
  const auto history = json({"inspect", run})["history"];
  ASSERT_EQ(history["features"].size(), 7U);
  ASSERT_EQ(history["relations"].size(), 6U);  // three, each asked for both sides
  for (const auto& feature : history["features"]) {
    double highest = -1e9;
    for (const auto& relation : history["relations"])
      highest =
          std::max(highest, relation["numbers"][feature["name"].get<std::string>()].get<double>());
    EXPECT_EQ(feature["highest"], highest) << feature;
  }
  EXPECT_TRUE(contains(done({"inspect", run}).out, "history, as learned in training: "));
}

TEST_F(HistoryVerbs, InspectShowsWhatItIsWorthToARelation) {
  const std::string run = remembering("run");
  const Words asked = {"inspect", run, "--relation", "r1"};
  Words at_a_time = asked;
  at_a_time.insert(at_a_time.end(), {"--time", "2014-01-03"});
  const auto whole = json(at_a_time), alone = json(asked);
  EXPECT_TRUE(whole.contains("symmetry"));
  EXPECT_FALSE(alone.contains("symmetry")) << "the geometry is that of a time";
  EXPECT_EQ(whole["history"], alone["history"]);
  ASSERT_EQ(alone["history"]["relations"].size(), 2U);
  const auto& object = alone["history"]["relations"][0];
  EXPECT_EQ(object["relation"], "r1");
  EXPECT_EQ(object["asked"], "object");
  EXPECT_EQ(alone["history"]["relations"][1]["asked"], "subject");

  const std::string page = done(asked).out;
  EXPECT_TRUE(contains(page, "history of r1, as learned in training")) << page;
  const double first = object["numbers"]["known 1 time away"];
  EXPECT_TRUE(contains(page, fmt::format("{:+.2f}", first))) << page;
  EXPECT_TRUE(contains(done(at_a_time).out, "symmetry"));
  EXPECT_TRUE(contains(done(at_a_time).out, page));
  EXPECT_TRUE(contains(refused({"inspect", run, "--relation", "r9"}), "r9"));
}

TEST_F(HistoryVerbs, InspectShowsItWhereThereIsNoGeometry) {
  const Words boxes = {"--model", "boxte"};
  EXPECT_TRUE(contains(done({"inspect", remembering("run", boxes), "--relation", "r1"}).out,
                       "history of r1"));
  Words plain = boxes;
  plain.insert(plain.end(), {"--epochs", "1", "--history", "none"});
  done(train_words("plain", plain));
  EXPECT_TRUE(
      contains(refused({"inspect", at("plain").string(), "--relation", "r1"}), "have no geometry"));
}

TEST_F(HistoryVerbs, InspectSaysThatItIsWorthNothing) {
  done(train_words("run", {"--epochs", "0", "--history", "gap", "--history-from", "train"}));
  const std::string run = at("run").string();
  const std::string why = "(training left every number at zero)";
  EXPECT_TRUE(contains(done({"inspect", run}).out, "history: worth nothing here " + why));
  EXPECT_FALSE(contains(done({"inspect", run}).out, "a candidate is"));
  EXPECT_TRUE(contains(done({"inspect", run, "--relation", "r1"}).out,
                       "history: worth nothing for r1 " + why));
}

TEST_F(HistoryVerbs, HelpSaysWhatEachKindIs) {
  const OptionInfo& option = option_named("history");
  ASSERT_EQ(option.values.size(), 5U);
  for (const std::string& kind : option.values)
    EXPECT_TRUE(contains(option.sentence, "; " + kind + ": ")) << kind;
}

}  // namespace
}  // namespace orrery
