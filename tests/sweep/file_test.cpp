#include "sweep/file.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"
#include "sweep/refusal.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using Texts = std::vector<std::string>;

SweepOptions read(const std::string& text) { return sweep_from_toml(text, "s.toml"); }

constexpr const char* example_file = R"(
search = "halving"   # a comment
trials = 12
seeds = 2
keep = 4
first-epochs = 5
keep-runs = 3
dim = 64
model = ["bsca"]
attention = ["split", "none"]
dropout = [0, 0.10, 1e-3,]
without = ["", "time_add", "time_add,relation_add"]
lr = "0.01 .. 0.3 log"
lambda-n3 = "0..1"
batch = "100 .. 400 step 150"
window = "10 .. 20"
)";

TEST(SweepFile, ALineIsFixedAListOrARange) {
  const SweepOptions options = read(example_file);
  EXPECT_EQ(options.search, Search::halving);
  EXPECT_EQ(options.trials, 12);
  EXPECT_EQ(options.seeds, 2);
  EXPECT_EQ(options.keep, 4);
  EXPECT_EQ(options.first_epochs, 5);
  EXPECT_EQ(options.keep_runs, 3);
  EXPECT_EQ(options.fixed.dim, 64);
  EXPECT_EQ(options.fixed.model, "bsca");
  EXPECT_EQ(options.fixed.eval_every, 5);
  ASSERT_EQ(options.searched.size(), 7U);
  EXPECT_EQ(options.searched[0].values, (Texts{"split", "none"}));
  EXPECT_EQ(options.searched[1].name, "dropout");
  EXPECT_EQ(options.searched[1].values, (Texts{"0", "0.1", "0.001"}));
  EXPECT_EQ(options.searched[2].values, (Texts{"", "time_add", "time_add,relation_add"}));
  ASSERT_TRUE(options.searched[3].range);
  EXPECT_EQ(options.searched[3].range->from, 0.01);
  EXPECT_EQ(options.searched[3].range->to, 0.3);
  EXPECT_TRUE(options.searched[3].range->logarithmic);
  ASSERT_TRUE(options.searched[4].range);
  EXPECT_FALSE(options.searched[4].range->logarithmic);
  EXPECT_EQ(options.searched[5].values, (Texts{"100", "250", "400"}));
  EXPECT_TRUE(options.searched[6].range);
  EXPECT_EQ(origin_of(options, "dropout"), Place("s.toml", 11));
}

