// Studies that go on, share their runs, or are refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "paper/small_sets.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;
using testing::StudyWatcher;
using Work = RunAhead::Work;

class ReproduceAgain : public testing::SmallSets {};

TEST_F(ReproduceAgain, WhatIsTrainedIsNotTrainedAgain) {
  StudyWatcher first;
  reproduce(asked("results"), at("out"), &first);
  EXPECT_EQ(first.epochs, 2 * 2 * 2);  // two sets, the paper's setting and the best, two epochs
  const auto before = saved("results");
  StudyWatcher second;
  EXPECT_TRUE(reproduce(asked("results"), at("out"), &second).complete);
  EXPECT_EQ(second.epochs, 0);
  EXPECT_EQ(saved("results"), before);
  // Another study knows the runs of this one; one seed more is one run more.
  StudyWatcher third;
  reproduce(asked("attention", 2), at("out"), &third);
  EXPECT_EQ(third.epochs, 3 * 2);
  ASSERT_EQ(third.runs.size(), 4U);
  EXPECT_EQ(third.runs[0].model, "icews14 paper");
  EXPECT_EQ(third.runs[0].work, Work::done);
  EXPECT_EQ(third.runs[3].number, 4);
  EXPECT_EQ(third.runs[3].of, 4);
  for (const auto* gone : {"model.safetensors", "state.safetensors"})
    EXPECT_FALSE(std::filesystem::exists(at("out/runs/icews14/paper-seed1") / gone));
  ReproduceOptions longer = asked("attention", 2);
  longer.changes["epochs"] = "3";
  EXPECT_TRUE(contains(refused([&] { reproduce(longer, at("out")); }), "epochs = 2"));
}

// Options had other names then.
TEST_F(ReproduceAgain, RunsOfAnEarlierProgramAreKnown) {
  reproduce(asked("results"), at("out"));
  const std::pair<std::string, std::string> former[] = {{"init-scale", "start-scale"},
                                                        {"algebra-warmup", "warmup"},
                                                        {"aux-relation", "relation-loss"},
                                                        {"aux-time", "time-loss"},
                                                        {"ema", "average"},
                                                        {"self-distillation-from", "teacher-from"},
                                                        {"self-distillation", "teacher"}};
  for (const auto* run : {"icews14/paper-seed1", "yago11k/best-seed1"}) {
    const std::string file = fmt::format("out/runs/{}/config.toml", run);
    std::string text = testing::read_bytes(at(file));
    for (const auto& [now, then] : former) {
      const auto place = text.find("\n" + now + " = ");
      ASSERT_NE(place, std::string::npos) << now;
      text.replace(place + 1, now.size(), then);
    }
    scratch_.write(file, text);
  }
  StudyWatcher again;
  EXPECT_TRUE(reproduce(asked("results"), at("out"), &again).complete);
  EXPECT_EQ(again.epochs, 0);
}

TEST_F(ReproduceAgain, AnInterruptedStudyGoesOn) {
  StudyWatcher none(3);
  const Reproduction nothing = reproduce(asked("ablation"), at("out"), &none);
  EXPECT_FALSE(nothing.complete);
  EXPECT_EQ(nothing.runs_done, 0);
  EXPECT_EQ(nothing.runs, 14);
  EXPECT_TRUE(nothing.files.empty());
  StudyWatcher some(50);
  const Reproduction part = reproduce(asked("ablation"), at("out"), &some);
  EXPECT_FALSE(part.complete);
  EXPECT_GT(part.runs_done, 0);
  EXPECT_EQ(saved("ablation")["complete"], false);
  EXPECT_TRUE(contains(page("ablation.md"), fmt::format("{} of 14 runs are done", part.runs_done)));
  EXPECT_TRUE(contains(page("ablation.md"), "—"));
  EXPECT_TRUE(reproduce(asked("ablation"), at("out")).complete);
  const auto whole = table("ablation", 0);
  reproduce(asked("ablation"), at("fresh"));
  const auto fresh = nlohmann::json::parse(testing::read_bytes(at("fresh/ablation.json")));
  for (const auto& block : fresh["report"]["blocks"])
    if (block["type"] == "table") {
      EXPECT_EQ(block["rows"], whole["rows"]);
      break;
    }
}

TEST_F(ReproduceAgain, OneSetsOwnFolderIsEnough) {
  ReproduceOptions options = asked("results");
  options.data = (at("sets/yago11k") / "").string();
  reproduce(options, at("out"));
  const auto json = saved("results");
  EXPECT_EQ(json["sets"].size(), 1U);
  EXPECT_TRUE(json["sets"].contains("yago11k"));
}

TEST_F(ReproduceAgain, SetsThatAreNotAskedForWait) {
  ReproduceOptions options = asked("results");
  options.sets = {"yago11k"};
  StudyWatcher one;
  const Reproduction part = reproduce(options, at("out"), &one);
  EXPECT_TRUE(part.complete);
  EXPECT_EQ(part.runs, 2);
  EXPECT_EQ(one.runs.back().model, "yago11k best");
  EXPECT_FALSE(std::filesystem::exists(at("out/runs/icews14")));
  auto json = saved("results");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["sets"].size(), 1U);
  EXPECT_EQ(json["missing"].size(), 0U);
  EXPECT_EQ(json["not_asked"],
            (std::vector<std::string>{"icews14", "icews05-15", "gdelt", "wikidata12k"}));
  EXPECT_TRUE(
      contains(page("results.md"), "not asked for: icews14, icews05-15, gdelt, wikidata12k."));
  EXPECT_FALSE(contains(page("results.md"), "not at hand"));
  // A later call without them reports everything.
  StudyWatcher all;
  EXPECT_TRUE(reproduce(asked("results"), at("out"), &all).complete);
  EXPECT_EQ(all.runs.size(), 4U);
  EXPECT_EQ(all.epochs, 2 * 2);
  json = saved("results");
  EXPECT_EQ(json["sets"].size(), 2U);
  EXPECT_EQ(json["not_asked"].size(), 0U);
  EXPECT_FALSE(contains(page("results.md"), "not asked for"));
}

