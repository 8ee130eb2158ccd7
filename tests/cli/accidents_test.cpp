// What ends a terminal, a pipe or a disk must not end a run: all is saved, and resumes to the byte.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "cli/command_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::Program;

class Accidents : public testing::CommandLine {
 protected:
  // The exit code that a shell says of `orrery WORDS`, with redirections, pipes and limits.
  int in_shell(const Words& words, const std::string& after, const std::string& before = "") const {
    std::string command = before + ORRERY_PROGRAM;
    for (const auto& word : words) command += " '" + word + "'";
    const int status = std::system(("exec >/dev/null 2>&1; " + command + " " + after).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // The exit code of the program itself, whose output goes into a pipe without a reader.
  int into_broken_pipe(const Words& words, const std::string& streams) const {
    const std::string code = at("code").string();
    in_shell(words, streams + "; echo $? > " + code + "; } | true", "{ sleep 0.05; ");
    return std::stoi(testing::read_bytes(code));
  }
  // Nothing comes out of it, and nobody reads what goes in, as long as it is held open.
  int open_pipe(const std::string& name) const {
    EXPECT_EQ(mkfifo(at(name).c_str(), 0600), 0);
    return open(at(name).c_str(), O_RDWR | O_CLOEXEC);
  }
  // One that cannot be done before it is stopped.
  Words endless(const std::string& run) const {
    return train_words(run, {"--epochs", "100000000"});
  }

  // What was stopped goes on for some epochs, and ends with the bytes of a run left in peace.
  void expect_resumes(const std::string& run) const {
    const auto summary = nlohmann::json::parse(testing::read_bytes(at(run) / "summary.json"));
    const auto epochs = std::to_string(summary["epochs_done"].get<int>() + 2);
    done({"train", "--resume", at(run).string(), "--epochs", epochs});
    done(train_words("whole-" + run, {"--epochs", epochs}));
    expect_same_run("whole-" + run, run);
  }
};

TEST_F(Accidents, StderrThatTakesNothingLosesNothing) {
  const Words more = {"--epochs", "3", "--eval-every", "2"};
  done(train_words("peace", more));
  EXPECT_EQ(in_shell(train_words("full", more), "2>/dev/full"), 0);
  EXPECT_EQ(in_shell(train_words("closed", more), "2>&-"), 0);
  EXPECT_EQ(into_broken_pipe(train_words("pipe", more), "2>&1 > /dev/null"), 0);
  for (const auto* run : {"full", "closed", "pipe"}) expect_same_run("peace", run);
  // Errors keep their codes, too.
  EXPECT_EQ(in_shell(train_words("full"), "2>/dev/full"), 1);
  EXPECT_EQ(in_shell({"sideways"}, "2>&-"), 1);
}

// Else the next file that is opened is stdout, and the summary is printed into it.
TEST_F(Accidents, FilesDoNotTakeThePlaceOfClosedStreams) {
  const Words more = {"--epochs", "2"};
  done(train_words("peace", more));
  EXPECT_EQ(in_shell(train_words("closed", more), "<&- >&- 2>&-"), 2);  // the summary is lost
  expect_same_run("peace", "closed");
}

TEST_F(Accidents, ResultsThatCannotBeWrittenAreAnErrorOnceAllIsSaved) {
  done(train_words("peace", {"--epochs", "2"}));
  EXPECT_EQ(in_shell(train_words("full", {"--epochs", "2"}), ">/dev/full"), 2);
  expect_same_run("peace", "full");
  EXPECT_EQ(in_shell({"models", "--json"}, ">/dev/full"), 2);  // more than a buffer of it
  EXPECT_EQ(in_shell({"train", "--help"}, ">/dev/full"), 2);
}

TEST_F(Accidents, AReaderOfResultsWhoGoesAwayEndsThemQuietly) {
  const std::string said = at("said").string();
  const int by_sigpipe = 128 + SIGPIPE;
  for (const Words& words : {Words{"models"}, Words{"models", "--json"}, Words{"train", "--help"},
                             Words{"data", "check", at("data").string()}}) {
    EXPECT_EQ(into_broken_pipe(words, "2>" + said), by_sigpipe) << words.front();
    EXPECT_EQ(testing::read_bytes(said), "");
  }
}

TEST_F(Accidents, EverySignalSavesAndHasItsExitCode) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string run = "run-" + std::to_string(signal);
    const Program child(scratch_.path(), endless(run));
    ASSERT_TRUE(child.has_said("epoch   3"));
    child.send(signal);
    if (signal != SIGINT) child.send(signal);  // shells and supervisors say it more than once
    const auto spoken = child.wait();
    EXPECT_EQ(spoken.code, 128 + signal);
    EXPECT_TRUE(contains(spoken.err, "stopping as soon as possible; what is done is saved"))
        << spoken.err;
    EXPECT_EQ(contains(spoken.err, "Ctrl-C again"), signal == SIGINT);
    expect_resumes(run);
  }
}

