#include "train_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "page/text_table.h"

namespace orrery {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// A second Ctrl-C ends the program at once: the handler has given the signal back.
extern "C" void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr int bar_width = 14;  // the line must fit 80 columns

}  // namespace

std::string format_duration(double seconds) {
  const auto whole = std::llround(std::max(0.0, seconds));
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

TrainDisplay::TrainDisplay() : terminal_(isatty(STDERR_FILENO) == 1) {
  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

void TrainDisplay::on_run(const RunAhead& run) {
  clear_line();
  using enum RunAhead::Work;
  const bool trained = run.work == judge || run.work == done;
  fmt::print(stderr, "run {} of {}: {}, seed {}{}\n", run.number, run.of, printable(run.model),
             run.seed, trained ? ", trained already" : "");
}

void TrainDisplay::on_failure(const RunAhead& run, const std::string& reason) {
  clear_line();
  const bool before = run.work == RunAhead::Work::done;
  fmt::print(stderr, "run {} of {}: {}, seed {}, failed{}: {}\n", run.number, run.of,
             printable(run.model), run.seed, before ? " already" : "", printable(reason));
}

void TrainDisplay::on_start(const RunStart& start) {
  fmt::print(stderr, "{} entities, {} relations, {} times; {} training examples\n",
             grouped(static_cast<std::uint64_t>(start.entities)),
             grouped(static_cast<std::uint64_t>(start.relations)),
             grouped(static_cast<std::uint64_t>(start.times)),
             grouped(static_cast<std::uint64_t>(start.examples)));
  fmt::print(stderr, "{} parameters; {}\n", grouped(static_cast<std::uint64_t>(start.parameters)),
             start.engine);
  if (start.bad_lines > 0) {
    fmt::print(stderr, "{} bad lines were left out, the first of them:\n",
               grouped(static_cast<std::uint64_t>(start.bad_lines)));
    for (const auto& line : start.first_bad_lines) fmt::print(stderr, "  {}\n", line);
  }
  if (start.resumed_epoch > 0) fmt::print(stderr, "resumed in epoch {}\n", start.resumed_epoch);
}

void TrainDisplay::on_step(const StepReport& step) {
  epochs_ = step.epochs;
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < redraw_interval && step.step < step.steps) return;
  drawn_ = now;
  const auto filled =
      static_cast<int>(bar_width * step.step / std::max<std::int64_t>(1, step.steps));
  fmt::print(stderr, "\r\033[Kepoch {}/{} [{}{}] loss {:.4f}  {} examples/s  {} left", step.epoch,
             step.epochs, std::string(static_cast<std::size_t>(filled), '='),
             std::string(static_cast<std::size_t>(bar_width - filled), ' '), step.loss,
             grouped(static_cast<std::uint64_t>(step.examples_per_second)),
             format_duration(step.seconds_left));
  std::fflush(stderr);
  line_shown_ = true;
}

void TrainDisplay::on_epoch(const EpochReport& epoch) {
  if (terminal_ && !epoch.valid && epoch.epoch < epochs_) return;
  clear_line();
  std::string line = fmt::format("epoch {:>3}  loss {:.4f}  {} examples/s", epoch.epoch, epoch.loss,
                                 grouped(static_cast<std::uint64_t>(epoch.examples_per_second)));
  if (epoch.valid)
    line += fmt::format("  valid MRR {}  Hits@1 {}  Hits@10 {}{}", percent(epoch.valid->mrr),
                        percent(epoch.valid->hits1), percent(epoch.valid->hits10),
                        epoch.best ? "  best" : "");
  fmt::print(stderr, "{}\n", line);
}

void TrainDisplay::on_warning(const std::string& warning) {
  clear_line();
  fmt::print(stderr, "warning: {}\n", printable(warning));
}

bool TrainDisplay::stop_requested() {
  if (interrupted == 0) return false;
  if (!stop_told_) {
    clear_line();
    fmt::print(stderr, "stopping after this step; saving the state\n");
    stop_told_ = true;
  }
  return true;
}

void TrainDisplay::clear_line() {
  if (line_shown_) fmt::print(stderr, "\r\033[K");
  line_shown_ = false;
}

}  // namespace orrery
