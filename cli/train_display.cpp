#include "train_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "page/text_table.h"
#include "stop_signals.h"
#include "words.h"

namespace orrery {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr int bar_width = 14;  // the whole line fits 80 columns

std::string bar(const StepReport& step) {
  const auto filled =
      static_cast<std::size_t>(bar_width * step.step / std::max<std::int64_t>(1, step.steps));
  return fmt::format(" [{:<{}}]", std::string(filled, '='), bar_width);
}

}  // namespace

void TrainDisplay::on_run(const RunAhead& run) {
  using enum RunAhead::Work;
  const bool trained = run.work == evaluate || run.work == done;
  line_.say("run {} of {}: {}, seed {}{}\n", run.number, run.of, printable(run.model), run.seed,
            trained ? ", trained already" : "");
}

void TrainDisplay::on_failure(const RunAhead& run, const std::string& reason) {
  const bool before = run.work == RunAhead::Work::done;
  line_.say("run {} of {}: {}, seed {}, failed{}: {}\n", run.number, run.of, printable(run.model),
            run.seed, before ? " already" : "", printable(reason));
}

void TrainDisplay::on_start(const RunStart& start) {
  line_.say("{}, {}, {}; {}\n{}; {}\n", counted(start.entities, "entity"),
            counted(start.relations, "relation"), counted(start.times, "time"),
            counted(start.examples, "training example"), counted(start.parameters, "parameter"),
            start.engine);
  if (!start.intervals.empty())
    line_.say("intervals: {} (--intervals)\n",
              start.intervals == "within" ? "facts hold within them" : "their ends alone count");
  if (start.bad_lines > 0) {
    line_.say("{} left out; the first:\n", counted(start.bad_lines, "bad line"));
    for (const auto& line : start.first_bad_lines) line_.say("  {}\n", line);
  }
  if (!start.started_from.empty() && start.resumed_epoch == 0)
    line_.say("starts from {}: it knows {} of {}, {} of {}, {} of {}\n",
              printable(start.started_from), grouped(start.from_entities),
              counted(start.entities, "entity"), grouped(start.from_relations),
              counted(start.relations, "relation"), grouped(start.from_times),
              counted(start.times, "time"));
  if (start.resumed_epoch > 0) line_.say("resumed in epoch {}\n", start.resumed_epoch);
}

void TrainDisplay::on_step(const StepReport& step) {
  epochs_ = step.epochs;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn_ < redraw_interval && step.step < step.steps) return;
  if (stop_signal() != 0) return;  // the answer to it is the last word
  drawn_ = now;
  const auto speed = grouped(static_cast<std::uint64_t>(step.examples_per_second));
  line_.show(std::array{
      ProgressPart{fmt::format("epoch {}/{}", step.epoch, step.epochs), 0},
      ProgressPart{bar(step), 3},
      ProgressPart{fmt::format(" loss {:.4f}", step.loss), 1},
      ProgressPart{fmt::format("  {} examples/s", speed), 4},
      ProgressPart{fmt::format("  {} left", format_duration(step.seconds_left)), 2},
  });
}

void TrainDisplay::on_epoch(const EpochReport& epoch) {
  if (line_.rewrites() && !epoch.valid && epoch.epoch < epochs_) return;
  std::string line = fmt::format("epoch {:>3}  loss {:.4f}  {} examples/s", epoch.epoch, epoch.loss,
                                 grouped(static_cast<std::uint64_t>(epoch.examples_per_second)));
  if (epoch.valid) {
    line += "  valid";
    for (const ScorePart& part : score_parts)
      line += fmt::format("{}{} {}", line.ends_with("valid") ? " " : "  ", part.title,
                          percent(*epoch.valid.*part.value));
    if (epoch.best) line += "  best";
  }
  line_.say("{}\n", line);
}

void TrainDisplay::on_warning(const std::string& warning) {
  line_.say("warning: {}\n", printable(warning));
}

bool TrainDisplay::stop_requested() {
  if (stop_signal() == 0) return false;
  line_.clear();
  return true;
}

}  // namespace orrery
