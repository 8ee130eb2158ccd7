#include "sweep/watcher.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::SweepRuns;

TEST_F(SweepRuns, AnotherSweepIsRefusedInItsDirectory) {
  sweep(grid(), at("out"));
  SweepOptions other = grid();
  other.fixed.lambda_n3 = 0.5;
  other.searched[1].values.pop_back();
  other.searched[1].values.push_back("0.3");
  const std::string message = refused([&] { sweep(other, at("out")); });
  EXPECT_TRUE(contains(message, "lambda-n3 was 0.008 and is now 0.5")) << message;
  EXPECT_TRUE(contains(message, "dropout was [0, 0.2] and is now [0, 0.3]")) << message;
}

TEST_F(SweepRuns, WhatCannotBeIsRefusedBeforeAnythingIsTrained) {
  const auto refusal = [&](auto change) {
    SweepOptions options = grid();
    change(options);
    std::string message = refused([&] { sweep(options, at("out")); });
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched.clear(); }), "nothing is searched"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.trials = 4; }), "leave trials out"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.trials = 4;
                         o.origins["trials"] = Place("s.toml", 3);
                       }),
                       "s.toml:3: --trials"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.search = Search::random; }), "--trials N"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.keep = 3; }), "halving"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.first_epochs = 3; }), "halving"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.seeds = 0; }), "seeds is 0, but must be from 1 to"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.seeds = 1001; }), "from 1 to 1000"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.keep_runs = 0; }), "keep-runs is 0"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.search = Search::random;
                         o.trials = 7;
                       }),
                       "only 6 different ones"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched[0].name = "seed"; }), "--seeds N"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) { o.searched[0].name = "split"; }), "cannot be searched"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.searched[0] = {.name = "split-by", .values = {"random", "time"}};
                       }),
                       "split-by cannot be searched: trials would be asked different"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.searched[0] = {.name = "granularity", .values = {"day", "week"}};
                       }),
                       "granularity cannot be searched: trials would be asked different"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched[1].name = "lr"; }), "searched twice"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched[1].name = "x"; }), "no option 'x'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched[1].values.clear(); }), "no values"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.searched[1] = {.name = "dropout", .range = SearchedRange{0, 0.1}};
                       }),
                       "a grid needs values"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.searched[1].values[1] = "2"; }),
                       "trial 2 (lr 0.02, dropout 2): --dropout is 2"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.eval_every = 0; }), "eval-every"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.epochs = 0; }), "epochs is 0"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.model = "bcsa"; }), "no model 'bcsa'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.dim = 15; }), "multiple of"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.without = {"x"}; }), "'x'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.data.clear(); }), "--data"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.fixed.data += "/none"; }), "none"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) {
                 for (const auto* name : {"batch", "window", "min-facts", "algebra-warmup"}) {
                   SearchedOption many{.name = name};
                   for (int i = 1; i <= 20; ++i) many.values.push_back(std::to_string(i));
                   o.searched.push_back(many);
                 }
               }),
               "the grid has 960000 trials"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.search = Search::halving;
                         o.trials = 2;
                         o.searched[0] = {.name = "epochs", .values = {"1", "2"}};
                       }),
                       "epochs cannot be searched by halving"));
  EXPECT_TRUE(refusal([](auto& o) {
                o.fixed.reading.split = "80/10";
                o.origins["split"] = Place("s.toml", 6);
              }).starts_with("s.toml:6: --split is '80/10', but must be three shares"));
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), ""); }), "--out"));
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("data/train.txt")); }), "is a file"));
  std::filesystem::remove(at("data/valid.txt"));
  EXPECT_TRUE(contains(refusal([](auto&) {}), "valid is empty"));
}

