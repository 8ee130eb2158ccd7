// Progress on a real terminal: of any width, and of the kind that knows no escapes.
#include <gtest/gtest.h>
#include <pty.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <thread>

#include "cli/command_line.h"
#include "page/text_width.h"

namespace orrery {
namespace {

using testing::contains;

class Terminal : public testing::CommandLine {
 protected:
  // All that `orrery WORDS` shows on a terminal of so many columns.
  std::string shown(const Words& words, unsigned short columns, const char* term) const {
    winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    std::vector<std::string> owned = words;
    owned.insert(owned.begin(), ORRERY_PROGRAM);
    std::vector<char*> arguments;
    for (auto& word : owned) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int master = -1;
    const pid_t child = forkpty(&master, nullptr, nullptr, &size);
    if (child == 0) {
      term == nullptr ? unsetenv("TERM") : setenv("TERM", term, 1);
      execv(ORRERY_PROGRAM, arguments.data());
      _exit(127);
    }
    std::string text;
    char chunk[4096];
    for (ssize_t got = 0; (got = read(master, chunk, sizeof(chunk))) > 0;)
      text.append(chunk, static_cast<std::size_t>(got));
    int status = 0;
    waitpid(child, &status, 0);
    close(master);
    EXPECT_EQ(status, 0) << text;
    return text;
  }
};

// The lines that were drawn and cleared again.
std::vector<std::string> progress_in(const std::string& text) {
  static const std::regex drawn("\r\033\\[K(epoch \\d+/\\d+[^\r\n\033]*)");
  std::vector<std::string> lines;
  for (std::sregex_iterator i(text.begin(), text.end(), drawn), end; i != end; ++i)
    lines.push_back((*i)[1]);
  return lines;
}

TEST_F(Terminal, TheLineOfProgressFitsEveryWidth) {
  for (const unsigned short columns : {200, 80, 60, 40, 20, 12}) {
    const std::string run = "run-" + std::to_string(columns);
    const auto text = shown(train_words(run, {"--epochs", "3"}), columns, "xterm");
    const auto lines = progress_in(text);
    ASSERT_FALSE(lines.empty()) << text;
    for (const auto& line : lines) EXPECT_LT(line.size(), columns) << line;
    const auto& last = lines.back();
    EXPECT_TRUE(last.starts_with("epoch 3/3")) << last;
    EXPECT_EQ(contains(last, "examples/s"), columns >= 80) << last;
    EXPECT_EQ(contains(last, "[======"), columns >= 60) << last;
    EXPECT_EQ(contains(last, "loss "), columns >= 40) << last;
    EXPECT_TRUE(contains(text, "saved ")) << text;
  }
  EXPECT_TRUE(contains(shown(train_words("one", {"--epochs", "1"}), 1, "xterm"), "saved "));
}

TEST_F(Terminal, WithoutEscapesThereArePlainLines) {
  const std::vector<const char*> kinds = {"dumb", "", nullptr};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string run = "run-" + std::to_string(i);
    const auto text = shown(train_words(run, {"--epochs", "3"}), 80, kinds[i]);
    EXPECT_EQ(std::ranges::count(text, '\033'), 0) << text;
    EXPECT_TRUE(contains(text, "epoch   1  loss ") && contains(text, "epoch   2  loss ")) << text;
    const auto evaluated = shown({"evaluate", at(run).string()}, 80, kinds[i]);
    EXPECT_EQ(std::ranges::count(evaluated, '\033'), 0) << evaluated;
  }
}

// A frozen window, or ssh without a network: messages are lost, nothing else.
TEST_F(Terminal, OneThatNobodyReadsHoldsUpNothing) {
  int master = -1, slave = -1;
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  std::vector<std::string> owned = train_words("run", {"--epochs", "400", "--eval-every", "1"});
  owned.insert(owned.begin(), ORRERY_PROGRAM);
  std::vector<char*> arguments;
  for (auto& word : owned) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(slave, STDERR_FILENO);
    setenv("TERM", "dumb", 1);
    execv(ORRERY_PROGRAM, arguments.data());
    _exit(127);
  }
  close(slave);
  int status = -1;
  for (int tenths = 0; tenths < 600 && waitpid(child, &status, WNOHANG) == 0; ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (status == -1) kill(child, SIGKILL);
  close(master);
  EXPECT_EQ(status, 0) << "it waits for its reader";
}

TEST_F(Terminal, EvaluationShowsItsProgressAndClearsIt) {
  done(train_words("run", {"--epochs", "1"}));
  const auto text = shown({"evaluate", at("run").string()}, 20, "xterm");
  EXPECT_TRUE(contains(text, "50 of 50 queries\r\033[K")) << text;
  EXPECT_TRUE(contains(shown({"evaluate", at("run").string()}, 10, "xterm"), "50\r\033[K"));
}

// Only what is there to be copied may be longer than a line.
TEST_F(Terminal, ADataCheckFitsItsWidth) {
  const Words check = {"data", "check", at("data").string()};
  const std::string before = std::getenv("LC_ALL") == nullptr ? "" : std::getenv("LC_ALL");
  setenv("LC_ALL", "C.UTF-8", 1);
  for (const unsigned short columns : {100, 72}) {
    std::istringstream drawn(shown(check, columns, "xterm"));
    bool blocks = false;
    for (std::string line; std::getline(drawn, line);) {
      blocks = blocks || contains(line, "█");
      if (contains(line, "/") || line.find(' ') == std::string::npos) continue;
      EXPECT_LE(columns_of(line.substr(0, line.find('\r'))), columns) << line;
    }
    EXPECT_TRUE(blocks);
  }
  const std::string dumb = shown(check, 80, "dumb");
  EXPECT_FALSE(contains(dumb, "█")) << dumb;
  EXPECT_TRUE(contains(dumb, "|###")) << dumb;
  setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(contains(shown(check, 80, "xterm"), "█"));
  before.empty() ? unsetenv("LC_ALL") : setenv("LC_ALL", before.c_str(), 1);
}

}  // namespace
}  // namespace orrery
