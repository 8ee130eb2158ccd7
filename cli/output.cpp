#include "output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <string>

#include "characters.h"
#include "exit_codes.h"

namespace orrery {
namespace {

// A reader that has stopped reading (a pager, a laptop that sleeps at the other end of ssh) must
// not stop the run: this long it is waited for, and then not again until it has read something.
constexpr int patience_ms = 1000;

// Where messages go. A terminal is opened once more, for writes that never block: poll() promises
// room for a character only, and the terminal's own setting is shared with the shell.
int messages = STDERR_FILENO;
std::atomic<bool> quiet = false, silent = false;

bool reader_is_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

constexpr std::size_t longest_word = 200;

std::string shown_word(std::string_view word) {
  if (word.size() <= longest_word) return std::string(word);
  const auto head = character_begin(word, longest_word / 2);
  const auto tail = character_begin(word, word.size() - longest_word / 2);
  return fmt::format("{}...{}", word.substr(0, head), word.substr(tail));
}

}  // namespace

void prepare_output() {
  // For reading only: what is written there fails, as it would have.
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(standard, F_GETFD) == -1) open("/dev/null", O_RDONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  if (isatty(STDERR_FILENO) == 0) return;
  const int own = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (own >= 0) messages = own;
}

void be_quiet() { quiet = true; }
bool is_quiet() { return quiet; }
void be_silent() { quiet = silent = true; }

void write_to_stdout(std::string_view text) {
  if (!silent) std::fwrite(text.data(), 1, text.size(), stdout);
}

void write_to_stderr(std::string_view text) {
  static std::atomic<bool> stalled = false;
  while (!text.empty()) {
    pollfd room{.fd = messages, .events = POLLOUT, .revents = 0};
    stalled = poll(&room, 1, stalled ? 0 : patience_ms) == 0;
    if (stalled) return;
    const ssize_t written =
        write(messages, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) stalled = true;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void complain(std::string_view message) {
  if (message.empty()) return;
  constexpr std::string_view blanks = " \n";
  std::string shown = "orrery: ";
  while (!message.empty()) {
    const auto end = std::min(message.find_first_of(blanks), message.size());
    shown += shown_word(message.substr(0, end));
    message.remove_prefix(end);
    const auto next = std::min(message.find_first_not_of(blanks), message.size());
    shown += message.substr(0, next);
    message.remove_prefix(next);
  }
  write_to_stderr(shown + "\n");
}

int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (!reader_is_gone()) {
    complain("the output could not be written whole");
    return exit_codes::something_broke;
  }
  if (code != 0) return code;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  return exit_codes::something_broke;
}

}  // namespace orrery
