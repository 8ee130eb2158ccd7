// Runs the orrery program as a person would, and keeps what it says.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

extern char** environ;

namespace orrery::testing {

struct Spoken {
  int code = -1;
  std::string out, err;
};

// A child with its output in files of `folder`, so that no pipe can fill up.
class Program {
 public:
  Program(const std::filesystem::path& folder, const std::vector<std::string>& words)
      : out_(folder / "stdout"), err_(folder / "stderr") {
    std::vector<std::string> owned = {ORRERY_PROGRAM};
    owned.insert(owned.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (auto& word : owned) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    constexpr int write_anew = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_.c_str(), write_anew, 0666);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_.c_str(), write_anew, 0666);
    const int error =
        posix_spawn(&child_, ORRERY_PROGRAM, &actions, nullptr, arguments.data(), environ);
    EXPECT_EQ(error, 0) << ORRERY_PROGRAM;
    posix_spawn_file_actions_destroy(&actions);
  }

  std::string err_so_far() const { return read(err_); }
  void interrupt() const { send(SIGINT); }
  void send(int signal) const { kill(child_, signal); }

  // Until stderr holds `text`: false if it never comes.
  bool has_said(const std::string& text) const {
    for (int tries = 0; tries < 30000; ++tries) {
      if (err_so_far().find(text) != std::string::npos) return true;
      usleep(1000);
    }
    return false;
  }

  bool has_ended() const {
    siginfo_t ended{};
    constexpr int only_look = WEXITED | WNOHANG | WNOWAIT;
    return waitid(P_PID, static_cast<id_t>(child_), &ended, only_look) == 0 && ended.si_pid != 0;
  }

  Spoken wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    // As a shell would say it.
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read(out_), read(err_)};
  }

 private:
  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path out_, err_;
  pid_t child_ = -1;
};

}  // namespace orrery::testing
