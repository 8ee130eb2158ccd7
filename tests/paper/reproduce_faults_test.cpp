// Studies whose models fail, whose data moves, or that are interrupted with runs at hand.
#include <gtest/gtest.h>

#include "paper/small_sets.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::StudyWatcher;
using Work = RunAhead::Work;

class ReproduceFaults : public testing::SmallSets {
 protected:
  ReproduceOptions with_configs(const std::string& study, std::int64_t seeds = 1) const {
    write_configs("configs");
    ReproduceOptions options = asked(study, seeds);
    options.configs = at("configs").string();
    return options;
  }
};

TEST_F(ReproduceFaults, AReportNeverLosesRuns) {
  reproduce(asked("results", 2), at("out"));
  write_world("sets/gdelt", false);
  StudyWatcher interrupted(3);
  const Reproduction part = reproduce(asked("results", 3), at("out"), &interrupted);
  EXPECT_EQ(part.runs_done, 8);
  EXPECT_EQ(part.runs, 15);
  EXPECT_EQ(interrupted.runs[7].work, Work::done);
  EXPECT_EQ(interrupted.runs[8].work, Work::train);
  EXPECT_EQ(interrupted.runs[8].number, 9);
  const auto json = saved("results");
  for (const auto* set : {"icews14", "yago11k"})
    for (const auto& model : json["sets"][set]["models"]) EXPECT_EQ(model["runs"].size(), 2U);
  EXPECT_TRUE(contains(page("results.md"), "mean ± deviation of up to 3 seeds"));
  EXPECT_TRUE(contains(table("results", 0)["rows"][0][3].get<std::string>(), " (2 seeds)"));
}

TEST_F(ReproduceFaults, AModelThatFailsIsACell) {
  ReproduceOptions options = with_configs("results");
  scratch_.write("configs/best/icews14.toml", "lr = 100\ninit-scale = 10\nexponent = 8\n");
  StudyWatcher watcher;
  const Reproduction done = reproduce(options, at("out"), &watcher);
  ASSERT_EQ(watcher.failures.size(), 1U);
  EXPECT_TRUE(watcher.failures[0].starts_with("2 of 4: icews14 best: the loss is not a finite"))
      << watcher.failures[0];
  EXPECT_TRUE(done.complete);
  EXPECT_EQ(done.runs_failed, 1);
  EXPECT_EQ(done.runs_done, 3);
  EXPECT_EQ(table("results", 0)["rows"][0][4], "failed");
  EXPECT_EQ(table("results", 0)["rows"][0][5], "—");
  EXPECT_TRUE(contains(page("results.md"), "1 of 4 runs failed and are left out: icews14 best"));
  EXPECT_EQ(saved("results")["runs_failed"], 1);
  ReproduceOptions alone = with_configs("geometry");
  alone.changes["memory"] = "1K";
  EXPECT_TRUE(contains(refused([&] { reproduce(alone, at("out")); }), "remove its failed.txt"));
}

TEST_F(ReproduceFaults, DataMayMove) {
  reproduce(asked("geometry"), at("out"));
  std::filesystem::rename(at("sets"), at("moved"));
  ReproduceOptions options = asked("geometry");
  options.data = at("moved").string();
  StudyWatcher watcher;
  EXPECT_TRUE(reproduce(options, at("out"), &watcher).complete);
  EXPECT_EQ(watcher.epochs, 0);
}

TEST_F(ReproduceFaults, ARelationOrTimeIsLookedUpBeforeTraining) {
  ReproduceOptions options = asked("geometry");
  options.relation = "r9";
  EXPECT_TRUE(contains(refused([&] { reproduce(options, at("out")); }), "r9"));
  options.relation = "r1";
  options.time = "1999-01-01";
  EXPECT_TRUE(contains(refused([&] { reproduce(options, at("out")); }), "1999-01-01"));
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  options.time = "2014-01-03";
  EXPECT_TRUE(contains(reproduce(options, at("out")).text, "r1 at 2014-01-03"));
}

TEST_F(ReproduceFaults, WhatAStudyVariesIsNotChanged) {
  EXPECT_TRUE(contains(refused([&] { reproduce(asked("sensitivity"), at("out")); }),
                       "the study sensitivity varies dim itself"));
  ReproduceOptions options = with_configs("sensitivity");
  options.changes.erase("batch");
  scratch_.write("configs/icews14.toml", "batch = 67\nepochs = 7\n");
  scratch_.write("configs/sensitivity.tsv",
                 "name\tsets\tconfig\toptions\n"
                 "lr\ticews14\t{set}.toml\tlr=0.2\n"
                 "epochs\ticews14\t{set}.toml\tlr=0.3\n");
  reproduce(options, at("out"));
  EXPECT_EQ(table("sensitivity", 0)["rows"][1][1], "7") << "the paper's, not the changed 2";
}

TEST_F(ReproduceFaults, EpochsAreAtLeastOne) {
  for (const auto* study : {"results", "sensitivity"}) {
    ReproduceOptions options = asked(study);
    options.changes.erase("dim");
    options.changes["epochs"] = "0";
    EXPECT_TRUE(contains(refused([&] { reproduce(options, at("out")); }), "--epochs is 0"));
  }
  CompareRow row;
  row.runs.resize(2);
  EXPECT_TRUE(valid_mrrs(row).empty());
  EXPECT_EQ(score_cell(valid_mrrs(row), 2), "—");
}

