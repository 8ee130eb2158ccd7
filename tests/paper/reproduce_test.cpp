#include "paper/reproduce.h"

#include <gtest/gtest.h>

#include <set>

#include "paper/small_sets.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;
using testing::StudyWatcher;
using Work = RunAhead::Work;

class Reproduce : public testing::SmallSets {};

TEST_F(Reproduce, ResultsStandBesideThePapers) {
  write_configs("configs");
  scratch_.write("configs/best/icews14.toml", read_bytes(at("configs/icews14.toml")));
  ReproduceOptions options = asked("results", 2);
  options.configs = at("configs").string();
  const Reproduction done = reproduce(options, at("out"));
  EXPECT_TRUE(done.complete);
  ASSERT_EQ(done.files.size(), 3U);
  for (const auto& file : done.files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
  const auto json = saved("results");
  EXPECT_EQ(json["study"], "results");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["seeds"], 2);
  EXPECT_EQ(json["command"], "orrery reproduce results");
  EXPECT_EQ(json["changes"]["epochs"], "2");
  EXPECT_FALSE(json["hardware"]["engines"].empty());
  EXPECT_EQ(json["missing"], (std::vector<std::string>{"icews05-15", "gdelt", "wikidata12k"}));
  const auto& set = json["sets"]["icews14"];
  EXPECT_EQ(set["published_facts"], false);
  EXPECT_EQ(set["models"][0]["options"]["lambda-n3"], 0.008);
  EXPECT_EQ(set["models"][0]["runs"].size(), 2U);
  EXPECT_FALSE(contains(page("results.json"), scratch_.path().string()));

  const auto summary = table("results", 0);
  ASSERT_EQ(summary["rows"].size(), 2U);
  EXPECT_EQ(summary["rows"][0][0], "ICEWS14");
  EXPECT_EQ(summary["rows"][0][1], "64.7");
  EXPECT_EQ(summary["rows"][0][2], "63.8 (SANe)");
  const double mrr = set["models"][0]["mean"]["mrr"];
  EXPECT_TRUE(
      contains(summary["rows"][0][3].get<std::string>(), fmt::format("{:.2f} ± ", 100 * mrr)));
  EXPECT_EQ(summary["rows"][0][5], fmt::format("{:+.2f}", 100 * mrr - 64.7));
  EXPECT_EQ(table("results", 1)["rows"][0][1], "nothing");
  EXPECT_TRUE(contains(done.text, "BSCA, reported"));
  for (const auto* part :
       {"Not the paper's setting: batch = 67, dim = 16, epochs = 2, eval-every = 1.",
        "not at hand: icews05-15, gdelt, wikidata12k.", "icews14 are not the published ones",
        "mean ± deviation of 2 seeds", "| CEC-BD, reported | 21.2 | 15.4 | 21.5 | 33.9 |"})
    EXPECT_TRUE(contains(page("results.md"), part)) << part;
  EXPECT_TRUE(contains(page("results.html"), "</html>"));
}

TEST_F(Reproduce, TheBestConfigurationIsMeasuredToo) {
  write_configs("configs");
  scratch_.write("configs/best/icews14.toml",
                 "model = \"tcomplex\"\ndropout = 0.25\nlambda-n3 = 0.008\n");
  ReproduceOptions options = asked("results");
  options.configs = at("configs").string();
  reproduce(options, at("out"));
  const auto models = saved("results")["sets"]["icews14"]["models"];
  ASSERT_EQ(models.size(), 2U);
  const auto& best = models[models[0]["name"] == "best" ? 0 : 1];
  EXPECT_EQ(best["model"], "tcomplex");
  EXPECT_EQ(table("results", 0)["rows"][0][4],
            fmt::format("{:.2f}", 100 * best["mean"]["mrr"].get<double>()));
  const std::string words = table("results", 1)["rows"][0][1];
  EXPECT_TRUE(contains(words, "model = \"tcomplex\"") && contains(words, "dropout = 0.25"))
      << words;
  const auto rows = table("results", 2)["rows"];
  EXPECT_EQ(rows.back()[0], "best configuration (tcomplex), measured");
}

