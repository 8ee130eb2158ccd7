#include "orrery/sweep.h"

#include <fmt/format.h>

#include <new>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "orrery/scores.h"
#include "page/text_table.h"
#include "sweep/directory.h"
#include "sweep/log.h"
#include "sweep/plan.h"
#include "sweep/report.h"
#include "sweep/runs.h"

namespace orrery {
namespace {

void summarise(Trial& trial) {
  std::vector<Scores> valid;
  for (const TrialRun& run : trial.runs) valid.push_back(run.valid);
  const ScoreStatistics statistics = statistics_of(valid);
  trial.mean = statistics.mean;
  trial.deviation = statistics.deviation;
}

// The first line of a config says that training wrote it.
std::string without_head(const std::string& config) { return config.substr(config.find('\n') + 1); }

class Sweeper {
 public:
  Sweeper(SweepPlan plan, std::filesystem::path out, SweepObserver& observer)
      : plan_(std::move(plan)),
        out_(std::move(out)),
        observer_(observer),
        log_(out_ / "trials.jsonl", plan_) {}

  Sweep carry_out() {
    write_sweep_toml(plan_.options, out_);
    write_best();
    bool complete = true;
    for (rung_ = 1; complete && rung_ <= std::ssize(plan_.rungs); ++rung_) complete = climb();
    Sweep result = outcome(complete);
    write_sweep_report(result);
    return result;
  }

 private:
  const Rung& rung() const { return plan_.rungs[static_cast<std::size_t>(rung_ - 1)]; }

  // In the order of their numbers.
  std::set<std::int64_t> trials_of_rung() const {
    std::set<std::int64_t> numbers;
    if (rung_ == 1) {
      for (std::int64_t number = 1; number <= rung().trials; ++number) numbers.insert(number);
      return numbers;
    }
    for (const Trial* trial : log_.ranked_at(rung_ - 1)) {
      if (std::ssize(numbers) == rung().trials) break;
      numbers.insert(trial->number);
    }
    return numbers;
  }

  // False: it was interrupted.
  bool climb() {
    const auto numbers = trials_of_rung();
    remove_what_is_done_with(numbers);
    for (const std::int64_t number : numbers) {
      if (log_.holds(number, rung_)) continue;
      auto trial = observer_.stop_requested() ? std::nullopt : carry_out_trial(number);
      if (!trial) return false;
      log_.append(*trial);
      observer_.on_result(*trial);
      write_best();
      remove_what_is_done_with(numbers);
    }
    return true;
  }

  std::optional<Trial> carry_out_trial(std::int64_t number) {
    const auto index = static_cast<std::size_t>(number - 1);
    Trial trial;
    trial.number = number;
    trial.values = plan_.trials[index];
    trial.parameters = plan_.parameters[index];
    trial.rung = rung_;
    try {
      for (std::int64_t run = 0; run < plan_.options.seeds; ++run) {
        const TrainOptions options =
            options_of_run(plan_.options, trial.values, rung().epochs, run);
        trial.epochs = options.epochs;
        tell_of(trial, options.seed, run + 1);
        const auto path = run_of_trial(out_, number, options.seed);
        const auto result = carry_out_run(options, path, plan_.facts.of(options), observer_);
        if (!result) return {};
        trial.seconds += result->seconds;
        trial.runs.push_back(*result);
      }
      summarise(trial);
    } catch (const Error& error) {
      // All else (the data is gone, a disk is full) would fail the others, too.
      if (error.kind() != Error::Kind::model) throw;
      fail(trial, error.what());
    } catch (const std::bad_alloc&) {
      fail(trial, "out of memory");
    }
    return trial;
  }

  static void fail(Trial& trial, const std::string& reason) {
    trial.failed = true;
    trial.reason = reason;
    trial.runs.clear();
  }

