// Training from the command line: repeat, interrupt, resume, and every form of input.
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;

class Runs : public testing::CommandLine {
 protected:
  // Trains on the file or directory `data` and says what was read.
  std::string trained_on(const std::string& data, const std::string& run, Words more = {}) const {
    Words words = {
        "train",    "--data", at(data).string(), "--out", at(run).string(), "--dim", "16",
        "--epochs", "2",      "--batch",         "67",    "--threads",      "1"};
    words.insert(words.end(), more.begin(), more.end());
    return done(words).err;
  }
};

TEST_F(Runs, AConfigFileRepeatsARunToTheByte) {
  done(train_words("first", {"--epochs", "3", "--dropout", "0.1", "--ema", "0.5", "--seed", "7",
                             "--without", "time_add,relation_add", "--attention", "real",
                             "--lambda-n3", "0.003", "--eval-every", "2"}));
  const auto config = (at("first") / "config.toml").string();
  done({"train", "--config", config, "--out", at("again").string()});
  expect_same_run("first", "again");
  // The command line wins over the file.
  done({"train", "--config", config, "--out", at("other").string(), "--seed", "8"});
  EXPECT_FALSE(model_bytes("first") == model_bytes("other"));
  EXPECT_TRUE(contains(testing::read_bytes(at("other") / "config.toml"), "attention = \"real\""));
}

TEST_F(Runs, AnInterruptSavesTheStateAndResumeEndsWithTheSameBytes) {
  // So many epochs that it cannot be done before it is interrupted.
  const Program child(scratch_.path(), train_words("parts", {"--epochs", "100000000", "--dropout",
                                                             "0.1", "--ema", "0.9"}));
  ASSERT_TRUE(child.has_said("epoch   5"));
  child.interrupt();
  const auto spoken = child.wait();
  EXPECT_EQ(spoken.code, 130) << spoken.err;
  EXPECT_TRUE(contains(spoken.err, "what is done is saved")) << spoken.err;
  EXPECT_TRUE(contains(spoken.out, "interrupted after")) << spoken.out;
  EXPECT_TRUE(contains(spoken.out, "--resume " + at("parts").string())) << spoken.out;
  const auto summary = nlohmann::json::parse(testing::read_bytes(at("parts") / "summary.json"));
  EXPECT_EQ(summary["ending"], "interrupted");

  const auto epochs = std::to_string(summary["epochs_done"].get<int>() + 3);
  const auto resumed = done({"train", "--resume", at("parts").string(), "--epochs", epochs});
  EXPECT_TRUE(contains(resumed.err, "resumed in epoch")) << resumed.err;
  done(train_words("whole", {"--epochs", epochs, "--dropout", "0.1", "--ema", "0.9"}));
  expect_same_run("whole", "parts");
}

TEST_F(Runs, MoreEpochsOnResume) {
  done(train_words("run", {"--epochs", "2"}));
  EXPECT_EQ(json({"train", "--resume", at("run").string(), "--epochs", "5"})["epochs_done"], 5);
  done(train_words("whole", {"--epochs", "5"}));
  expect_same_run("whole", "run");
}

TEST_F(Runs, AFinishedRunSaysSoAndHowToGoOn) {
  done(train_words("run", {"--epochs", "2"}));
  const std::string run = at("run").string();
  EXPECT_TRUE(contains(
      done({"train", "--resume", run}).out,
      "was finished already; to train it further: orrery train --resume " + run + " --epochs N"));
  EXPECT_EQ(json({"train", "--resume", run})["ending"], "finished");
}

// Started one after the other, as by an impatient hand: the second must not take the first's place.
TEST_F(Runs, TwoProgramsInOneDirectoryDoNotTrample) {
  done(train_words("alone", {"--epochs", "20"}));
  std::filesystem::create_directory(at("second"));
  const Program first(scratch_.path(), train_words("run", {"--epochs", "20"}));
  const Program second(at("second"), train_words("run", {"--epochs", "20"}));
  const auto a = first.wait(), b = second.wait();
  EXPECT_EQ(a.code + b.code, 1) << a.err << b.err;
  const std::string message = a.code == 1 ? a.err : b.err;
  EXPECT_TRUE(contains(message, "another process is at work here") ||
              contains(message, "already holds a run"))
      << message;
  expect_same_run("alone", "run");
}

TEST_F(Runs, SelfDistillationThatComesTooLateIsMentioned) {
  const Words late = {"--epochs", "2", "--ema", "0.5", "--self-distillation", "0.3"};
  EXPECT_TRUE(contains(done(train_words("late", late)).err,
                       "--self-distillation begins after epoch 10 (--self-distillation-from): "
                       "--epochs 2 ends before"));
  Words sooner = late;
  sooner.insert(sooner.end(), {"--self-distillation-from", "1"});
  EXPECT_FALSE(contains(done(train_words("sooner", sooner)).err, "--self-distillation"));
  EXPECT_FALSE(model_bytes("late") == model_bytes("sooner"));
}

