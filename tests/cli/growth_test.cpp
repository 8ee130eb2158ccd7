// orrery export, orrery add and train --from, as people use them, and killed at any moment.
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "orrery/model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;
using testing::read_bytes;

class Growth : public testing::CommandLine {
 protected:
  std::string new_facts() const {
    return scratch_
        .write("new.txt", "a new one\tr0\te03\t2014-01-02\na new one\tr1\te05\t2014-02-03\n")
        .string();
  }
  std::string run() const { return at("run").string(); }
  std::string grown() const { return (at("run") / "grown.safetensors").string(); }
  Words add_words(const Words& more = {}) const {
    Words words = {"add", run(), "--facts", new_facts(), "--threads", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // What the program answers with a model file, whole and verified.
  nlohmann::json answers_of(const std::string& model) const {
    return json({"predict", model, "--subject", "e03", "--relation", "r0", "--time", "2014-01-02",
                 "--top", "3"})["answers"];
  }
};

TEST_F(Growth, AddPutsAGrownModelBesideTheOldOne) {
  done(train_words("run", {"--epochs", "3"}));
  const std::string before = model_bytes("run");
  const auto said = json(add_words({"--epochs", "2"}));
  EXPECT_EQ(said["model"], grown());
  EXPECT_EQ(said["facts"], 2);
  EXPECT_EQ(said["entities"], 1);
  EXPECT_EQ(said["relations"], 0);
  EXPECT_EQ(said["times"], 1);
  EXPECT_TRUE(model_bytes("run") == before);
  const auto asked = json({"predict", grown(), "--subject", "a new one", "--relation", "r0",
                           "--time", "2014-02-03", "--top", "30"});
  EXPECT_EQ(asked["answers"].size(), 21U);
  const std::string shown = done({"inspect", grown()}).out;
  EXPECT_TRUE(contains(shown,
                       "added after training: 2 facts from 2014-01-02 to 2014-02-03, with 1 "
                       "entity, 0 relations and 1 time that were new\n"))
      << shown;
  EXPECT_EQ(json({"inspect", grown()})["additions"].size(), 1U);
  done({"evaluate", grown()});
  EXPECT_TRUE(
      contains(refused(add_words()), "exists already; name another file, or add --replace"));
  done(add_words({"--epochs", "1", "--replace", "--rehearse", "0"}));
}

TEST_F(Growth, CtrlCLeavesEverythingAsItWas) {
  done(train_words("run", {"--epochs", "1"}));
  const std::string before = model_bytes("run");
  const Program child(scratch_.path(), add_words({"--epochs", "100000000"}));
  ASSERT_TRUE(child.has_said("epoch   3"));
  child.interrupt();
  const auto spoken = child.wait();
  EXPECT_EQ(spoken.code, 130);
  EXPECT_TRUE(contains(spoken.err, "nothing was saved")) << spoken.err;
  EXPECT_FALSE(std::filesystem::exists(grown()));
  EXPECT_TRUE(model_bytes("run") == before);
}

// While facts are added, while the file is written, and after: what is there answers.
TEST_F(Growth, AKillLeavesTheOldModelAnswering) {
  done(train_words("run", {"--epochs", "1"}));
  const std::string before = model_bytes("run");
  const auto answers = answers_of(run());
  {
    const Program child(scratch_.path(), add_words({"--epochs", "100000000"}));
    ASSERT_TRUE(child.has_said("epoch   3"));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait().code, 128 + SIGKILL);
  }
  EXPECT_TRUE(model_bytes("run") == before);
  EXPECT_FALSE(std::filesystem::exists(grown()));
  done(add_words({"--epochs", "1"}));
  const std::string first = read_bytes(grown());
  const auto of_grown = answers_of(grown());
  done(add_words({"--epochs", "2", "--out", at("whole.safetensors").string()}));
  const std::string second = read_bytes(at("whole.safetensors"));
  for (int i = 0; i < 12; ++i) {
    const Program child(scratch_.path(), add_words({"--epochs", "2", "--replace"}));
    usleep(static_cast<useconds_t>(20'000 + 15'000 * i));
    child.send(SIGKILL);
    child.wait();
    const std::string now = read_bytes(grown());
    EXPECT_TRUE(now == first || now == second);
    const auto answered = answers_of(grown());  // its checksums are compared
    ASSERT_EQ(answered.size(), of_grown.size());
    EXPECT_EQ(answers_of(run()), answers);
  }
  done(add_words({"--epochs", "2", "--replace"}));  // killed ones keep nobody out
  EXPECT_TRUE(read_bytes(grown()) == second);
  for (const auto& name : names_in("run")) EXPECT_FALSE(contains(name, ".tmp")) << name;
}

TEST_F(Growth, ExportWritesWhatTheModelHolds) {
  done(train_words("run", {"--epochs", "1"}));
  const auto said = json({"export", run(), "--out", at("out").string(), "--table", "entity"});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0]["rows"], 20);
  EXPECT_EQ(said[0]["dim"], 16);
  EXPECT_TRUE(std::filesystem::exists(at("out") / "entity.npy"));
  EXPECT_TRUE(contains(refused({"export", run(), "--out", at("out").string(), "--format", "docx"}),
                       "npy, csv or projector"));
  EXPECT_TRUE(contains(refused({"export", run(), "--out", at("out").string(), "--table", "names"}),
                       "there are entity"));
}

TEST_F(Growth, TrainStartsFromAModelOfItsShape) {
  done(train_words("run", {"--epochs", "2"}));
  const auto said = done({"train", "--data", at("data").string(), "--from", run(), "--out",
                          at("warm").string(), "--epochs", "1", "--threads", "1"});
  EXPECT_TRUE(contains(said.err, "it knows 20 of 20 entities, 3 of 3 relations, 8 of 8 times"))
      << said.err;
  EXPECT_EQ(Model::open(at("warm")).card().options.dim, 16);
  EXPECT_EQ(json({"inspect", at("warm").string()})["started_from"].get<std::string>().size(), 64U);
  EXPECT_TRUE(contains(refused(train_words("other", {"--from", run(), "--dim", "24"})), "dim"));
}

}  // namespace
}  // namespace orrery