TEST_F(SweepRuns, WhatIsInNoTrialOfUseIsRefused) {
  const auto refusal = [&](const std::string& model, const SearchedOption& option) {
    SweepOptions options = grid();
    options.fixed.model = model;
    options.searched = {option};
    options.origins[option.name] = Place("s.toml", 4);
    std::string message = refused([&] { sweep(options, at("out")); });
    EXPECT_TRUE(
        message.starts_with("s.toml:4: --" + option.name + " is searched, but changes nothing"))
        << message;
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal("bsca", {.name = "window", .values = {"1", "2"}}),
                       "with bsca on this data: there are no windows of time"));
  EXPECT_TRUE(contains(refusal("bsca", {.name = "min-facts", .values = {"1", "20"}}),
                       "these have points in time; take the line out"));
  EXPECT_TRUE(contains(refusal("complex", {.name = "lambda-time", .values = {"0", "1"}}),
                       "no embeddings of times"));
  EXPECT_TRUE(contains(refusal("tcomplex", {.name = "norm", .values = {"complex", "biquaternion"}}),
                       "no numbers of more than two"));
  EXPECT_TRUE(contains(refusal("bsca", {.name = "dropout-of", .values = {"lane", "component"}}),
                       "dropout is 0"));
  EXPECT_TRUE(contains(refusal("bsca", {.name = "self-distillation-from", .values = {"1", "2"}}),
                       "self-distillation is 0"));
}

TEST_F(SweepRuns, SelfDistillationThatNeverBeginsIsRefused) {
  SweepOptions options = grid();
  options.fixed.ema = 0.5;
  options.fixed.epochs = 3;
  options.searched = {{.name = "self-distillation", .values = {"0", "0.4"}}};
  EXPECT_TRUE(
      contains(refused([&] { sweep(options, at("out")); }), "the training ends after epoch 3"));
  options.fixed.self_distillation_from = 2;
  EXPECT_EQ(sweep(options, at("out")).trials.size(), 2U);

  options.search = Search::halving;
  options.trials = 2;
  options.keep = 2;
  options.fixed.epochs = 4;
  options.fixed.eval_every = 1;
  EXPECT_TRUE(
      contains(refused([&] { sweep(options, at("halved")); }), "the training ends after epoch 2"));
  options.fixed.self_distillation_from = 1;
  EXPECT_EQ(sweep(options, at("halved")).trials.size(), 2U);
}

// Fitted after training, it would leave the ranks of trials as they are.
TEST_F(SweepRuns, HistoryThatValidationDoesNotSeeIsNotSearched) {
  SweepOptions options = grid();
  options.fixed.epochs = 2;
  options.searched = {{.name = "history", .values = {"none", "near"}}};
  options.origins["history"] = Place("s.toml", 5);
  const std::string message = refused([&] { sweep(options, at("out")); });
  EXPECT_TRUE(message.starts_with("s.toml:5: --history is searched, but with --history-from valid"))
      << message;
  EXPECT_TRUE(contains(message, "search with --history-from train or both")) << message;
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  options.searched.push_back({.name = "history-from", .values = {"both", "valid"}});
  EXPECT_TRUE(contains(refused([&] { sweep(options, at("out")); }), "--history is searched"));
  options.searched.erase(options.searched.begin());
  options.fixed.history = "near";
  EXPECT_TRUE(contains(refused([&] { sweep(options, at("out")); }), "--history-from is searched"));

  options.searched = {{.name = "history", .values = {"none", "near"}}};
  options.fixed.history_from = "train";
  EXPECT_EQ(sweep(options, at("out")).trials.size(), 2U);
  options.searched = {{.name = "lr", .values = {"0.1", "0.2"}}};
  options.fixed.history_from = "valid";
  EXPECT_EQ(sweep(options, at("fixed")).trials.size(), 2U) << "one history for all";
}

TEST_F(SweepRuns, WhatIsOfUseInOneModelMayBeSearched) {
  SweepOptions options = grid();
  options.fixed.epochs = 2;
  options.searched = {{.name = "model", .values = {"complex", "bsca"}},
                      {.name = "window", .values = {"2", "4"}}};
  EXPECT_TRUE(contains(refused([&] { sweep(options, at("out")); }), "with bsca, complex on"));
  options.searched[0].values = {"complex", "tlt-kge"};
  EXPECT_EQ(sweep(options, at("out")).trials.size(), 4U);
}

