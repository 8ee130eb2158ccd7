#include "stop_signals.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "output.h"
#include "progress_line.h"

namespace orrery {
namespace {

using std::chrono::steady_clock;

// timeout(1) and some launchers send a signal to the process and to its group: that is one wish.
constexpr auto one_key_press = std::chrono::milliseconds(300);

std::atomic<int> first_stop_signal = 0;
std::atomic<bool> something_goes_on = false;

void announce(int signal) {
  const auto* before = isatty(STDERR_FILENO) == 1 ? "\n" : "";
  to_stderr("{}stopping as soon as possible; what is done is saved{}\n",
            stderr_rewrites_lines() ? clear_line : before,
            signal == SIGINT ? ". Ctrl-C again ends at once, without saving" : "");
}

void end_at_once(int signal) {
  if (stderr_rewrites_lines()) to_stderr("{}", clear_line);
  std::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  raise(signal);
}

// While something goes on, only a second Ctrl-C is a wish for more: a closing terminal hangs up
// twice, its shell once more.
void listen(const sigset_t& signals) {
  std::optional<steady_clock::time_point> last, interrupted;
  const auto is_new = [](const auto& before, auto now) { return now - *before > one_key_press; };
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    const auto now = steady_clock::now();
    if (!something_goes_on && (!last || is_new(last, now))) end_at_once(signal);
    last = now;
    const bool again = signal == SIGINT && interrupted;
    if (again && is_new(interrupted, now)) end_at_once(signal);
    if (again) continue;
    if (signal == SIGINT) interrupted = now;
    int none = 0;
    const bool first = first_stop_signal.compare_exchange_strong(none, signal);
    if (first || signal == SIGINT) announce(signal);
  }
}

// After `nohup` a hang-up means nothing, and stays so.
bool hang_ups_are_ignored() {
  struct sigaction now {};
  return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

bool start_listening() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGXCPU);  // a batch system's time is up
  if (!hang_ups_are_ignored()) sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // in the threads to come as well
  std::thread([signals] { listen(signals); }).detach();
  return true;
}

}  // namespace

Stoppable::Stoppable() {
  something_goes_on = true;
  [[maybe_unused]] static const bool listening = start_listening();
}

Stoppable::~Stoppable() { something_goes_on = false; }

int stop_signal() { return first_stop_signal; }

}  // namespace orrery
