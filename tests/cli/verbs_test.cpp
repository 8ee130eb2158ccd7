// What every verb prints, for people and for programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/command_line.h"
#include "orrery/models.h"
#include "page/json_fields.h"

namespace orrery {
namespace {

using testing::contains;

class Verbs : public testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    done(train_words("run", {"--epochs", "10"}));
  }
  std::string run() const { return at("run").string(); }
};

void expect_scores(const nlohmann::json& json) {
  for (const auto* key : {"mrr", "hits1", "hits3", "hits10"}) {
    ASSERT_TRUE(json.contains(key)) << json;
    EXPECT_GE(json[key].get<double>(), 0);
    EXPECT_LE(json[key].get<double>(), 1);
  }
}

TEST_F(Verbs, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(done({"--version"}).out, "0.1.0\n");
  EXPECT_TRUE(contains(done({"--help"}).out, "Exit codes: 0 done, 1"));
  for (const auto* verb : {"train", "compare", "evaluate", "predict", "inspect", "models", "data"})
    EXPECT_TRUE(contains(done({verb, "--help"}).out, "--help")) << verb;
  EXPECT_TRUE(contains(done({"train", "--help"}).out, "--lambda-time"));
}

TEST_F(Verbs, EvaluateGivesTheDocumentedFields) {
  const auto json = this->json({"evaluate", run()});
  EXPECT_EQ(json["split"], "test");
  EXPECT_EQ(json["queries"], 50);
  expect_scores(json);
  for (const auto* part : {"realistic", "optimistic", "subject", "object"})
    expect_scores(json[part]);
  EXPECT_EQ(this->json({"evaluate", run(), "--split", "valid"})["split"], "valid");
  const std::string table = done({"evaluate", run()}).out;
  EXPECT_TRUE(contains(table, "both directions") && contains(table, "Hits@10")) << table;
}

TEST_F(Verbs, EvaluateBreaksDownByEachThing) {
  for (const auto* by : {"relation", "entity", "time"}) {
    const auto rows = json({"evaluate", run(), "--by", by})["by"];
    ASSERT_FALSE(rows.empty());
    std::int64_t queries = 0;
    for (const auto& row : rows) {
      EXPECT_TRUE(row.contains(by));
      expect_scores(row);
      queries += row["queries"].get<std::int64_t>();
    }
    EXPECT_EQ(queries, 50) << by;
    EXPECT_TRUE(contains(done({"evaluate", run(), "--by", by, "--all"}).out, by));
  }
}

TEST_F(Verbs, PredictAnswersBothQuestions) {
  const std::vector<std::string> question = {"predict", run(),        "--relation", "r1",
                                             "--time",  "2014-01-03", "--top",      "4"};
  auto whom = question, who = question;
  whom.insert(whom.end(), {"--subject", "e05"});
  who.insert(who.end(), {"--object", "e05"});
  const auto objects = json(whom), subjects = json(who);
  EXPECT_EQ(objects["asked"], "object");
  EXPECT_EQ(objects["subject"], "e05");
  EXPECT_EQ(objects["relation"], "r1");
  EXPECT_EQ(objects["time_row"], "2014-01-03");
  ASSERT_EQ(objects["answers"].size(), 4U);
  for (const auto* key : {"name", "score", "probability"})
    EXPECT_TRUE(objects["answers"][0].contains(key));
  EXPECT_EQ(subjects["asked"], "subject");
  EXPECT_EQ(subjects["object"], "e05");
  const std::string table = done(whom).out;
  EXPECT_TRUE(contains(table, "(e05, r1, ?, 2014-01-03)")) << table;
  EXPECT_TRUE(contains(table, objects["answers"][3]["name"].get<std::string>()));
}

TEST_F(Verbs, MixMakesAModelOfTwoThatIsAskedLikeOne) {
  done(train_words("second", {"--epochs", "10", "--model", "tntcomplex"}));
  const std::string second = at("second").string(), mixed = at("mixed").string();
  const auto made = json({"mix", run(), second, "--out", mixed});
  ASSERT_EQ(made["parts"].size(), 2U);
  EXPECT_EQ(made["parts"][1]["run"], second);
  EXPECT_EQ(made["parts"][1]["model"], "tntcomplex");
  EXPECT_EQ(made["valid_mrr"], json({"evaluate", mixed, "--split", "valid"})["mrr"]);
  EXPECT_TRUE(contains(done({"mix", run(), second, "--out", mixed}).out, "valid MRR"));
  expect_scores(json({"evaluate", mixed}));
  const auto card = json({"inspect", mixed});
  EXPECT_EQ(card["model"], "mixture");
  EXPECT_EQ(card["parts"][0]["weight"], made["parts"][0]["weight"]);
  EXPECT_TRUE(contains(done({"inspect", mixed}).out, "chosen on"));
  EXPECT_FALSE(json({"inspect", mixed, "--verify"})["damaged"].get<bool>());
  const auto answers =
      json({"predict", mixed, "--subject", "e03", "--relation", "r1", "--time", "2014-01-04"});
  EXPECT_EQ(answers["answers"].size(), 10U);
  EXPECT_TRUE(contains(refused({"mix", run(), "--out", at("alone").string()}), "several models"));
}