TEST_F(ReproduceFaults, CurvesEndWhereASeedEnds) {
  reproduce(asked("curves", 2), at("out"));
  EXPECT_EQ(saved("curves")["report"]["title"], "Training curves");
  // As if the second seed had stopped early.
  const auto metrics = at("out/runs/icews14/paper-seed2/metrics.jsonl");
  const std::string lines = read_bytes(metrics);
  scratch_.write("out/runs/icews14/paper-seed2/metrics.jsonl",
                 lines.substr(0, lines.find('\n') + 1));
  reproduce(asked("curves", 2), at("out"));
  const auto json = saved("curves");
  EXPECT_EQ(json["details"]["icews14"].size(), 2U);
  for (const auto& block : json["report"]["blocks"])
    if (block["type"] == "plot") {
      const bool cut = contains(block["caption"].get<std::string>(), "ICEWS14");
      EXPECT_EQ(block["series"][0]["x"].size(), cut ? 1U : 2U) << block;
      EXPECT_EQ(block["series"][0]["name"], "mean of 2 seeds");
    }
  write_configs("configs");
  ReproduceOptions whole = asked("curves");
  whole.configs = at("configs").string();
  whole.changes.erase("epochs");
  for (const auto* set : {"icews14", "yago11k"})
    scratch_.write(fmt::format("configs/{}.toml", set), "epochs = 1\nmin-facts = 20\n");
  scratch_.write("configs/curves.tsv",
                 "name\tsets\tconfig\toptions\nBSCA\ticews14\t{set}.toml\tepochs=2\n");
  EXPECT_TRUE(contains(reproduce(whole, at("other")).text, "twice as long as the paper trains"));
}

TEST_F(ReproduceFaults, FiguresOfThePaperAreNumbers) {
  const std::string head = "kind\tname\tnote\twithout\twith\n";
  const auto refusal = [&](const std::string& line) {
    const ReproduceOptions options = with_configs("attention");
    scratch_.write("configs/reported/attention.tsv", head + line);
    return refused([&] { reproduce(options, at("out")); });
  };
  EXPECT_TRUE(contains(refusal("relation\tConsult\t\t1\tmuch\n"), "attention.tsv:2: 'much' is no"));
  EXPECT_TRUE(
      contains(refusal("relation\tConsult\t\t\t1\n"), "attention.tsv:2: '' is not a number"));
  EXPECT_TRUE(
      contains(refusal("realtion\tConsult\t\t1\t2\n"), "attention.tsv:2: the kind is 'realtion'"));
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(ReproduceFaults, ChangesAreCheckedWithARunToo) {
  TrainOptions small = testing::SmallRuns::options();
  small.data = at("sets/icews14").string();
  small.device = "cpu";
  testing::train_run(small, at("run"));
  ReproduceOptions options;
  options.study = "patterns";
  options.run = at("run").string();
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"threads", "many"}, {"memory", "lots"}, {"device", "abacus"}}) {
    options.changes = {{name, value}};
    EXPECT_FALSE(refused([&] { reproduce(options, at("out")); }).empty()) << name;
  }
  options.changes = {{"dim", "16"}};
  EXPECT_TRUE(
      contains(refused([&] { reproduce(options, at("out")); }), "--dim is an option of training"));
  options.changes = {{"threads", "1"}, {"device", "cpu"}};
  EXPECT_TRUE(reproduce(options, at("out")).complete);
}

TEST_F(ReproduceFaults, WhatWasReadFromACopyIsSaid) {
  write_configs("configs");
  ReproduceOptions options = asked("ablation");
  options.configs = at("configs").string();
  options.sets = {"icews14"};
  options.changes["seed"] = "7";
  reproduce(options, at("out"));
  EXPECT_FALSE(contains(page("ablation.md"), "Configurations were read"));
  EXPECT_TRUE(contains(page("ablation.md"), "one seed, 7."));
  scratch_.write("configs/ablation.tsv",
                 "name\tsets\tconfig\toptions\nBSCA\ticews14\t{set}.toml\t\n"
                 "w/o attention\ticews14\t{set}.toml\tattention=none patience=3\n");
  reproduce(options, at("out"));
  EXPECT_TRUE(contains(page("ablation.md"), "these are not the built-in ones: ablation.tsv."));
  EXPECT_EQ(saved("ablation")["edited_configs"], std::vector<std::string>{"ablation.tsv"});
  EXPECT_TRUE(contains(page("ablation.md"),
                       "On ICEWS14 the runs of variants end after 3 validations without a better "
                       "one; the whole model's goes on to its last epoch."));
  scratch_.write("configs/icews14.toml", "lr = 1e30\n");
  EXPECT_TRUE(contains(refused([&] { reproduce(options, at("other")); }), "icews14.toml: --lr is"));
}

TEST_F(ReproduceFaults, ASweepsDirectoryIsAnothers) {
  std::filesystem::create_directories(at("out"));
  scratch_.write("out/sweep.toml", "");
  EXPECT_TRUE(contains(refused([&] { reproduce(asked("results"), at("out")); }), "holds a sweep"));
}

TEST_F(ReproduceFaults, FactsOfNoKnownFingerprintAreSaidToBeUnchecked) {
  write_world("sets/gdelt", false);
  ReproduceOptions options = asked("results");
  options.sets = {"gdelt"};
  reproduce(options, at("out"));
  EXPECT_TRUE(contains(page("results.md"), "Whether the facts called gdelt are the published"));
}

TEST_F(ReproduceFaults, TheRunsSayWhereTheyWereMade) {
  reproduce(asked("attention"), at("out"));
  EXPECT_EQ(saved("attention")["versions"], std::vector<std::string>{"0.1.0"});
  EXPECT_EQ(saved("attention")["hardware"]["processors"].size(), 1U);
  EXPECT_TRUE(contains(page("attention.md"), "`orrery reproduce attention`, Orrery 0.1.0: both"));
}

}  // namespace
}  // namespace orrery