TEST_F(Reproduce, AnAblationHasAllItsRows) {
  reproduce(asked("ablation"), at("out"));
  const auto overview = table("ablation", 0);
  ASSERT_EQ(overview["rows"].size(), 7U);
  EXPECT_EQ(overview["columns"].size(), 5U);
  EXPECT_EQ(overview["rows"][6][0], "w/o biquaternion");
  EXPECT_EQ(overview["rows"][6][3], "19.8");
  const auto icews14 = table("ablation", 1);
  EXPECT_EQ(icews14["rows"][1][1], "-0.40");
  EXPECT_EQ(icews14["rows"][0][2], "—");
  std::set<std::string> scores;
  for (const auto& row : overview["rows"]) scores.insert(row[2].get<std::string>());
  EXPECT_GT(scores.size(), 4U) << "variants must differ";
  const auto models = saved("ablation")["sets"]["yago11k"]["models"];
  EXPECT_EQ(models.size(), 7U);
  for (const auto& model : models)
    if (model["name"] == "paper:without=time_add+relation_add") {
      EXPECT_EQ(model["options"]["without"],
                (std::vector<std::string>{"time_add", "relation_add"}));
      EXPECT_EQ(model["options"]["min-facts"], 100);
    }
}

TEST_F(Reproduce, SensitivityIsAPlotAnOption) {
  ReproduceOptions options = asked("sensitivity");
  options.changes.erase("dim");
  options.configs = at("configs").string();
  write_configs("configs");
  scratch_.write("configs/icews14.toml", "dim = 16\nlambda-n3 = 0.01\n");
  scratch_.write("configs/yago11k.toml", "min-facts = 20\ndim = 24\n");
  scratch_.write("configs/sensitivity.tsv",
                 "name\tsets\tconfig\toptions\n"
                 "lambda-n3\ticews14\t{set}.toml\tlambda-n3=0.01\n"
                 "lambda-n3\ticews14\t{set}.toml\tlambda-n3=0.001\n"
                 "dim\ticews14,yago11k\t{set}.toml\tdim=8\n"
                 "dim\ticews14,yago11k\t{set}.toml\tdim=24\n");
  StudyWatcher watcher;
  reproduce(options, at("out"), &watcher);
  EXPECT_EQ(watcher.runs.size(), 6U);  // the first line is the config's own setting
  const auto summary = table("sensitivity", 0);
  ASSERT_EQ(summary["rows"].size(), 3U);
  EXPECT_EQ(summary["rows"][0][1], "0.01");
  EXPECT_EQ(summary["rows"][1][2], "—");  // the paper's width is not among those tried
  EXPECT_EQ(summary["rows"][2][1], "24");
  std::vector<nlohmann::json> plots;
  const auto json = saved("sensitivity");
  for (const auto& block : json["report"]["blocks"])
    if (block["type"] == "plot") plots.push_back(block);
  ASSERT_EQ(plots.size(), 3U);
  EXPECT_EQ(plots[0]["series"][0]["x"], (std::vector<double>{0.001, 0.01}));
  EXPECT_EQ(plots[2]["series"][1]["x"], (std::vector<double>{8, 24}));
  EXPECT_EQ(plots[0]["series"][0]["deviation"].size(), 0U);
}

TEST_F(Reproduce, CurvesAreThoseOfTheMetrics) {
  reproduce(asked("curves", 2), at("out"));
  const auto json = saved("curves");
  const auto& curve = json["details"]["yago11k"];
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[1]["epoch"], 2);
  EXPECT_EQ(curve[1]["loss"].size(), 2U);
  const auto metrics = testing::SmallRuns::metrics("out/runs/yago11k/paper-seed2");
  EXPECT_EQ(curve[1]["loss"][1], metrics[1]["loss"]);
  EXPECT_EQ(curve[1]["valid_mrr"][1], metrics[1]["valid"]["mrr"]);
  EXPECT_EQ(table("curves", 0)["rows"].size(), 2U);
  EXPECT_EQ(table("curves", 0)["rows"][0][1], "—");  // there is no epoch 30
}

