// Wrong requests: exit code 1, a message that helps on stderr, nothing on stdout.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using Refusals = testing::CommandLine;

TEST_F(Refusals, UnknownVerbsAndOptionsGetSuggestions) {
  EXPECT_TRUE(contains(refused({"trian"}), "no verb 'trian'; did you mean 'train'?"));
  EXPECT_TRUE(contains(refused({"data", "chek", "demo"}), "did you mean 'check'?"));
  EXPECT_TRUE(contains(refused({"xyzzy"}), "there are data, models, train"));
  EXPECT_TRUE(contains(refused({"train", "--dta", "x"}), "did you mean '--data'?"));
  EXPECT_TRUE(contains(refused({"predict", "x", "--subjct=y"}), "did you mean '--subject'?"));
  EXPECT_TRUE(contains(refused({}), "--help"));
  EXPECT_TRUE(contains(refused({"data"}), "--help"));
  EXPECT_TRUE(contains(refused({"evaluate"}), "required"));
}

TEST_F(Refusals, UnknownNamesGetSuggestions) {
  done(train_words("run", {"--epochs", "1"}));
  const std::string run = at("run").string();
  const auto ask = [&](const std::string& subject, const std::string& relation,
                       const std::string& time) {
    return refused({"predict", run, "--subject", subject, "--relation", relation, "--time", time});
  };
  EXPECT_TRUE(contains(ask("ee05", "r1", "2014"), "did you mean \"e05\""));
  EXPECT_TRUE(contains(ask("e05", "rr1", "2014"), "did you mean \"r1\""));
  EXPECT_TRUE(contains(ask("e05", "r1", "01/02/2014"), "month/day/year"));
  EXPECT_TRUE(contains(ask("\xff\x1b[31m", "r1", "2014"), R"("\xff\x1b[31m")"));
  EXPECT_TRUE(
      contains(refused({"predict", run, "--subject", "e05", "--relation", "r1"}), "--time"));
  EXPECT_TRUE(contains(refused({"predict", run, "--relation", "r1", "--time", "2014"}),
                       "no subject and no object"));
  const auto also = [&](const Words& words) {
    Words all = {"predict", run, "--subject", "e05", "--relation", "r1", "--time", "2014"};
    all.insert(all.end(), words.begin(), words.end());
    return refused(all);
  };
  EXPECT_TRUE(contains(also({"--known", "maybe"}), "--known is mark, hide or show"));
  EXPECT_TRUE(contains(also({"--type", "city"}), "--type is any or seen"));
  EXPECT_TRUE(contains(also({"--only", "nobody"}), "no entity \"nobody\""));
  EXPECT_TRUE(contains(also({"--questions", "q.csv"}), "cannot both be given"));
  EXPECT_TRUE(contains(refused({"predict", run, "--questions", "/nowhere.csv"}), "nowhere.csv"));
  EXPECT_TRUE(contains(refused({"evaluate", run, "--split", "tset"}), "train, valid and test"));
  EXPECT_TRUE(contains(refused({"evaluate", run, "--by", "day"}), "relation, entity, time"));
  EXPECT_TRUE(contains(refused({"evaluate", run, "--by", "pattern"}), "labels.tsv"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--model", "bcsa"})), "there are bsca"));
  EXPECT_TRUE(contains(refused({"data", "get", "icews"}), "icews14"));
}

TEST_F(Refusals, NumbersOutOfBounds) {
  EXPECT_TRUE(contains(refused(train_words("no", {"--epochs", "-1"})), "--epochs"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--epochs", "many"})), "--epochs"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--lr", "nan"})), "--lr"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--seed", "-1"})), "--seed"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--seed", "18446744073709551616"})), "--seed"));
  EXPECT_TRUE(
      contains(refused(train_words("no", {"--memory", "1K", "--device", "cpu"})), "--memory"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--patience", "2"})), "--eval-every"));
  EXPECT_TRUE(contains(
      refused({"train", "--data", at("data").string(), "--out", at("no").string(), "--dim", "7"}),
      "multiple of 8"));
  EXPECT_TRUE(contains(refused({"train", "--data", at("data").string(), "--out", at("no").string(),
                                "--threads", "60000"}),
                       "--threads"));
  EXPECT_FALSE(std::filesystem::exists(at("no")));
  done(train_words("run", {"--epochs", "0"}));
  const std::string run = at("run").string();
  EXPECT_TRUE(contains(refused({"evaluate", run, "--threads", "-1"}), "--threads"));
  EXPECT_TRUE(contains(refused({"predict", run, "--subject", "e05", "--relation", "r1", "--time",
                                "2014", "--top", "-1"}),
                       "--top"));
}

TEST_F(Refusals, RunsThatAreThereOrAreNot) {
  done(train_words("run", {"--epochs", "1"}));
  EXPECT_TRUE(contains(refused(train_words("run")), "already holds a run"));
  const std::string run = at("run").string();
  EXPECT_TRUE(contains(refused({"train", "--resume", at("no").string()}), "holds no run"));
  EXPECT_TRUE(contains(refused({"train", "--resume", run, "--lr", "1"}), "--lr cannot be changed"));
  EXPECT_TRUE(contains(refused({"train", "--resume", run, "--out", run}), "excludes"));
  EXPECT_TRUE(contains(refused({"train", "--data", at("data").string()}), "--out"));
  EXPECT_TRUE(contains(refused({"train", "--out", at("no").string()}), "--data"));
  EXPECT_TRUE(contains(refused({"evaluate", at("data").string()}), "model.safetensors"));
  EXPECT_TRUE(contains(refused({"inspect", at("no").string()}), "no"));
  EXPECT_TRUE(contains(refused({"inspect", run + "/config.toml"}), "safetensors"));
  EXPECT_TRUE(contains(refused(train_words("no", {"--config", at("data").string()})), "file"));
}

TEST_F(Refusals, BadLinesNameFileAndLineUnlessSkipped) {
  scratch_.write("data/train.txt", testing::world_lines(0, 220, false) + "only\tthree\tcolumns\n");
  const std::string data = at("data").string();
  EXPECT_TRUE(contains(refused({"data", "check", data}), "train.txt:221: "));
  EXPECT_TRUE(contains(refused(train_words("run")), "--skip-bad"));
  const auto check = json({"data", "check", data, "--skip-bad"});
  EXPECT_EQ(check["bad_lines"], 1);
  EXPECT_EQ(check["bad"][0]["line"], 221);
  EXPECT_TRUE(contains(done({"data", "check", data, "--skip-bad"}).out, "train.txt:221: "));
  const auto spoken = done(train_words("run", {"--skip-bad", "--epochs", "1"}));
  EXPECT_TRUE(contains(spoken.err, "1 bad line left out; the first:\n")) << spoken.err;
}

TEST_F(Refusals, LeaksAreWarnedOf) {
  const std::string data = at("data").string();
  scratch_.write("data/train.txt", "a\tr\tb\t2014\nb\tr\tc\t2014\n");
  scratch_.write("data/valid.txt", "a\tr\tc\t2014\n");
  scratch_.write("data/test.txt", "a\tr\ta\t2014\n");
  EXPECT_FALSE(contains(done({"data", "check", data}).out, "warning"));
  scratch_.write("data/test.txt", "b\tr\tc\t2014\n");
  const std::string out = done({"data", "check", data}).out;
  EXPECT_TRUE(contains(out, "warning: LEAK: 1 facts stand both in train and in test")) << out;
  EXPECT_EQ(json({"data", "check", data})["warnings"].size(), 1U);
}

}  // namespace
}  // namespace orrery