// As after Ctrl-C under `2>&1 | tee log`: tee is gone before the run has heard of it.
TEST_F(Accidents, AStopWithoutAnyoneToTellSavesAsWell) {
  const std::string run = at("run").string(), code = at("code").string();
  const std::string wait_and_stop = "i=0; while [ ! -s '" + run +
                                    "/metrics.jsonl' ] && [ $i -lt 3000 ]; do sleep 0.01; "
                                    "i=$((i+1)); done; kill -INT $!; wait $!; echo $? > " +
                                    code + "; } | true";
  in_shell(endless("run"), "2>&1 & " + wait_and_stop, "{ ");
  EXPECT_EQ(testing::read_bytes(code), "130\n");
  expect_resumes("run");
}

TEST_F(Accidents, AfterNohupAHangUpMeansNothing) {
  std::signal(SIGHUP, SIG_IGN);  // the child inherits it
  const Program child(scratch_.path(), endless("run"));
  std::signal(SIGHUP, SIG_DFL);
  ASSERT_TRUE(child.has_said("epoch   2"));
  child.send(SIGHUP);
  ASSERT_TRUE(child.has_said("epoch  99"));
  child.interrupt();
  EXPECT_EQ(child.wait().code, 130);
}

// Reading facts from a pipe that gives none, it cannot come to its next step.
TEST_F(Accidents, CtrlCIsAnsweredAtOnceAndASecondOneEnds) {
  const int held_open = open_pipe("facts");
  const std::string pipe = at("facts").string();
  const Program child(scratch_.path(),
                      {"train", "--data", pipe, "--split", "80/10/10", "--out", at("run").string(),
                       "--self-distillation", "0.5", "--ema", "0.5", "--epochs", "1"});
  ASSERT_TRUE(
      child.has_said("--self-distillation begins after"));  // by then signals are listened to
  child.interrupt();
  EXPECT_TRUE(child.has_said("Ctrl-C again ends at once, without saving"));
  child.interrupt();  // so soon that it is no second wish
  usleep(400'000);
  child.interrupt();
  EXPECT_EQ(child.wait().code, 130);
  close(held_open);
  // Nobody tidies up after an end at once: its directory may be left, with nothing in it, and is
  // as good as none for the next run.
  EXPECT_TRUE(!std::filesystem::exists(at("run")) || std::filesystem::is_empty(at("run")));
  done(train_words("run", {"--epochs", "1"}));
}

// Its summary goes into a pipe that is full and not read: there is nothing left to stop or save.
TEST_F(Accidents, AFinishedRunIsEndedByASignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string run = "run-" + std::to_string(signal);
    std::filesystem::remove(at("stdout"));
    const int held_open = open_pipe("stdout");
    fcntl(held_open, F_SETFL, O_NONBLOCK);
    const std::string block(4096, 'x');
    while (write(held_open, block.data(), block.size()) > 0) continue;
    const Program child(scratch_.path(), train_words(run, {"--epochs", "1"}));
    for (int tries = 0; tries < 30000 && !std::filesystem::exists(at(run) / "summary.json");
         ++tries)
      usleep(1000);
    // The first may come while the run is still at its end: it is answered, and the next one ends.
    for (int tries = 0; tries < 20 && !child.has_ended(); ++tries) {
      usleep(400'000);
      child.send(signal);
      usleep(50'000);
    }
    child.send(SIGKILL);
    std::filesystem::remove(at("stdout"));
    close(held_open);
    EXPECT_EQ(child.wait().code, 128 + signal);
    EXPECT_TRUE(contains(done({"train", "--resume", at(run).string()}).out, "finished already"));
  }
}

TEST_F(Accidents, AFileSizeLimitLeavesWhatWasSaved) {
  done(train_words("run", {"--epochs", "2"}));
  const std::string model = model_bytes("run"), state = state_bytes("run");
  const std::string said = at("said").string(), run = at("run").string();
  const Words on = {"train", "--resume", run, "--epochs", "5"};
  EXPECT_EQ(in_shell(on, "2>" + said, "ulimit -f 8; "), 2);  // 4 KiB
  const std::string message = testing::read_bytes(said);
  EXPECT_TRUE(contains(message, "File too large; ")) << message;
  EXPECT_TRUE(contains(message, "the file is left as it was")) << message;
  EXPECT_TRUE(model == model_bytes("run") && state == state_bytes("run"));
  done(on);
  done(train_words("whole", {"--epochs", "5"}));
  expect_same_run("whole", "run");
}

// A pager that is not scrolled, a laptop that sleeps: a pipe that is full and not read.
TEST_F(Accidents, AReaderWhoStopsReadingDoesNotStopTheRun) {
  const int held_open = open_pipe("unread");
  fcntl(held_open, F_SETPIPE_SZ, 4096);
  EXPECT_EQ(in_shell(train_words("run", {"--epochs", "300"}), "2>" + at("unread").string()), 0);
  close(held_open);
}

}  // namespace
}  // namespace orrery