TEST_F(Reproduce, AttentionIsShownByRelationAndEntity) {
  const auto swap = [&](const std::string& file) {
    std::string text = read_bytes(at("sets/icews14") / file);
    for (std::size_t i = 0; (i = text.find("\tr1\t", i)) != std::string::npos;)
      text.replace(i, 4, "\tConsult\t");
    for (std::size_t i = 0; (i = text.find("e05", i)) != std::string::npos;)
      text.replace(i, 3, "China");
    scratch_.write("sets/icews14/" + file, text);
  };
  for (const auto* file : {"train.txt", "valid.txt", "test.txt"}) swap(file);
  reproduce(asked("attention", 2), at("out"));
  const auto paper = table("attention", 0);
  ASSERT_EQ(paper["rows"].size(), 11U);
  EXPECT_EQ(paper["rows"][0][0], "Consult");
  EXPECT_EQ(paper["rows"][0][4], "87.11");
  EXPECT_TRUE(contains(paper["rows"][0][7].get<std::string>(), " ± ")) << paper["rows"][0];
  EXPECT_EQ(paper["rows"][1][7], "—");
  EXPECT_EQ(paper["rows"][6][0], "China");
  EXPECT_NE(paper["rows"][6][6], "—");
  const auto json = saved("attention");
  for (const auto& block : json["report"]["blocks"])
    EXPECT_TRUE(block["type"] != "table" || !block["rows"].empty()) << block;
  const auto& details = json["details"]["icews14"];
  EXPECT_EQ(details["relations"].size(), 3U);
  std::uint64_t questions = 0;
  for (const auto& entity : details["entities"]) questions += entity["questions"].get<unsigned>();
  EXPECT_EQ(questions, 50U);
}

TEST_F(Reproduce, EfficiencyTakesThePeersSteps) {
  ReproduceOptions options = asked("efficiency");
  reproduce(options, at("out"));
  const auto without = table("efficiency", 0);
  ASSERT_EQ(without["rows"].size(), 7U);
  EXPECT_EQ(without["rows"][6][0], "BSCA");
  EXPECT_EQ(without["rows"][6][3], "9.5");
  EXPECT_EQ(without["rows"][6][8], "not measured here");
  options.peer =
      scratch_
          .write("steps.jsonl",
                 "some words\n"
                 R"({"bench":"gpu_step","row":"step","shape":"icews14","attention":"split",)"
                 R"("precision":"bf16","ms":2.0})"
                 "\n"
                 R"({"bench":"gpu_step","row":"step","shape":"gdelt","attention":"split",)"
                 R"("precision":"bf16","ms":1.0})"
                 "\n"
                 R"({"bench":"torch_step","shape":"icews14","attention":"split",)"
                 R"("mode":"eager fp32","ms":40.0})"
                 "\n"
                 R"({"bench":"torch_step","shape":"icews14","attention":"split",)"
                 R"("mode":"compiled bf16","ms":5.0})"
                 "\n")
          .string();
  StudyWatcher watcher;
  reproduce(options, at("out"), &watcher);
  EXPECT_EQ(watcher.epochs, 0);
  EXPECT_EQ(table("efficiency", 0)["rows"][6][8], "2.5");
  EXPECT_EQ(table("efficiency", 0)["rows"][0][8], "—");
  EXPECT_EQ(table("efficiency", 1)["rows"][1][0], "PyTorch eager fp32");
  EXPECT_EQ(table("efficiency", 1)["rows"][1][2], "20.0");
  options.peer = scratch_.write("ours.jsonl", "{}\n").string();
  EXPECT_TRUE(contains(refused([&] { reproduce(options, at("out")); }), "holds no step that"));
  options.peer = at("none").string();
  EXPECT_TRUE(contains(refused([&] { reproduce(options, at("other")); }), "cannot be read"));
  EXPECT_FALSE(std::filesystem::exists(at("other")));
}

TEST_F(Reproduce, StudiesOfOneModelTrainItOrTakeOne) {
  for (const auto* study : {"geometry", "patterns"}) {
    StudyWatcher watcher;
    EXPECT_TRUE(reproduce(asked(study, 3), at("out"), &watcher).complete);
    EXPECT_EQ(watcher.runs.size(), 1U);
    EXPECT_EQ(watcher.runs[0].work, std::string(study) == "geometry" ? Work::train : Work::done);
    EXPECT_TRUE(contains(page(study + std::string(".md")), "Not the paper's setting"));
    EXPECT_FALSE(saved(study)["details"].is_null());
  }
  ReproduceOptions options;
  options.study = "geometry";
  options.run = at("out/models/icews14/paper-seed1").string();
  options.relation = "r1";
  options.time = "2014-01-03";
  StudyWatcher watcher;
  const Reproduction done = reproduce(options, at("again"), &watcher);
  EXPECT_TRUE(watcher.runs.empty());
  EXPECT_TRUE(contains(done.text, "r1 at 2014-01-03")) << done.text;
  EXPECT_TRUE(contains(done.text, "of the trained run `" + options.run + "`.")) << done.text;
  EXPECT_FALSE(contains(page("geometry.md"), "Scores are in percent"));
  EXPECT_TRUE(contains(page("patterns.md"), "Scores are in percent"));
}

}  // namespace
}  // namespace orrery
