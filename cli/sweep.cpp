// orrery sweep
#include "orrery/sweep.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/paths.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "stop_signals.h"
#include "sweep/file.h"
#include "sweep/report.h"
#include "sweep/runs.h"
#include "sweep/space.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

struct SweepCall {
  TrainOptions options = comparison_defaults();
  std::string config, out;
  std::optional<std::string> search;
  std::optional<std::int64_t> trials, seeds, keep, first_epochs, keep_runs;
  bool json = false;
};

// Two lines a trial, and a bar while it goes on; all on stderr.
class SweepDisplay : public SweepObserver {
 public:
  void on_trial(const TrialAhead& ahead) override {
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
  void on_result(const Trial& trial) override {
    if (trial.failed) {
      run_.line().say("  failed: {}\n", trial.reason);
      return;
    }
    const bool best = !best_ || trial.mean.mrr > *best_;
    run_.line().say("  validation MRR {} in {}; {}\n", percent(trial.mean.mrr),
                    format_duration(trial.seconds),
                    best ? "the best so far" : fmt::format("the best is {}", percent(*best_)));
  }
  void on_start(const RunStart& start) override {
    if (!started_) run_.on_start(start);
    started_ = true;
  }
  void on_step(const StepReport& step) override { run_.on_step(step); }
  void on_warning(const std::string& warning) override { run_.on_warning(warning); }
  bool stop_requested() override { return run_.stop_requested(); }

 private:
  // By the speed of what was done since the first run began; 0: nothing was.
  double seconds_left(std::int64_t epochs_left) {
    if (!first_) first_ = {std::chrono::steady_clock::now(), epochs_left};
    const std::int64_t done = first_->second - epochs_left;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - first_->first;
    return done > 0 ? taken.count() / static_cast<double>(done) * static_cast<double>(epochs_left)
                    : 0;
  }

  TrainDisplay run_;
  bool started_ = false;
  std::optional<double> best_;
  std::optional<std::pair<std::chrono::steady_clock::time_point, std::int64_t>> first_;
};

// What the command line says wins over the file.
SweepOptions options_of(const CLI::App& verb, const SweepCall& call) {
  if (call.config.empty()) fail_request("name a sweep file with --config FILE");
  SweepOptions options = read_sweep(call.config);
  fix_options(options, call.options, given_options(verb));
  const auto take = [&](const char* name, const auto& given, auto& value) {
    if (!given) return;
    value = *given;
    options.origins.erase(name);  // the file is not to blame
  };
  if (call.search) take("search", std::optional(search_named(*call.search)), options.search);
  take("trials", call.trials, options.trials);
  take("seeds", call.seeds, options.seeds);
  take("keep", call.keep, options.keep);
  take("first-epochs", call.first_epochs, options.first_epochs);
  take("keep-runs", call.keep_runs, options.keep_runs);
  return options;
}

void print_sweep(const Sweep& sweep, const std::string& out) {
  if (sweep.has_best()) to_stdout("{}\n", sweep_table(sweep));
  if (!sweep.complete) {
    to_stdout("interrupted with {} of {}; the same command goes on\n", sweep.results_done,
              counted(sweep.results, "result"));
    return;
  }
  // It is gone where another trial was the best one until a later rung failed.
  const Trial& best = sweep.trials.front();
  const auto run = run_of_trial(out, best.number, best.runs.front().seed);
  const auto judge = path_exists(run)
                         ? fmt::format("orrery evaluate {}, or on its own:\n", run.string())
                         : std::string();
  to_stdout(
      "saved {0}/sweep.html, {0}/best.toml; next: {1}orrery train --config {0}/best.toml --out "
      "RUN\n",
      out, judge);
}

void run_sweep(const CLI::App& verb, const SweepCall& call) {
  const Sweep result = [&] {
    SweepDisplay display;  // ends its line before the report is printed
    return sweep(options_of(verb, call), call.out, &display);
  }();
  if (call.json)
    to_stdout("{}", sweep_json(result));
  else if (!result.complete || result.has_best())
    print_sweep(result, call.out);
  if (!result.complete) throw EndWith{stopped()};
  if (!result.has_best())
    fail_request("{}: {}",
                 result.trials.size() == 1
                     ? "the only trial failed"
                     : fmt::format("all {} trials failed; the first of them", result.trials.size()),
                 result.trials.front().reason);
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto* verb =
      app.add_subcommand("sweep", "Search options on validation MRR: grid, random, halving");
  const auto call = std::make_shared<SweepCall>();
  verb->add_option("--config", call->config,
                   "a config file whose lines may also search: dropout = [0, 0.1], lr = \"0.01 .. "
                   "0.3 log\"");
  verb->add_option("--out", call->out, "directory of the sweep; the same command goes on in it");
  verb->add_option("--search", call->search, "every combination, or drawn trials")
      ->type_name("grid|random|halving");
  verb->add_option("--trials", call->trials, "random, halving: how many are drawn");
  verb->add_option("--seeds", call->seeds, "runs of each trial, from --seed on: 1 to 1000; 1");
  verb->add_option("--keep", call->keep, "halving: one of so many goes on to the next rung; 3");
  verb->add_option("--first-epochs", call->first_epochs, "halving: epochs of the first rung");
  verb->add_option("--keep-runs", call->keep_runs, "so many of the best trials keep their runs; 1");
  verb->add_flag("--json", call->json, "Print JSON");
  add_train_options(*verb, call->options);
  verb->footer(
      "Trials are ranked by validation; no question of the test split is asked. Ctrl-C saves the "
      "run in\nhand; the same command goes on.");
  verb->callback([verb, call] { run_sweep(*verb, *call); });
}

}  // namespace orrery
