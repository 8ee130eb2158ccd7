// Help, version, --quiet and the names that options had.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "cli/command_line.h"
#include "orrery/options.h"
#include "orrery/version.h"

namespace orrery {
namespace {

using testing::contains;

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// An epoch instead of many, into a directory that is free again.
std::vector<std::string> shortened(std::vector<std::string> words) {
  const std::string verb = words.front();
  const auto value_of = [&](const char* option) {
    const auto found = std::ranges::find(words, option);
    return found == words.end() ? found : found + 1;
  };
  const bool shows = verb == "reproduce" && words[1] == "show";
  if (const auto epochs = value_of("--epochs"); epochs != words.end())
    *epochs = "1";
  else if (verb == "train" || verb == "compare" || verb == "sweep" ||
           (verb == "reproduce" && !shows))
    words.insert(words.end(), {"--epochs", "1"});
  if (verb == "reproduce" && !shows) words.insert(words.end(), {"--dim", "16", "--seeds", "1"});
  if (const auto out = value_of("--out"); verb == "train" && out != words.end())
    std::filesystem::remove_all(*out);
  return words;
}

class Help : public testing::CommandLine {
 protected:
  // Every verb by its words, as the reference lists them.
  std::vector<Words> verbs() const {
    std::vector<Words> verbs;
    const std::string page = done({"help", "--markdown"}).out;
    static const std::regex heading("\n## orrery ([a-z ]+)\n");
    for (std::sregex_iterator i(page.begin(), page.end(), heading), end; i != end; ++i)
      verbs.push_back(split_at((*i)[1], ' '));
    return verbs;
  }
  std::string help_of(Words verb) const {
    verb.emplace_back("--help");
    return done(verb).out;
  }
  // The lines below "Examples:", which are the last.
  Words examples_of(const Words& verb) const {
    const std::string help = help_of(verb);
    const auto head = help.find("\nExamples:\n");
    EXPECT_NE(head, std::string::npos) << help;
    Words lines = split_at(help.substr(std::min(head, help.size())), '\n');
    lines.erase(lines.begin());
    for (std::string& line : lines) {
      EXPECT_TRUE(line.starts_with("  ")) << line;
      line.erase(0, 2);
    }
    return lines;
  }
};

TEST_F(Help, ListsOptionsByWhatTheyAreAbout) {
  const std::string help = help_of({"train"});
  std::size_t before = 0;
  for (const auto* part :
       {"\nOptions:\n", "\n  --out PATH", "\nData:\n", "\n  --data PATH", "\nModel:\n",
        "\n  --model MODEL=bsca", "\n  --dim INT=256", "\nTraining:\n", "\n  --epochs INT=30",
        "\nMachine:\n", "\n  --device TEXT=auto", "\nExamples:\n  orrery train "}) {
    const auto found = help.find(part);
    ASSERT_NE(found, std::string::npos) << part << help;
    EXPECT_GT(found, before) << part;
    before = found;
  }
  for (const OptionInfo& info : option_table())
    EXPECT_TRUE(contains(help, "\n  --" + info.name)) << info.name;
}

TEST_F(Help, IsTheSameHoweverItIsAskedFor) {
  EXPECT_GE(verbs().size(), 17U);
  for (const Words& verb : verbs()) {
    Words words = {"help"};
    words.insert(words.end(), verb.begin(), verb.end());
    EXPECT_EQ(done(words).out, help_of(verb));
  }
  EXPECT_EQ(done({"help"}).out, done({"--help"}).out);
  EXPECT_TRUE(contains(refused({"help", "trian"}), "did you mean 'train'?"));
  EXPECT_TRUE(contains(refused({"help", "train", "more"}), "'more'"));
}

// Each is carried out in an empty directory, in the order in which people read them; of trainings
// only an epoch.
TEST_F(Help, EveryExampleWorks) {
  std::filesystem::create_directories(at("try/data"));
  std::filesystem::current_path(at("try"));
  done({"data", "demo", "world"});
  done({"data", "demo", "data/icews14"});
  std::filesystem::copy_file(ORRERY_SOURCE_DIR "/examples/memory.csv", "facts.csv");
  scratch_.write(
      "try/sweep.toml",
      "search = \"random\"\ntrials = 2\nmodel = \"complex\"\nlr = \"0.01 .. 0.3 log\"\n");
  const std::string head = "subject,relation,object,time\n";
  scratch_.write("try/questions.csv", head + "Taresse,threatens,?,2022-01-03\n");
  scratch_.write("try/new.csv", head + "Taresse,threatens,Quororia,2022-01-03\n");
  scratch_.write("try/today.csv", head + "Taresse,threatens,Newland,2024-01-01\n");
  std::vector<Words> all = verbs();
  all.insert(all.begin(), Words());
  for (const Words& verb : all) {
    const Words examples = examples_of(verb);
    EXPECT_GE(examples.size(), 1U);
    EXPECT_LE(examples.size(), 3U);
    for (const std::string& example : examples) {
      Words words = split_at(example.substr(0, example.find_first_of("|>")), ' ');
      if (words.front() != "orrery") continue;  // of a shell
      words.erase(words.begin());
      if (words.front() == "data" && words[1] == "get") continue;  // there is no network here
      if (words.front() == "serve") continue;  // until it is stopped: see serve_test.cpp
      done(shortened(words));
    }
  }
  std::filesystem::current_path(scratch_.path().parent_path());
}

TEST_F(Help, LinesThatBeginWithADashDescribeAnOption) {
  for (const Words& verb : verbs())
    for (const std::string& line : split_at(help_of(verb), '\n')) {
      const auto begin = line.find_first_not_of(' ');
      if (begin != std::string::npos && line[begin] == '-') {
        EXPECT_EQ(begin, 2U) << line;
      }
    }
}

TEST_F(Help, TheManPageRendersWithoutAWarning) {
  scratch_.write("orrery.1", done({"help", "--man"}).out);
  if (std::system("command -v groff > /dev/null") != 0) GTEST_SKIP() << "there is no groff here";
  const std::string page = at("orrery.1").string(), shown = at("shown").string();
  const std::string command =
      "groff -man -ww -Kutf8 -Tutf8 -P-cbou '" + page + "' > '" + shown + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const std::string text = testing::read_bytes(shown);
  EXPECT_FALSE(contains(text, "warning")) << text.substr(0, 500);
  for (const auto* part : {"orrery - temporal knowledge graph completion", "--self-distillation",
                           "orrery data check world", "130 stopped by Ctrl-C"})
    EXPECT_TRUE(contains(text, part)) << part;
}

TEST_F(Help, TheReferenceHasEveryOption) {
  const std::string page = done({"help", "--markdown"}).out;
  EXPECT_TRUE(page.starts_with("# Command line\n"));
  for (const OptionInfo& info : option_table())
    EXPECT_TRUE(contains(page, "| `--" + info.name + "` |")) << info.name;
  EXPECT_TRUE(contains(page,
                       "| `--granularity` | `auto`, `second`, `minute`, `hour`, `day`, `week`, "
                       "`month`, `quarter`, `year`, `decade` | `auto`"));
}

TEST_F(Help, VersionSaysWhatItWasBuiltWith) {
  EXPECT_TRUE(
      done({"version"}).out.starts_with("orrery " + std::string(version()) + "\ncompiler: "));
  const auto json = this->json({"version"});
  EXPECT_EQ(json["version"], version());
  for (const auto* key : {"compiler", "build", "matrix_products", "gpus"})
    EXPECT_FALSE(json[key].get<std::string>().empty()) << key;
}

TEST_F(Help, OldNamesAreAnsweredWithTheNewOnes) {
  EXPECT_TRUE(contains(refused(train_words("no", {"--teacher", "0.5"})),
                       "orrery: --teacher is now called --self-distillation\n"));
  int renamed = 0;
  for (const OptionInfo& info : option_table())
    for (const std::string& old : info.formerly) {
      const std::string answer = "--" + old + " is now called --" + info.name + "\n";
      EXPECT_TRUE(contains(refused(train_words("no", {"--" + old + "=1"})), answer)) << old;
      ++renamed;
    }
  EXPECT_GE(renamed, 7);
  // A verb without the new one has never had it.
  EXPECT_TRUE(contains(refused({"evaluate", "x", "--teacher", "1"}), "no option '--teacher'"));
}

TEST_F(Help, QuietLeavesErrorsAndResults) {
  const Words train = train_words(
      "run", {"--epochs", "2", "--ema", "0.5", "--self-distillation", "0.3", "--quiet"});
  const auto spoken = done(train);
  EXPECT_EQ(spoken.err, "");
  EXPECT_TRUE(contains(spoken.out, "next: orrery evaluate")) << spoken.out;
  const std::string run = at("run").string();
  EXPECT_EQ(done({"--quiet", "train", "--resume", run, "--epochs", "3"}).err, "");
  EXPECT_EQ(done({"evaluate", run, "--quiet"}).err, "");
  EXPECT_TRUE(contains(refused(train), "already holds a run"));
}

// What is suggested can be pasted into a shell.
TEST_F(Help, SuggestedCommandsQuotePathsWhereNeeded) {
  const auto suggested = [&](const std::string& run) {
    const std::string out = done(train_words(run, {"--epochs", "0"})).out;
    return out.substr(out.find("next: orrery ") + 13);
  };
  EXPECT_EQ(suggested("plain"), "evaluate " + at("plain").string() + "\n");
  const std::string odd = suggested("Ada's run; $HOME");
  EXPECT_TRUE(contains(odd, "/Ada'\\''s run; $HOME'")) << odd;
  const std::string command = std::string(ORRERY_PROGRAM) + " " + odd;
  EXPECT_EQ(std::system(("exec > /dev/null; " + command).c_str()), 0) << command;
}

}  // namespace
}  // namespace orrery