  void tell_of(const Trial& trial, std::uint64_t seed, std::int64_t run) {
    TrialAhead ahead;
    ahead.trial = trial.number;
    ahead.of = std::ssize(plan_.trials);
    ahead.values = trial.values;
    ahead.seed = seed;
    ahead.run = run;
    ahead.runs = plan_.options.seeds;
    ahead.rung = rung_;
    ahead.rungs = std::ssize(plan_.rungs);
    ahead.epochs = trial.epochs;
    ahead.results_done = log_.size();
    ahead.results = plan_.results();
    ahead.epochs_left = epochs_left(run);
    if (best_ != nullptr) ahead.best_mrr = best_->mean.mrr;
    observer_.on_trial(ahead);
  }

  // As if no run ended early and, where epochs are searched, all had the fixed number of them.
  std::int64_t epochs_left(std::int64_t run) const {
    const std::int64_t seeds = plan_.options.seeds;
    std::int64_t left = 0, before = 0, number = 1;
    for (const Rung& each : plan_.rungs) {
      const std::int64_t epochs = each.epochs - before;  // this rung's own
      if (number > rung_) left += each.trials * seeds * epochs;
      if (number == rung_) left += ((each.trials - log_.size_at(rung_)) * seeds - run + 1) * epochs;
      before = each.epochs;
      ++number;
    }
    return left;
  }

  void write_best() {
    const auto ranked = log_.ranked();
    if (ranked.empty() || ranked.front()->failed || ranked.front() == best_) return;
    best_ = ranked.front();
    write_file_atomically(
        out_ / "best.toml",
        fmt::format("# Trial {} of a sweep, its best: validation MRR {} percent over {}.\n"
                    "# `orrery train --config FILE --out RUN` trains with it.\n{}",
                    best_->number, percent(best_->mean.mrr),
                    counted(std::ssize(best_->runs), "seed"),
                    without_head(config_text(options_of(plan_.options, *best_)))));
  }

  // What stays: the best, who may come to the next rung, and who is yet to begin with this one.
  void remove_what_is_done_with(const std::set<std::int64_t>& numbers) const {
    std::set<std::int64_t> wanted;
    const auto want_best = [&](const std::vector<const Trial*>& ranked, std::int64_t most) {
      for (const Trial* trial : ranked) {
        if (trial->failed || most-- <= 0) return;
        wanted.insert(trial->number);
      }
    };
    want_best(log_.ranked(), plan_.options.keep_runs);
    if (rung_ < std::ssize(plan_.rungs))
      want_best(log_.ranked_at(rung_), plan_.rungs[static_cast<std::size_t>(rung_)].trials);
    for (const std::int64_t number : numbers)
      if (!log_.holds(number, rung_)) wanted.insert(number);
    remove_runs(out_, [&](std::int64_t trial) { return wanted.contains(trial); });
  }

  Sweep outcome(bool complete) const {
    Sweep result;
    result.options = plan_.options;
    result.data_fingerprint = plan_.data_fingerprint;
    result.valid_questions = plan_.valid_questions;
    result.rungs = plan_.rungs;
    for (const Trial* trial : log_.ranked()) result.trials.push_back(*trial);
    result.results_done = log_.size();
    // Where trials failed, fewer of them came to further rungs.
    result.results = complete ? log_.size() : plan_.results();
    result.complete = complete;
    result.out = out_;
    return result;
  }

  SweepPlan plan_;
  std::filesystem::path out_;
  SweepObserver& observer_;
  TrialLog log_;
  std::int64_t rung_ = 1;
  const Trial* best_ = nullptr;  // in the log
};

}  // namespace

Sweep sweep(const SweepOptions& options, const std::filesystem::path& out,
            SweepObserver* observer) {
  SweepObserver silent;
  if (out.empty())
    fail_request(About{.option = "out"}, "name a directory for the sweep with $out DIR");
  SweepPlan plan = plan_sweep(options);
  const auto held = HeldDirectory::make(out);
  check_directory(plan.options, out);
  return Sweeper(std::move(plan), out, observer != nullptr ? *observer : silent).carry_out();
}

}  // namespace orrery
