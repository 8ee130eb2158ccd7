// Paths that lead nowhere and config files of other systems: a sentence and exit code 1, always.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;

class OddPaths : public testing::CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    done(train_words("run", {"--epochs", "0"}));
    scratch_.write("sweep.toml", "lr = [0.1, 0.2]\nepochs = 1\ndim = 16\n");
  }

  // Wherever a verb takes a path.
  std::vector<Words> all_with(const std::string& odd) const {
    const std::string data = at("data").string(), run = at("run").string(), no = at("no").string(),
                      sweep = at("sweep.toml").string();
    return {
        {"data", "check", odd},
        {"data", "split", odd, "--to", no},
        {"data", "split", data + "/train.txt", "--to", odd},
        {"data", "demo", odd},
        {"data", "get", "icews14", "--from", data, "--to", odd},
        {"data", "get", "icews14", "--from", odd, "--to", no},
        {"train", "--data", odd, "--out", no},
        {"train", "--data", data, "--out", odd},
        {"train", "--config", odd, "--out", no},
        {"train", "--resume", odd},
        {"evaluate", odd},
        {"evaluate", run, "--data", odd},
        {"predict", odd, "--subject", "e01", "--relation", "r1", "--time", "2014"},
        {"inspect", odd},
        {"compare", "--models", "complex", "--data", odd, "--out", no},
        {"compare", "--models", "complex", "--data", data, "--out", odd},
        {"compare", "--models", "complex", "--data", data, "--out", no, "--config", odd},
        {"sweep", "--config", odd, "--data", data, "--out", no},
        {"sweep", "--config", sweep, "--data", odd, "--out", at("swept").string()},
        {"sweep", "--config", sweep, "--data", data, "--out", odd},
        {"reproduce", "results", "--data", odd, "--out", no},
        {"reproduce", "results", "--data", data, "--out", no, "--configs", odd},
        {"reproduce", "geometry", "--run", odd, "--out", no},
        {"reproduce", "show", odd},
        {"reproduce", "tables", odd},
    };
  }
  void expect_refused_everywhere(const std::string& odd, const std::string& reason) const {
    for (const Words& words : all_with(odd)) {
      const std::string message = refused(words);
      EXPECT_TRUE(contains(message, "(" + reason + ")")) << words.front() << ": " << message;
      EXPECT_FALSE(contains(message, "filesystem error")) << message;
      EXPECT_LT(message.size(), 600U) << message;
    }
  }
};

TEST_F(OddPaths, LinksInACircle) {
  std::filesystem::create_symlink("circle", at("circle"));
  expect_refused_everywhere(at("circle").string(), "Too many levels of symbolic links");
}

TEST_F(OddPaths, NamesTooLongAreShownByTheirEnds) {
  const std::string beginning = at("begins").string(), name = beginning + std::string(5000, 'x');
  expect_refused_everywhere(name, "File name too long");
  const std::string message = refused({"train", "--config", name + "é-ends", "--out", "no"});
  EXPECT_TRUE(contains(message, beginning) && contains(message, "xxx...xxx")) << message;
  EXPECT_TRUE(contains(message, "é-ends: cannot be opened (File name too long)")) << message;
}

// Wherever the cut falls; and of bytes that are no characters at all no more is shown.
TEST_F(OddPaths, LongNamesAreCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "\U0001F52D";  // a telescope, of four bytes
  for (int shift = 0; shift < 4; ++shift) {
    const std::string odd = std::string(shift, 'x') + name + std::string(shift, 'y');
    const std::string message = refused({"inspect", odd});
    EXPECT_TRUE(contains(message, "\U0001F52D...\U0001F52D")) << message;
  }
  EXPECT_LT(refused({"inspect", std::string(5000, '\x80')}).size(), 600U);
}

TEST_F(OddPaths, ConfigsOfOtherSystems) {
  const std::string data = at("data").string();
  const auto config = scratch_
                          .write("bom.toml",
                                 "\xef\xbb\xbf"
                                 "dim = 16\r\nepochs = 0\r\n")
                          .string();
  done({"train", "--data", data, "--config", config, "--out", at("marked").string()});
  const std::string wide(
      "\xff\xfe"
      "d\0i\0m\0=\0001\0006\0",
      14);
  const auto wide_config = scratch_.write("wide.toml", wide).string();
  for (const Words& words :
       {Words{"train"}, Words{"sweep"}, Words{"compare", "--models", "bsca"}}) {
    Words all = words;
    all.insert(all.end(), {"--data", data, "--config", wide_config, "--out", at("no").string()});
    EXPECT_TRUE(contains(refused(all), "wide.toml: is UTF-16; save it as UTF-8"));
  }
}

// Such paths are valid on Linux; JSON must be UTF-8, so it shows a replacement character.
TEST_F(OddPaths, JsonOfPathsThatAreNotUtf8) {
  const std::string replaced = "\xef\xbf\xbd", name = "caf\xe9";
  const std::string odd = at(name).string(), world = odd + "/world", run = odd + "/run";
  std::filesystem::create_directory(odd);
  const auto shown = [&](const nlohmann::json& value) {
    return contains(value.get<std::string>(), "caf" + replaced);
  };
  EXPECT_TRUE(shown(json({"data", "demo", world})["directory"]));
  EXPECT_TRUE(shown(
      json({"data", "demo", odd + "/large", "--like", "icews14", "--scale", "0.2"})["directory"]));
  const std::string facts = odd + "/facts.txt";
  std::filesystem::copy_file(at("data") / "train.txt", facts);
  std::ofstream(facts, std::ios::app) << "a bad line\n";
  EXPECT_TRUE(
      shown(json({"data", "split", facts, "--to", odd + "/cut", "--skip-bad"})["directory"]));
  json({"data", "check", facts, "--split", "80/10/10", "--skip-bad"});
  json({"train", "--data", world, "--out", run, "--dim", "16", "--epochs", "0"});
  json({"inspect", run});
  EXPECT_TRUE(shown(json({"inspect", run, "--verify"})["files"][0]["file"]));
  EXPECT_GT(json({"evaluate", run})["queries"], 0);
}

TEST_F(OddPaths, AnOptionGivenTwiceIsNamed) {
  const auto message = [&](const Words& words) { return refused(words); };
  EXPECT_TRUE(contains(message(train_words("no", {"--lr", "0.1", "--lr=0.2"})),
                       "orrery: --lr is given twice\n"));
  EXPECT_TRUE(contains(message(train_words("no", {"--out", "x"})), "--out is given twice"));
  EXPECT_TRUE(
      contains(message({"evaluate", "x", "--data", "a", "--data", "b"}), "--data is given twice"));
  EXPECT_TRUE(contains(message({"data", "get", "icews14", "--to", "a", "--to", "b"}),
                       "--to is given twice"));
  EXPECT_EQ(done({"models", "--json", "--json"}).err, "");
  done(train_words("several",
                   {"--epochs", "0", "--without", "time_add", "--without", "relation_add"}));
}

}  // namespace
}  // namespace orrery
