// orrery compare, as people type it.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;
using testing::read_bytes;

class CompareVerb : public testing::CommandLine {
 protected:
  Words words(const std::string& models, const Words& more = {}, const std::string& epochs = "2",
              const std::string& eval_every = "1") const {
    Words all = {
        "compare", "--data",       at("data").string(), "--models", models,     "--out", out(),
        "--batch", "67",           "--threads",         "1",        "--device", "cpu",   "--epochs",
        epochs,    "--eval-every", eval_every};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out() const { return at("out").string(); }
  std::string config_of(const std::string& run) const {
    return read_bytes(at("out") / run / "config.toml");
  }
};

TEST_F(CompareVerb, PrintsTheTableItWrites) {
  const auto spoken = done(words("complex,bsca:attention=none", {"--budget", "1.5k"}));
  for (const auto* part : {"Test split, percent", "model ", "MRR  Hits@1  Hits@3  Hits@10",
                           "bsca:attention=none", "compare.md and ", "MiB"})
    EXPECT_TRUE(contains(spoken.out, part)) << spoken.out;
  for (const auto* part :
       {"run 1 of 2: complex, seed 1\n", "run 2 of 2: bsca:attention=none, seed 1",
        "epoch   2  loss ", "valid MRR "})
    EXPECT_TRUE(contains(spoken.err, part)) << spoken.err;
  const auto again = orrery(words("complex,bsca:attention=none", {"--budget", "1500", "--json"}));
  EXPECT_EQ(again.out, read_bytes(at("out") / "compare.json"));
  EXPECT_TRUE(contains(again.err, "run 1 of 2: complex, seed 1, trained already\n")) << again.err;
  EXPECT_FALSE(contains(again.err, "epoch")) << again.err;
  // Its runs are runs like any other.
  const std::string run = (at("out") / "complex-seed1").string();
  const auto models = nlohmann::json::parse(again.out)["models"];
  const auto& complex = models[models[0]["name"] == "complex" ? 0 : 1];
  EXPECT_EQ(json({"evaluate", run})["mrr"], complex["mean"]["mrr"]);
  EXPECT_EQ(json({"inspect", run})["parameters"], complex["parameters"]);
  done({"predict", run, "--subject", "e01", "--relation", "r0", "--time", "2014"});
}

TEST_F(CompareVerb, TheCommandLineWinsOverConfigFiles) {
  const auto all = scratch_.write("all.toml", "lr = 0.2\nlambda-n3 = 0.02\nseed = 4\n").string();
  const auto tuned =
      scratch_.write("tuned.toml", "model = \"tcomplex\"\nlr = 0.3\ndim = 64\nepochs = 9\n")
          .string();
  done(words("complex," + tuned, {"--config", all, "--dim", "16", "--seeds", "2", "--seed", "5"}));
  for (const auto* run : {"complex-seed5", "complex-seed6", "tuned-seed5", "tuned-seed6"}) {
    const std::string config = config_of(run);
    EXPECT_TRUE(contains(config, "\nlambda-n3 = 0.02\n"));
    EXPECT_TRUE(contains(config, "\ndim = 16\n") && contains(config, "\nepochs = 2\n")) << config;
    EXPECT_TRUE(contains(config, run[0] == 't' ? "\nlr = 0.3\n" : "\nlr = 0.2\n")) << config;
  }
}

TEST_F(CompareVerb, ModelsAreValidatedUnlessToldNotTo) {
  Words few = {"compare",  "--data", at("data").string(), "--models", "complex", "--out", out(),
               "--dim",    "16",     "--epochs",          "1",        "--batch", "67",    "--json",
               "--device", "cpu"};
  const auto spoken = done(few);
  EXPECT_EQ(nlohmann::json::parse(spoken.out)["models"][0]["options"]["eval-every"], 5);
  EXPECT_TRUE(contains(refused(words("tcomplex", {}, "1", "0")), "--eval-every"));
}

TEST_F(CompareVerb, AnInterruptIsTakenUpByTheSameCommand) {
  // So many epochs that it cannot be done before it is interrupted.
  const Words endless = words("complex,tcomplex", {"--dim", "16"}, "100000000");
  const Program child(scratch_.path(), endless);
  ASSERT_TRUE(child.has_said("epoch   3"));
  child.interrupt();
  const auto spoken = child.wait();
  EXPECT_EQ(spoken.code, 130) << spoken.err;
  EXPECT_EQ(spoken.out, "interrupted with 0 of 2 runs done; run the same command to continue\n");
  EXPECT_FALSE(std::filesystem::exists(at("out") / "tcomplex-seed1"));
  const Program again(scratch_.path(), endless);
  ASSERT_TRUE(again.has_said("examples/s"));
  again.interrupt();
  EXPECT_TRUE(contains(again.wait().err, "resumed in epoch"));
  EXPECT_TRUE(contains(refused(words("complex,tcomplex", {"--dim", "16"}, "3")),
                       "complex-seed1: holds a run with epochs = 100000000"));
}

TEST_F(CompareVerb, WhatIsWrongIsRefused) {
  const auto refusal = [&](const std::string& models, const Words& more = {}) {
    std::string message = refused(words(models, more));
    EXPECT_FALSE(std::filesystem::exists(out())) << message;
    return message;
  };
  EXPECT_TRUE(contains(refusal("complex,bcsa"), "there is no model 'bcsa'"));
  EXPECT_TRUE(contains(refusal("complex,complex"), "'complex' is named twice"));
  EXPECT_TRUE(contains(refusal("complex:attention=none"), "no option --attention"));
  EXPECT_TRUE(contains(refusal("complex,bsca", {"--attention", "none"}), "no option --attention"));
  EXPECT_TRUE(contains(refusal("bsca,bsca:attention=none", {"--attention", "real"}),
                       "'bsca:attention=real' is named twice"));
  EXPECT_TRUE(contains(refusal("complex", {"--budget", "9k", "--dim", "16"}), "excludes"));
  EXPECT_TRUE(contains(refusal("complex", {"--budget", "lots"}), "such as 38M"));
  EXPECT_TRUE(contains(refusal("complex,bsca", {"--budget", "300"}), "larger --budget"));
  EXPECT_TRUE(contains(refusal("complex", {"--seeds", "0"}), "--seeds"));
  EXPECT_TRUE(contains(refusal("complex", {"--model", "bsca"}), "--models"));
  EXPECT_TRUE(contains(refusal(at("none.toml").string()), "none.toml"));
  EXPECT_TRUE(
      contains(refused({"compare", "--data", at("data").string(), "--out", out()}), "--models"));
  EXPECT_TRUE(contains(refused({"compare", "--models", "complex", "--out", out()}), "--data"));
  EXPECT_TRUE(contains(refused({"compare", "--models", "complex", "--data", "x"}), "--out"));
}

TEST_F(CompareVerb, SaysHowManyFailed) {
  const auto spoken = orrery(words("complex", {"--dim", "16", "--memory", "1K"}));
  EXPECT_EQ(spoken.code, 1);
  EXPECT_TRUE(contains(spoken.out, "complex, seed 1, failed: ")) << spoken.out;
  EXPECT_TRUE(contains(spoken.err, "run 1 of 1: complex, seed 1, failed: ")) << spoken.err;
  const auto again = orrery(words("complex", {"--dim", "16", "--memory", "1K"}));
  EXPECT_TRUE(again.err.starts_with("run 1 of 1: complex, seed 1, failed already: ")) << again.err;
  EXPECT_TRUE(contains(spoken.out, "1 of 1 runs failed; to try one again remove its failed.txt"))
      << spoken.out;
  // Another budget is another try.
  done(words("complex", {"--dim", "16", "--memory", "1G"}));
}

TEST_F(CompareVerb, ModelsMayBeDiscarded) {
  done(words("complex", {"--dim", "16", "--discard-models"}));
  EXPECT_FALSE(std::filesystem::exists(at("out/complex-seed1/model.safetensors")));
  const auto again = orrery(words("complex", {"--dim", "16", "--discard-models", "--json"}));
  EXPECT_EQ(again.out, read_bytes(at("out/compare.json")));
  EXPECT_TRUE(contains(again.err, "trained already")) << again.err;
}

TEST_F(CompareVerb, TheHelpSaysHowItGoesOn) {
  const std::string help = done({"compare", "--help"}).out;
  EXPECT_TRUE(contains(help, "run the same command to continue")) << help;
  EXPECT_TRUE(contains(help, "--eval-every INT=5")) << help;
}

}  // namespace
}  // namespace orrery
