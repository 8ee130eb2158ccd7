// orrery sweep
#include "orrery/sweep.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "fetch_display.h"
#include "help_format.h"
#include "option_adder.h"
#include "orrery/report.h"
#include "output.h"
#include "page/text_table.h"
#include "refuse.h"
#include "stop_signals.h"
#include "sweep_display.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

struct SweepCall {
  OptionChanges typed;
  std::string config, out;
  std::optional<std::string> search;
  std::optional<std::int64_t> trials, seeds, keep, first_epochs, keep_runs;
  bool json = false;
};

// What the command line says wins over the file.
SweepOptions options_of(const SweepCall& call) {
  if (call.config.empty()) refuse("name a sweep file with --config FILE");
  SweepOptions options = read_sweep(call.config);
  fix_options(options, call.typed);
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
    to_stdout("interrupted with {} of {}; run the same command to continue\n", sweep.results_done,
              counted(sweep.results, "result"));
    return;
  }
  // It is gone where another trial was the best one until a later rung failed.
  const Trial& best = sweep.trials.front();
  const auto run = run_of_trial(out, best.number, best.runs.front().seed);
  std::error_code unknown;
  const auto evaluation =
      std::filesystem::exists(run, unknown)
          ? fmt::format("orrery evaluate {}, or on its own:\n", shell_quoted(run.string()))
          : std::string();
  to_stdout("saved {0}/sweep.html, {0}/best.toml; next: {1}orrery train --config {2} --out RUN\n",
            out, evaluation, shell_quoted(out + "/best.toml"));
}

void run_sweep(const SweepCall& call) {
  const Sweep result = [&] {
    SweepDisplay display;  // ends its line before the report is printed
    const SweepOptions options = options_of(call);
    fetch_named_set(options.fixed.data);
    return sweep(options, call.out, &display);
  }();
  if (call.json)
    to_stdout("{}", sweep_json(result));
  else if (!result.complete || result.has_best())
    print_sweep(result, call.out);
  if (!result.complete) throw EndWith{stopped()};
  if (!result.has_best())
    refuse("{}: {}",
           result.trials.size() == 1
               ? "the only trial failed"
               : fmt::format("all {} trials failed; the first of them", result.trials.size()),
           result.trials.front().reason);
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto* verb = app.add_subcommand(
      "sweep", "Search for good options by validation MRR: grid, random, halving");
  const auto call = std::make_shared<SweepCall>();
  verb->add_option("--config", call->config,
                   "a config file whose lines may also list values or a range: dropout = [0, 0.1], "
                   "lr = \"0.01 .. "
                   "0.3 log\"")
      ->type_name("PATH");
  verb->add_option("--out", call->out, "directory of the sweep; the same command continues it")
      ->type_name("PATH");
  verb->add_option(
          "--search", call->search,
          "every combination, random trials, or random trials of which the best get more epochs")
      ->type_name("grid|random|halving");
  verb->add_option("--trials", call->trials, "random, halving: number of trials");
  verb->add_option(
      "--seeds", call->seeds,
      fmt::format("runs of each trial, with seeds from --seed on: 1 to {}; default 1", most_seeds));
  verb->add_option("--keep", call->keep,
                   "halving: one in this many trials goes on to the next rung; default 3");
  verb->add_option("--first-epochs", call->first_epochs, "halving: epochs of the first rung");
  verb->add_option("--keep-runs", call->keep_runs,
                   "number of best trials whose runs are kept; default 1");
  add_json(*verb, call->json);
  add_options(*verb, call->typed, {.defaults = comparison_defaults()});
  end_help(*verb,
           "Trials are ranked by validation; the test split is not used.\nCtrl-C saves; run the "
           "same command to continue.",
           {"orrery sweep --config sweep.toml --data world --out runs/sweep",
            "orrery sweep --config sweep.toml --data world --search random --trials 20 "
            "--out runs/drawn"});
  verb->callback([call] { run_sweep(*call); });
}

}  // namespace orrery
