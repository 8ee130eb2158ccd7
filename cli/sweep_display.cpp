#include "sweep_display.h"

#include <fmt/format.h>

#include "page/text_table.h"
#include "words.h"

namespace orrery {

void SweepDisplay::on_trial(const TrialAhead& ahead) {
  std::string words = fmt::format("trial {} of {}", ahead.trial, ahead.of);
  if (ahead.rungs > 1)
    words += fmt::format(", rung {} of {} ({})", ahead.rung, ahead.rungs,
                         counted(ahead.epochs, "epoch"));
  if (ahead.runs > 1) words += fmt::format(", seed {}", ahead.seed);
  if (const auto left = seconds_left(ahead.epochs_left); left > 0)
    words += fmt::format(", about {} left", format_duration(left));
  run_.line().say("{}: {}\n", words, words_of(ahead.values));
  best_ = ahead.best_mrr;
}

void SweepDisplay::on_result(const Trial& trial) {
  if (trial.failed) {
    run_.line().say("  failed: {}\n", trial.reason);
    return;
  }
  const bool best = !best_ || trial.mean.mrr > *best_;
  run_.line().say("  validation MRR {} in {}; {}\n", percent(trial.mean.mrr),
                  format_duration(trial.seconds),
                  best ? "the best so far" : fmt::format("the best is {}", percent(*best_)));
}

void SweepDisplay::on_start(const RunStart& start) {
  if (!started_) run_.on_start(start);
  started_ = true;
}

double SweepDisplay::seconds_left(std::int64_t epochs_left) {
  if (!first_) first_ = {std::chrono::steady_clock::now(), epochs_left};
  const std::int64_t done = first_->second - epochs_left;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - first_->first;
  return done > 0 ? taken.count() / static_cast<double>(done) * static_cast<double>(epochs_left)
                  : 0;
}

}  // namespace orrery