TEST_F(Verbs, WhatDoesNotFitTheModelsTimesIsSaid) {
  const Words question = {"predict", run(),        "--relation", "r1",
                          "--time",  "2031-01-01", "--subject",  "e05"};
  const std::string note = "after the last time of the data; 2014-01-08 is answered for";
  EXPECT_TRUE(contains(json(question)["note"].get<std::string>(), note));
  EXPECT_TRUE(contains(done(question).out, note));
  std::filesystem::create_directories(at("later"));
  scratch_.write("later/train.txt", "e01\tr1\te02\t2014-01-01\n");
  scratch_.write("later/test.txt", "e03\tr2\te02\t2020-01-01\n");
  const Words other = {"evaluate", run(), "--data", at("later").string()};
  const std::string warning = "1 of 1 facts are of a time before";
  EXPECT_TRUE(contains(json(other)["warnings"][0].get<std::string>(), warning));
  EXPECT_TRUE(contains(done(other).out, warning));
  EXPECT_FALSE(json({"evaluate", run()}).contains("warnings"));
}

TEST_F(Verbs, InspectModelsAndDataSpeakJson) {
  const auto inspected = json({"inspect", run()});
  EXPECT_EQ(inspected["model"], "bsca");
  EXPECT_EQ(inspected["parameters"], (20 + 3 * 6 + 3 * 8) * 16);
  EXPECT_EQ(inspected["epoch"], 10);
  EXPECT_EQ(inspected["tables"].size(), 7U);
  EXPECT_TRUE(contains(done({"inspect", run()}).out, "992 parameters"));

  const auto listed = json({"models"});
  const auto known = models();
  ASSERT_EQ(listed.size(), known.size());
  EXPECT_EQ(listed[0]["options"]["attention"].size(), 5U);
  // An option that only some models have names none of them: the list of models does.
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(listed[i]["name"], known[i].name);
    EXPECT_EQ(listed[i]["also"], nlohmann::json(known[i].special_options)) << known[i].name;
  }
  EXPECT_TRUE(contains(done({"models"}).out, "  --algebra-warmup"));
  EXPECT_FALSE(contains(done({"train", "--help"}).out, "telm"));

  EXPECT_EQ(json({"data", "list"}).size(), 5U);
  const auto check = json({"data", "check", at("data").string()});
  EXPECT_EQ(check["splits"]["train"]["facts"], 220);
  EXPECT_EQ(check["entities"], 20);
  EXPECT_EQ(check["fingerprint"], inspected["data_fingerprint"]);
  EXPECT_EQ(check["first_time"], "2014-01-01");

  const auto demo = json({"data", "demo", at("demo").string()});
  EXPECT_EQ(demo["patterns"].size(), 10U);
  EXPECT_TRUE(std::filesystem::exists(at("demo") / "labels.tsv"));
}

// What is cut once and named is what --split cuts at every call.
TEST_F(Verbs, ACutFileIsTheDataThatSplitGives) {
  const auto file = (at("data") / "train.txt").string(), to = at("cut").string();
  const auto report =
      json({"data", "split", file, "--to", to, "--split", "70/20/10", "--seed", "3"});
  EXPECT_EQ(report["facts"]["train"], 154);
  EXPECT_EQ(report["facts"]["valid"], 44);
  EXPECT_EQ(report["files"].size(), 3U);
  EXPECT_EQ(report["bad_lines"], 0);
  const auto cut = json({"data", "check", to});
  EXPECT_EQ(cut["fingerprint"], report["fingerprint"]);
  EXPECT_EQ(cut["fingerprint"],
            json({"data", "check", file, "--split", "70/20/10", "--seed", "3"})["fingerprint"]);
  const auto by_time =
      json({"data", "split", file, "--to", at("late").string(), "--split-by", "time"});
  EXPECT_NE(by_time["fingerprint"],
            json({"data", "check", file, "--split", "80/10/10"})["fingerprint"]);
  EXPECT_EQ(by_time["fingerprint"], json({"data", "check", at("late").string()})["fingerprint"]);
  const std::string usual = done({"data", "split", file, "--to", at("usual").string()}).out;
  EXPECT_TRUE(contains(usual, "train.txt  176 facts\n")) << usual;
  EXPECT_TRUE(contains(usual, "test.txt  22 facts\n")) << usual;
  EXPECT_TRUE(contains(refused({"data", "split", at("data").string(), "--to", to}),
                       "is a directory with splits of its own"));
  EXPECT_TRUE(contains(refused({"data", "split", file}), "--to"));
}