TEST_F(ReproduceAgain, WhatIsWrongIsRefusedBeforeAnythingIsTrained) {
  const auto refusal = [&](auto change) {
    ReproduceOptions options = asked("results");
    change(options);
    std::string message = refused([&] { reproduce(options, at("out")); });
    EXPECT_FALSE(std::filesystem::exists(at("out"))) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal([](auto& o) { o.study = "results2"; }),
                       "there is no study 'results2'; there are results, ablation"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.data.clear(); }), "--data"));
  EXPECT_TRUE(contains(refusal([&](auto& o) { o.data = at("").string(); }),
                       "holds no folder of a set that the study needs (icews14, icews05-15"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.seeds = 0; }), "--seeds"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.sets = {"icews14", "x"}; }), "no set 'x'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.sets = {"gdelt"}; }), "no folder of gdelt"));
  EXPECT_TRUE(contains(refusal([](auto& o) {
                         o.study = "geometry";
                         o.run = "x";
                         o.sets = {"icews14"};
                       }),
                       "leave one of them out"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.run = "x"; }),
                       "--run is for geometry and patterns, not for results"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) { o.relation = "x"; }), "--relation is for geometry, not"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.peer = "x"; }), "--peer is for efficiency, not"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.changes["epochs"] = "many"; }), "epochs"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.changes["epoch"] = "1"; }), "no option 'epoch'"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.changes["dim"] = "12"; }), "multiple of 8"));
  EXPECT_TRUE(contains(refusal([&](auto& o) { o.configs = at("none").string(); }), "--configs"));
  EXPECT_TRUE(contains(refused([&] { reproduce(asked("results"), ""); }), "--out"));
  EXPECT_TRUE(contains(refused([&] { reproduce(asked("results"), at("sets/icews14/train.txt")); }),
                       "is a file"));
}

TEST_F(ReproduceAgain, AStudyIsAskedOnlyWhatItTakes) {
  ReproduceOptions options = asked("all");
  options.run = options.relation = options.time = options.peer = "x";
  for (const StudyInfo& study : studies()) {
    const ReproduceOptions left = asked_of(study, options);
    EXPECT_EQ(left.study, study.name);
    EXPECT_EQ(left.data, options.data);
    const auto taken = [&](const char* name) {
      return std::ranges::count(study.own_options, name) == 1 ? "x" : "";
    };
    EXPECT_EQ(left.run, taken("run")) << study.name;
    EXPECT_EQ(left.relation, taken("relation")) << study.name;
    EXPECT_EQ(left.time, taken("time")) << study.name;
    EXPECT_EQ(left.peer, taken("peer")) << study.name;
  }
  EXPECT_EQ(studies().front().own_options.size(), 0U);
  EXPECT_EQ(studies().back().own_options, std::vector<std::string>{"run"});
}

TEST_F(ReproduceAgain, ABrokenConfigIsNamedWithItsLine) {
  const auto refusal = [&](const std::string& file, const std::string& text) {
    write_configs("configs");
    scratch_.write("configs/" + file, text);
    ReproduceOptions options = asked("results");
    options.configs = at("configs").string();
    return refused([&] { reproduce(options, at("out")); });
  };
  const std::string head = "name\tsets\tconfig\toptions\n";
  EXPECT_TRUE(contains(refusal("icews14.toml", "dim = 16\nwidth = 3\n"), "icews14.toml:2:"));
  EXPECT_TRUE(contains(refusal("results.tsv", "name\tsets\n"), "results.tsv:1: the head must be"));
  EXPECT_TRUE(
      contains(refusal("results.tsv", "# why\n" + head + "a\tb\n"), "results.tsv:3: has 2"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "a\tatlantis\t{set}.toml\t\n"),
                       "results.tsv:2: there is no set 'atlantis'"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "a\ticews14\t{set}.toml\tdim\n"),
                       "results.tsv:2: 'dim' is not of the form"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "a\ticews14\t{set}.toml\tdim=x\n"),
                       "results.tsv:2: --dim is 'x', but must be a whole number"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "a\ticews14\t{set}.toml\twidth=3\n"),
                       "results.tsv:2: there is no option 'width'"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "a\ticews14\tnone.toml\t\n"), "none.toml"));
  EXPECT_TRUE(contains(refusal("results.tsv", head + "best\ticews14\t{set}.toml\t\n"),
                       "no line called 'paper'"));
  EXPECT_TRUE(contains(refusal("results.tsv", ""), "is empty"));
  EXPECT_TRUE(
      contains(refusal("reported/results.tsv",
                       "method\tdataset\tmrr\thits1\thits3\thits10\nX\ticews14\thigh\t\t\t\n"),
               "results.tsv:2: 'high' is not a number"));
}

}  // namespace
}  // namespace orrery