TEST_F(Runs, EveryFormOfInputGivesTheSameModel) {
  trained_on("data", "plain");
  const std::string lines[] = {testing::world_lines(0, 220, false),
                               testing::world_lines(220, 25, false),
                               testing::world_lines(245, 25, false)};
  const auto write = [&](const std::string& folder, const std::string& ending, auto encode) {
    std::filesystem::create_directories(at(folder));
    scratch_.write(folder + "/train" + ending, encode(lines[0]));
    scratch_.write(folder + "/valid" + ending, encode(lines[1]));
    scratch_.write(folder + "/test" + ending, encode(lines[2]));
  };
  write("gz", ".txt.gz", [](const std::string& text) { return testing::gzipped(text); });
  write("zst", ".tsv.zst", [](const std::string& text) { return testing::zstandard(text); });
  write("csv", ".csv", [](const std::string& text) {
    std::string quoted = "subject,relation,object,time\n\"";
    for (const char c : text)
      quoted += c == '\t' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
    return quoted.substr(0, quoted.size() - 1);
  });
  for (const auto* form : {"gz", "zst", "csv"}) {
    trained_on(form, std::string("run-") + form);
    EXPECT_TRUE(model_bytes("plain") == model_bytes(std::string("run-") + form)) << form;
  }
}

TEST_F(Runs, ASingleFileIsSplitByItselfOrAsAsked) {
  scratch_.write("all.txt", testing::world_lines(0, 270, false));
  EXPECT_TRUE(contains(trained_on("all.txt", "by-itself"), "432 training examples"));
  EXPECT_TRUE(
      contains(trained_on("all.txt", "run", {"--split", "80/10/10"}), "432 training examples"));
  EXPECT_EQ(json({"evaluate", at("run").string()})["queries"], 54);
  const auto check = [&](const char* seed) {
    return json({"data", "check", at("all.txt").string(), "--split", "80/10/10", "--seed", seed});
  };
  EXPECT_EQ(check("1")["fingerprint"], json({"inspect", at("run").string()})["data_fingerprint"]);
  EXPECT_NE(check("1")["fingerprint"], check("2")["fingerprint"]);
}

TEST_F(Runs, WhatIsSuggestedAfterTrainingFitsTheSplits) {
  scratch_.write("all.txt", testing::world_lines(0, 270, false));
  const auto suggested = [&](const std::string& run, const std::string& split) {
    Words words = train_words(run, {"--epochs", "1", "--split", split});
    words[2] = at("all.txt").string();
    const std::string out = done(words).out;
    const auto next = out.find("next: orrery ");
    return next == std::string::npos ? out : out.substr(next + 13);
  };
  EXPECT_EQ(suggested("tested", "80/10/10"), "evaluate " + at("tested").string() + "\n");
  EXPECT_EQ(suggested("valid", "90/10/0"), "evaluate " + at("valid").string() + " --split valid\n");
  EXPECT_TRUE(suggested("whole", "100/0/0").starts_with("predict " + at("whole").string() + " --"));
}

TEST_F(Runs, IntervalFactsWork) {
  write_world("years", true);
  EXPECT_TRUE(contains(trained_on("years", "run", {"--min-facts", "50"}), "880 training examples"));
  EXPECT_EQ(json({"evaluate", at("run").string()})["queries"], 50);
  EXPECT_EQ(json({"inspect", at("run").string()})["intervals"], true);
  done({"predict", at("run").string(), "--object", "e03", "--relation", "r0", "--time", "1905"});
  EXPECT_EQ(json({"evaluate", at("run").string()})["protocol"], "within");
  EXPECT_TRUE(contains(trained_on("years", "ends", {"--intervals", "ends"}), "their ends alone"));
  EXPECT_EQ(json({"evaluate", at("ends").string()})["protocol"], "ends");
}

TEST_F(Runs, NamesWithSpacesAndOtherLettersWork) {
  std::filesystem::create_directories(at("données d'été"));
  scratch_.write("données d'été/train.txt",
                 "Côte d'Ivoire\tmeets  twice\t日本\t2014\n日本\tmeets  twice\tA\xc2\xa0\t2015\n");
  trained_on("données d'été", "run");
  const auto json = this->json({"predict", at("run").string(), "--subject", "日本", "--relation",
                                "meets  twice", "--time", "2015"});
  EXPECT_EQ(json["answers"].size(), 3U);
}

// The count that the paper gives for its own setting.
TEST_F(Runs, TheParametersOfThePaperAreCounted) {
  const std::filesystem::path data = ORRERY_SOURCE_DIR "/../shared/data/icews14";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "the benchmark data is not here";
  const auto spoken = done({"train", "--data", data.string(), "--dim", "4000", "--epochs", "0",
                            "--history", "none", "--out", at("run").string()});
  EXPECT_TRUE(contains(spoken.err, "38,412,000 parameters")) << spoken.err;
  EXPECT_TRUE(contains(spoken.err, "7,128 entities, 230 relations, 365 times; 145,652"));
}

}  // namespace
}  // namespace orrery
