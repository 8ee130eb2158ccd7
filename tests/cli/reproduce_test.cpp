// orrery reproduce, as people type it.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;
using testing::read_bytes;

class ReproduceVerb : public testing::CommandLine {
 protected:
  void SetUp() override {
    write_world("sets/icews14", false);
    write_world("sets/yago11k", true);
  }
  Words words(const std::string& study, const Words& more = {},
              const std::string& epochs = "2") const {
    Words all = {"reproduce",    study, "--data",    at("sets").string(),
                 "--out",        out(), "--dim",     "16",
                 "--batch",      "67",  "--threads", "1",
                 "--device",     "cpu", "--epochs",  epochs,
                 "--eval-every", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out() const { return at("out").string(); }
};

TEST_F(ReproduceVerb, PrintsAndSavesTheReport) {
  const auto spoken = done(words("results", {"--seeds", "1"}));
  for (const auto* part :
       {"the paper's table and ours", "Not the paper's setting: batch = 67, dim = 16, epochs = 2",
        "TeAST, reported", "results.json\n", "results.md\n", "results.html\n"})
    EXPECT_TRUE(contains(spoken.out, part)) << spoken.out;
  EXPECT_TRUE(contains(spoken.err, "run 1 of 4: icews14 paper, seed 1\n")) << spoken.err;
  const auto json = nlohmann::json::parse(read_bytes(at("out/results.json")));
  EXPECT_TRUE(contains(json["command"].get<std::string>(), "orrery reproduce results --data "));
  EXPECT_TRUE(contains(json["command"].get<std::string>(), " --epochs 2"));
  EXPECT_EQ(json["changes"]["dim"], "16");
  const auto again = orrery(words("results", {"--seeds", "1", "--json"}));
  EXPECT_EQ(again.out, read_bytes(at("out/results.json")));
  EXPECT_FALSE(contains(again.err, "epoch")) << again.err;

  const std::string file = (at("out") / "results.json").string();
  EXPECT_EQ(done({"reproduce", "show", file}).out, read_bytes(at("out/results.md")));
  EXPECT_EQ(done({"reproduce", "show", file, "--format", "html"}).out,
            read_bytes(at("out/results.html")));
  EXPECT_TRUE(contains(spoken.out, done({"reproduce", "show", file, "--format", "text"}).out));
}

TEST_F(ReproduceVerb, TrainsOnlyTheSetsThatAreNamed) {
  const auto spoken = done(words("results", {"--seeds", "1", "--sets", "yago11k,yago11k"}));
  EXPECT_TRUE(contains(spoken.err, "run 1 of 2: yago11k paper, seed 1\n")) << spoken.err;
  EXPECT_TRUE(contains(spoken.out, "not asked for: icews14")) << spoken.out;
  const auto report = json(words("results", {"--seeds", "1", "--sets", "yago11k,icews14"}));
  const std::string command = report["command"];
  EXPECT_TRUE(contains(command, " --sets yago11k,icews14 --out ")) << command;
  EXPECT_TRUE(contains(command, " --json --dim 16 ")) << command;
  EXPECT_EQ(report["sets"].size(), 2U);
  // A word after it is not taken for another set.
  EXPECT_TRUE(contains(refused(words("results", {"--sets", "gdelt", "more"})), "'more'"));
}

TEST_F(ReproduceVerb, AllStudiesAreMeasuredOneAfterTheOther) {
  Words asked = {"reproduce",    "all", "--data",   at("sets").string(),
                 "--out",        out(), "--batch",  "67",
                 "--seeds",      "1",   "--epochs", "2",
                 "--threads",    "1",   "--sets",   "icews14",
                 "--device",     "cpu", "--dim",    "16",
                 "--eval-every", "1",   "--time",   "2014-01-02"};
  const auto spoken = orrery(asked);
  EXPECT_EQ(spoken.code, 1) << spoken.err;  // one of them varies the width itself
  EXPECT_TRUE(contains(spoken.out, "sensitivity was left out: ") &&
              contains(spoken.out, "the study sensitivity varies dim"));
  for (const auto* study :
       {"results", "ablation", "curves", "attention", "efficiency", "geometry", "patterns"}) {
    const auto file = at("out") / (std::string(study) + ".json");
    EXPECT_TRUE(contains(spoken.out, "saved " + file.string())) << study;
    const std::string command = nlohmann::json::parse(read_bytes(file))["command"];
    EXPECT_EQ(contains(command, "--time 2014-01-02"), study == std::string("geometry")) << command;
  }
  asked.emplace_back("--json");
  const auto json = nlohmann::json::parse(orrery(asked).out);
  EXPECT_EQ(json["results"]["complete"], true);
  EXPECT_EQ(json["ablation"]["runs_done"], 7);
  EXPECT_TRUE(contains(json["sensitivity"]["left_out"].get<std::string>(), "dim"));
  asked.insert(asked.end(), {"--run", "x"});
  EXPECT_TRUE(contains(refused(asked), "not all"));
}

TEST_F(ReproduceVerb, WritesTheTablesOfMarkdownFiles) {
  done(words("attention", {"--seeds", "1"}));
  std::filesystem::create_directories(at("results"));
  std::filesystem::copy_file(at("out/attention.json"), at("results/attention.json"));
  const std::string page =
      scratch_.write("page.md", "<!-- results/attention.json table 1 -->\n<!-- end -->\n").string();
  const Words asked = {"reproduce", "tables", page, "--root", at("").string()};
  EXPECT_EQ(done(asked).out, page + ": written anew\n");
  EXPECT_TRUE(contains(read_bytes(at("page.md")), "| Consult | symmetric |"));
  EXPECT_EQ(done(asked).out, page + ": as it should be\n");
  Words in_json = asked;
  in_json.emplace_back("--json");
  EXPECT_EQ(nlohmann::json::parse(done(in_json).out)[page], false);
  EXPECT_EQ(done({"reproduce", "show", at("out/attention.json").string(), "--json"}).out,
            read_bytes(at("out/attention.json")));
}

TEST_F(ReproduceVerb, AnInterruptIsTakenUpByTheSameCommand) {
  // So many epochs that it cannot be done before it is interrupted.
  const Words endless = words("curves", {}, "100000000");
  const Program child(scratch_.path(), endless);
  ASSERT_TRUE(child.has_said("epoch   3"));
  child.interrupt();
  const auto spoken = child.wait();
  EXPECT_EQ(spoken.code, 130) << spoken.err;
  EXPECT_EQ(spoken.out, "interrupted with 0 of 6 runs done; run the same command to continue\n");
  const Program again(scratch_.path(), endless);
  ASSERT_TRUE(again.has_said("examples/s"));
  again.interrupt();
  EXPECT_TRUE(contains(again.wait().err, "resumed in epoch"));
  Words in_json = endless;
  in_json.emplace_back("--json");
  const Program third(scratch_.path(), in_json);
  ASSERT_TRUE(third.has_said("examples/s"));
  third.interrupt();
  const auto json = nlohmann::json::parse(third.wait().out);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["runs"], 6);
}

TEST_F(ReproduceVerb, WhatIsWrongIsRefused) {
  const auto refusal = [&](const Words& asked) {
    std::string message = refused(asked);
    EXPECT_FALSE(std::filesystem::exists(out())) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal(words("result")), "there is no study 'result'; there are results"));
  EXPECT_TRUE(contains(refusal({"reproduce"}), "name a study (results, ablation"));
  EXPECT_TRUE(contains(refusal(words("results", {"--format", "html"})), "--format is for `show`"));
  EXPECT_TRUE(contains(refusal({"reproduce", "show", "x.json", "--out", out()}),
                       "takes no --out, only --format and --json"));
  EXPECT_TRUE(
      contains(refusal({"reproduce", "tables", "x.md", "--seeds", "1"}), "takes no --seeds"));
  EXPECT_TRUE(contains(refusal(words("results", {"--dim", "x"})), "--dim"));
  EXPECT_TRUE(contains(refusal({"reproduce", "results", "extra", "--out", out()}), "'extra'"));
  EXPECT_TRUE(contains(refusal({"reproduce", "results", "--out", out()}), "--data"));
  EXPECT_TRUE(contains(refusal({"reproduce", "results", "--data", "x"}), "--out"));
  EXPECT_TRUE(contains(refusal(words("results", {"--sets", "icews14,gdelt"})),
                       "of the study's sets it has icews14, yago11k"));
  EXPECT_TRUE(contains(refusal({"reproduce", "all", "--out", out()}), "--data"));
  EXPECT_TRUE(contains(refusal(words("attention", {"--sets", "yago11k"})),
                       "the study attention has no set 'yago11k'; there are icews14"));
  EXPECT_TRUE(contains(refusal({"reproduce", "show"}), "one saved report"));
  EXPECT_TRUE(contains(refusal({"reproduce", "show", "none.json"}), "none.json"));
  EXPECT_TRUE(contains(refusal({"reproduce", "show", "x", "--format", "pdf"}), "md, html or text"));
  EXPECT_TRUE(contains(refusal({"reproduce", "tables"}), "Markdown files"));
  const std::string bare = scratch_.write("bare.md", "# nothing\n").string();
  EXPECT_TRUE(contains(refusal({"reproduce", "tables", bare}), "marks no table"));
}

TEST_F(ReproduceVerb, TheHelpListsTheStudies) {
  const std::string help = done({"reproduce", "--help"}).out;
  for (const auto* part : {"  results      the main table", "  patterns     ", "--seeds INT=3",
                           "run the same command to continue"})
    EXPECT_TRUE(contains(help, part)) << help;
}

}  // namespace
}  // namespace orrery