TEST(SweepFile, StepsEndWhereTheRangeDoes) {
  EXPECT_EQ(parse_range("dropout", "0 .. 0.3 step 0.1").values, (Texts{"0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(parse_range("dropout", "0.1 .. 0.35 step 0.1").values, (Texts{"0.1", "0.2", "0.3"}));
}

TEST(SweepFile, WhatIsWrittenIsReadBack) {
  const SweepOptions options = read(example_file);
  const std::string written = sweep_to_toml(options);
  EXPECT_EQ(sweep_to_toml(sweep_from_toml(written, "again")), written);
  EXPECT_TRUE(contains(written, "\nlr = \"0.01 .. 0.3 log\"\n")) << written;
  EXPECT_TRUE(contains(written, "\nwithout = [\"\", \"time_add\", \"time_add,relation_add\"]\n"));
  EXPECT_TRUE(contains(written, "\ndim = 64\n"));
  EXPECT_FALSE(contains(written, "\nlr = 0.1\n"));
  SweepOptions fixed = read("dropout = [0, 0.1]\nwithout = [\"time_add,relation_add\"]\n");
  EXPECT_EQ(fixed.fixed.without, (Texts{"time_add", "relation_add"}));
  fixed.fixed.data = "a \"b\"\\c";
  const SweepOptions again = sweep_from_toml(sweep_to_toml(fixed), "again");
  EXPECT_EQ(again.fixed.without, fixed.fixed.without);
  EXPECT_EQ(again.fixed.data, fixed.fixed.data);
  EXPECT_TRUE(sweep_from_toml(sweep_to_toml(read("lr = [1, 2]")), "").fixed.without.empty());
}

TEST(SweepFile, WhatIsWrongIsRefusedWithItsLine) {
  const auto refusal = [](const std::string& line) {
    std::string message = refused([&] { read("dim = 64\n" + line + "\n"); });
    EXPECT_TRUE(message.starts_with("s.toml:2: ")) << message;
    EXPECT_EQ(message.rfind("s.toml:2:"), 0U) << message;  // once
    return message;
  };
  EXPECT_TRUE(contains(refusal("dorpout = [0, 1]"), "no option 'dorpout'"));
  EXPECT_TRUE(contains(refusal("dim = 32"), "'dim' is given twice"));
  EXPECT_TRUE(contains(refusal("dropout = [0, 1.5]"), "--dropout is 1.5"));
  EXPECT_TRUE(contains(refusal("dropout = 1.5"), "--dropout is 1.5"));
  EXPECT_TRUE(contains(refusal("dropout = [0, 0.1, 0.10]"), "0.10 twice"));
  EXPECT_TRUE(contains(refusal("dropout = []"), "nothing to try"));
  EXPECT_TRUE(contains(refusal("dropout = [0, x]"), "'x', but must be a number"));
  EXPECT_TRUE(contains(refusal("epochs = [1.5, 2]"), "must be a whole number"));
  EXPECT_TRUE(contains(refusal("attention = [split, none]"), "double quotes"));
  EXPECT_TRUE(contains(refusal("attention = [\"split\", \"spilt\"]"), "must be one of"));
  EXPECT_TRUE(contains(refusal("model = [\"bsca\", \"bcsa\"]"), "no model 'bcsa'"));
  EXPECT_TRUE(contains(refusal("without = \"time_add\""), "list of texts"));
  EXPECT_TRUE(contains(refusal("search = \"gird\""), "there are grid, random, halving"));
  EXPECT_TRUE(contains(refusal("trials = many"), "whole number"));
  EXPECT_TRUE(contains(refusal("skip-bad = maybe"), "true or false"));
  for (const auto* range : {"", "0.1", "0.1 0.2", "0.1 .. 0.2 lin", "0.1 .. 0.2 log step 1",
                            ".. 0.2", "0.1 ..", "0.1 .. 0.2 step", "0.1 .. 0.2 log log"})
    EXPECT_TRUE(contains(refusal(std::string("lr = \"") + range + "\""), "is not a range"))
        << range;
  EXPECT_TRUE(contains(refusal("lr = \"0.1 .. x\""), "'x' is not a number"));
  EXPECT_TRUE(contains(refusal("lr = \"nan .. 1\""), "'nan' is not a number"));
  EXPECT_TRUE(contains(refusal("lr = \"0.3 .. 0.1\""), "goes upwards"));
  EXPECT_TRUE(contains(refusal("lr = \"0 .. 0.1 log\""), "begins above 0"));
  EXPECT_TRUE(contains(refusal("dropout = \"0 .. 2\""), "--dropout is 2"));
  EXPECT_TRUE(contains(refusal("lr = \"0 .. 1 step 0\""), "above 0"));
  EXPECT_TRUE(contains(refusal("lr = \"0 .. 1 step 1e-9\""), "larger step"));
  EXPECT_TRUE(contains(refusal("dim = \"8 .. 64 step 2.5\""), "given twice"));
  EXPECT_TRUE(contains(refusal("batch = \"8 .. 64 step 2.5\""), "must be a whole number"));
  EXPECT_TRUE(contains(refusal("nonsense"), "name = value"));
  EXPECT_TRUE(contains(refusal("lr = [0.1, 0.2"), "lr = [0.1, 0.2: the list has no ]"));
  EXPECT_TRUE(contains(refusal("trials = [3"), "the list has no ]"));
  for (const auto* list :
       {"lr = [\n  0.1,\n  0.2,\n]", "lr = [ # some\n\n0.1]", "lr = [0.1,\n0.2]"})
    EXPECT_TRUE(contains(refusal(list), "a list must stand on one line")) << list;
  EXPECT_TRUE(contains(refusal("dropout = [0.1]"), "dropout = [0.1] has one value"));
}

TEST(SweepFile, ErrorsBlameAnOptionAndItsLine) {
  const auto error = [](const std::string& text) { return caught([&] { read(text); }); };
  const Error bound = error("dim = 64\ndropout = [0, 1.5]\n");
  EXPECT_EQ(bound.option(), "dropout");
  EXPECT_EQ(bound.place(), Place("s.toml", 2));
  EXPECT_EQ(bound.message(OptionStyle::keyword), "dropout is 1.5, but must be from 0 to 0.9");
  const Error range = error("first-epochs = 3\nlr = \"0.1 - 0.2\"\n");
  EXPECT_EQ(range.option(), "lr");
  EXPECT_EQ(range.place(), Place("s.toml", 2));
  EXPECT_TRUE(range.advice().starts_with("write \"0.01 .. 0.3\""));
  EXPECT_EQ(error("search = \"gird\"\n").option(), "search");
  EXPECT_EQ(error("dorpout = 1\n").advice(), "did you mean 'dropout'?");
}

TEST(SweepFile, FormerNamesAreRead) {
  const SweepOptions options =
      read("teacher = [0, 0.4]\naverage = 0.8\nteacher-from = 2\nstart-scale = 0.1\n");
  EXPECT_EQ(options.searched.at(0).name, "self-distillation");
  EXPECT_EQ(options.fixed.ema, 0.8);
  EXPECT_EQ(options.fixed.self_distillation_from, 2);
  EXPECT_EQ(options.fixed.init_scale, 0.1);
  EXPECT_EQ(origin_of(options, "ema"), Place("s.toml", 2));
  EXPECT_TRUE(contains(sweep_to_toml(options), "\nself-distillation = [0, 0.4]\n"));
  EXPECT_TRUE(contains(refused([&] { read("average = 0.8\nema = 0.8\nlr = [1, 2]\n"); }),
                       "s.toml:2: 'ema' is given twice"));
}

TEST(SweepFile, TheCommandLineFixesOnlyWhatIsNotSearched) {
  SweepOptions options = read("dim = 64\ndropout = [0, 0.1]\naverage = 0.8\n");
  fix_options(options, {{"dim", "32"}, {"average", "0.5"}});
  EXPECT_EQ(options.fixed.dim, 32);
  EXPECT_EQ(options.fixed.ema, 0.5);
  EXPECT_EQ(origin_of(options, "ema"), Place());
  const Error error = caught([&] { fix_options(options, {{"dropout", "0.3"}}); });
  EXPECT_EQ(error.option(), "dropout");
  EXPECT_EQ(error.place(), Place("s.toml", 2));
  EXPECT_EQ(error.message(), "--dropout is searched");
}

}  // namespace
}  // namespace orrery