// Of "orrery train --data 'a' …": train, --data, a, … (no word here holds a space).
std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    std::erase(word, '\'');
    if (word != "\\") words.push_back(word);
  }
  return {words.begin() + 1, words.end()};
}

TEST_F(Verbs, TheDemoNamesATrainingThatRuns) {
  const std::string world = at("demo").string();
  const std::string next = json({"data", "demo", world})["next"];
  EXPECT_TRUE(contains(done({"data", "demo", world}).out, "\nNext: " + next + "\n"));
  auto words = words_of(next);
  words.insert(words.end(), {"--epochs", "0"});
  done(words);
  EXPECT_TRUE(std::filesystem::exists(at("demo") / "run" / "model.safetensors"));
}

TEST_F(Verbs, TheReadmeShowsTheDemosTraining) {
  const std::string readme = testing::read_bytes(ORRERY_SOURCE_DIR "/README.md");
  const auto begin = readme.find("orrery train --data /tmp/world ");
  ASSERT_NE(begin, std::string::npos);
  auto shown = words_of(readme.substr(begin, readme.find("\n\n", begin) - begin));
  for (auto& word : shown)
    if (word.starts_with("/tmp/world")) word.replace(0, 10, at("demo").string());
  EXPECT_EQ(shown, words_of(json({"data", "demo", at("demo").string()})["next"]));
}

TEST_F(Verbs, TheExampleOfTheReadmeIsCleanAndTrains) {
  const std::string memory = ORRERY_SOURCE_DIR "/examples/memory.csv";
  const auto check = json({"data", "check", memory, "--split", "80/10/10"});
  EXPECT_EQ(check["intervals"], true);
  EXPECT_EQ(check["bad_lines"], 0);
  for (const auto& [name, split] : check["splits"].items()) {
    EXPECT_EQ(split["duplicates"], 0) << name;
    EXPECT_EQ(split["ends_before_start"], 0) << name;
    EXPECT_EQ(split["unseen_entity"], 0) << name;
  }
  done({"train", "--data", memory, "--split", "80/10/10", "--dim", "16", "--epochs", "1", "--out",
        at("memory").string()});
}

TEST_F(Verbs, TrainReportsItsSummary) {
  const auto json = this->json(train_words("other", {"--epochs", "3", "--eval-every", "1"}));
  EXPECT_EQ(json["run"], at("other").string());
  EXPECT_EQ(json["ending"], "finished");
  EXPECT_EQ(json["epochs_done"], 3);
  const auto kept = json_of_file(at("other") / "summary.json");
  for (const auto* field : {"ending", "epochs_done", "loss", "data_fingerprint", "engine"}) {
    ASSERT_TRUE(json.contains(field)) << field;
    EXPECT_EQ(json[field], kept[field]) << field;
  }
  for (const auto* field : {"seconds", "peak_memory"})
    EXPECT_TRUE(json.contains(field) && kept.contains(field)) << field;
  EXPECT_GT(json["best"]["valid_mrr"].get<double>(), 0);
}

TEST_F(Verbs, WithoutATerminalProgressIsPlainLines) {
  const auto spoken =
      done(train_words("plain", {"--epochs", "3", "--eval-every", "3", "--device", "cpu"}));
  EXPECT_EQ(spoken.err.find('\r'), std::string::npos);
  EXPECT_EQ(spoken.err.find('\033'), std::string::npos);
  for (const auto* line : {"20 entities, 3 relations, 8 times; 440 training examples\n",
                           "992 parameters; cpu, 1 thread,", "epoch   1  loss ", "epoch   2  loss ",
                           "epoch   3  loss ", " examples/s", "valid MRR "})
    EXPECT_TRUE(contains(spoken.err, line)) << spoken.err;
  EXPECT_TRUE(contains(spoken.out, "next: orrery evaluate")) << spoken.out;
  EXPECT_EQ(done({"evaluate", run()}).err, "");
}

TEST_F(Verbs, AModelFileMovedElsewhereAloneIsUsable) {
  std::filesystem::create_directories(at("elsewhere"));
  const auto moved = (at("elsewhere") / "m.safetensors").string();
  std::filesystem::copy_file(at("run") / "model.safetensors", moved);
  EXPECT_EQ(json({"evaluate", moved, "--data", at("data").string()}), json({"evaluate", run()}));
  EXPECT_EQ(json({"inspect", moved}), json({"inspect", run()}));
  done({"predict", moved, "--subject", "e01", "--relation", "r0", "--time", "2014"});
}

TEST_F(Verbs, AFullDeviceIsNoSuccess) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  const std::string command = std::string(ORRERY_PROGRAM) + " models > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
}

}  // namespace
}  // namespace orrery