TEST_F(SweepRuns, WhatATrialCannotBeIsSaidWithItsLine) {
  SweepOptions options = grid();
  options.file = "s.toml";
  options.fixed.dim = 15;
  const auto refusal = [&] { return refused([&] { sweep(options, at("out")); }); };
  EXPECT_TRUE(refusal().starts_with("s.toml: trial 1 (lr 0.02, dropout 0): --dim 15")) << refusal();
  options.origins["dim"] = Place("s.toml", 7);
  EXPECT_TRUE(refusal().starts_with("s.toml:7: trial 1 (lr 0.02, dropout 0): --dim 15"));
  const Error error = caught([&] { sweep(options, at("out")); });
  EXPECT_EQ(error.option(), "dim");
  EXPECT_EQ(error.place(), Place("s.toml", 7));
  EXPECT_TRUE(error.message(OptionStyle::keyword)
                  .starts_with("trial 1 (lr 0.02, dropout 0): dim 15 does not fit"));
  options.fixed.dim = 16;
  options.searched[1] = {.name = "attention", .values = {"split", "none"}};
  options.origins["attention"] = Place("s.toml", 8);
  EXPECT_TRUE(refusal().starts_with("s.toml:8: trial 1 (lr 0.02, attention split): the model "));
}

TEST_F(SweepRuns, ADirectoryOfSomethingElseIsRefused) {
  std::filesystem::create_directories(at("out"));
  scratch_.write("out/.hidden", "");
  std::filesystem::create_directories(at("other/runs/complex-1"));
  EXPECT_TRUE(contains(refused([&] { sweep(grid(), at("other")); }),
                       "other: holds 'runs' and no sweep (there is no sweep.toml); name another "));
  EXPECT_FALSE(std::filesystem::exists(at("other/sweep.toml")));
  std::filesystem::create_directories(at("empty"));
  SweepOptions options = grid();
  options.searched.pop_back();
  options.fixed.epochs = 2;
  for (const auto* out : {"out", "empty"}) EXPECT_TRUE(sweep(options, at(out)).complete);
}

TEST_F(SweepRuns, SeedsThatCutTheFileAnewAreRefused) {
  SweepOptions options = grid();
  options.fixed.data = scratch_.write("facts.txt", testing::world_lines(0, 270, false)).string();
  options.fixed.reading.split = "80/10/10";
  options.seeds = 2;
  options.origins["seeds"] = Place("s.toml", 3);
  const std::string message = refused([&] { sweep(options, at("out")); });
  EXPECT_TRUE(message.starts_with("s.toml:3: --seeds is 2, and the seed also decides")) << message;
  EXPECT_TRUE(contains(message, "orrery data split FILE --to DIR")) << message;
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  options.seeds = 1;
  EXPECT_TRUE(sweep(options, at("out")).complete);
}

TEST_F(SweepRuns, WidthsDrawnThatDoNotFitAreRefusedWithTheStepToTake) {
  SweepOptions options = drawn(Search::random, 20);
  options.fixed.model = "bsca";
  options.searched[1] = {.name = "dim", .range = SearchedRange{10, 64}};
  options.origins["dim"] = Place("s.toml", 5);
  const auto refusal = [&] { return refused([&] { sweep(options, at("out")); }); };
  EXPECT_EQ(refusal(),
            "s.toml:5: --dim is drawn from 10 .. 64, but must be a multiple of 8 for 'bsca'; write "
            "\"16 .. 64 step 8\"");
  options.searched[1].range = SearchedRange{9, 15};
  options.trials = 5;
  EXPECT_TRUE(contains(refusal(), "take a longer range, with a step"));
}

}  // namespace
}  // namespace orrery
