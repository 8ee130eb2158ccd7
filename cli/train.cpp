// orrery train
#include "orrery/train.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "fetch_display.h"
#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/defaults.h"
#include "orrery/processes.h"
#include "orrery/run.h"
#include "orrery/tune.h"
#include "output.h"
#include "page/summary_json.h"
#include "page/text_table.h"
#include "refuse.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

struct TrainCall {
  OptionChanges typed;
  std::string config, out, resumed, tune;
  bool json = false;
};

nlohmann::ordered_json json_of_summary(const TrainSummary& s, const std::string& run) {
  nlohmann::ordered_json json = {{"run", run}};
  json.update(summary_to_json(s));
  if (s.best_valid) json["best"] = {{"epoch", s.best_epoch}, {"valid_mrr", s.best_valid->mrr}};
  return json;
}

// What can be asked of these facts.
std::string next_command(const Dataset& data, const std::string& run) {
  if (!data.facts(Split::test).empty()) return "orrery evaluate " + run;
  if (!data.facts(Split::valid).empty()) return "orrery evaluate " + run + " --split valid";
  return "orrery predict " + run + " --subject NAME --relation NAME --time DATE";
}

// `data`: unknown of a run that was finished.
void print_summary(const TrainSummary& s, const std::string& directory,
                   const std::optional<Dataset>& data) {
  const std::string run = shell_quoted(directory);
  if (s.ending == TrainSummary::Ending::interrupted) {
    to_stdout("interrupted after {}; go on with: orrery train --resume {}\n",
              counted(s.epochs_done, "epoch"), run);
    return;
  }
  const bool early = s.ending == TrainSummary::Ending::early_stop;
  if (s.was_finished)
    to_stdout("{}: was finished already{}\n", directory,
              early
                  ? ""
                  : fmt::format("; to train it further: orrery train --resume {} --epochs N", run));
  to_stdout("{} in {}{}\n", counted(s.epochs_done, "epoch"), format_duration(s.seconds),
            early ? " (stopped early: no better MRR)" : "");
  if (s.best_valid)
    to_stdout("best validation MRR {} in epoch {}\n", percent(s.best_valid->mrr), s.best_epoch);
  if (data)
    to_stdout("saved {}/model.safetensors; next: {}\n", directory, next_command(*data, run));
}

// What the command line says wins over the config file, which wins over the defaults.
TrainOptions merged_options(const TrainCall& call) {
  TrainOptions merged;
  if (!call.config.empty()) merged = read_config(call.config);
  set_options(merged, call.typed);
  return merged;
}

void print_chosen(const FittingOptions& fitting) {
  for (const ChosenOption& option : fitting.chosen)
    to_stderr("--{} {}: {}\n", option.name, option.value, option.reason);
}

class TuneDisplay : public TuneObserver {
 public:
  explicit TuneDisplay(TrainObserver& signals) : signals_(signals) {}
  void on_trial(const TuneTrial& trial) override {
    std::string changes;
    for (const auto& [name, value] : trial.changes) changes += fmt::format(" --{} {}", name, value);
    to_stderr("tune {}: validation MRR {}{}  {}{}\n", ++trials_,
              trial.valid ? percent(trial.valid->mrr) : no_figure, trial.best ? " (best)" : "",
              format_duration(trial.seconds), changes.empty() ? " as they fit the data" : changes);
  }
  bool stop_requested() override { return signals_.stop_requested(); }

 private:
  TrainObserver& signals_;
  int trials_ = 0;
};

TrainOptions tuned_to(const Dataset& data, const TrainCall& call, TrainObserver& signals) {
  TuneDisplay display(signals);
  Tuning tuning = tune(data, call.typed, seconds_of(call.tune), &display);
  if (tuning.interrupted) {
    to_stderr("stopped while tuning; nothing was saved\n");
    throw EndWith{stopped()};
  }
  return std::move(tuning.options);
}

// A config file is complete: what it does not name is at its fixed default. Without one, options
// that nobody named follow from the data.
TrainOptions fitted_to(const Dataset& data, const TrainCall& call, TrainObserver& signals) {
  if (!call.config.empty()) return merged_options(call);
  FittingOptions fitting = fitting_options(data, call.typed);
  print_chosen(fitting);
  if (!call.tune.empty()) return tuned_to(data, call, signals);
  return std::move(fitting.options);
}

// What shapes embeddings must be as in the model that a training starts from; a config file says it
// itself.
TrainCall shaped(TrainCall call) {
  const std::string from = merged_options(call).from;
  if (!from.empty() && call.config.empty())
    call.typed = options_to_start_from(Model::open(from), call.typed);
  return call;
}

// All that can be refused is, before a data set is fetched or read.
Run begun(const TrainCall& asked, TrainObserver& display) {
  const TrainCall call = shaped(asked);
  const TrainOptions options = merged_options(call);
  if (options.data.empty()) refuse("name the facts with --data DIR");
  if (call.out.empty()) refuse("name a directory for the run with --out RUN");
  if (options.data == "-" && process_rank().size > 1)
    refuse("several processes cannot all read standard input; name a file with --data");
  check_options(options);
  require_free_directory(call.out);
  if (options.self_distillation > 0 && options.epochs <= options.self_distillation_from)
    to_stderr(
        "--self-distillation begins after epoch {} (--self-distillation-from): --epochs {} ends "
        "before that\n",
        options.self_distillation_from, options.epochs);
  const Dataset data = open_data(options.data, data_options(options));
  return Run::begin(call.out, data, fitted_to(data, call, display));
}

void run_train(const TrainCall& call) {
  const bool resumes = !call.resumed.empty();
  const std::string& directory = resumes ? call.resumed : call.out;
  const auto [summary, data] = [&] {
    TrainDisplay display;  // ends its line before the summary is printed
    Run run = resumes ? Run::resume(directory, call.typed) : begun(call, display);
    const TrainSummary trained = run.train(&display);
    return std::pair(trained, run.data());
  }();
  if (call.json)
    print_json(json_of_summary(summary, directory));
  else
    print_summary(summary, directory, data);
  if (summary.ending == TrainSummary::Ending::interrupted) throw EndWith{stopped()};
}

// "--data, --epochs, --device, --threads, --memory and --exchange"
std::string options_of_resume_shown() {
  std::vector<std::string> flags;
  for (const OptionInfo& info : option_table())
    if (info.may_change_on_resume()) flags.push_back("--" + info.name);
  return listed(flags);
}

}  // namespace

void add_train(CLI::App& app) {
  auto* verb = app.add_subcommand("train", "Train a model on a data set");
  const auto call = std::make_shared<TrainCall>();
  auto* out = verb->add_option("--out", call->out, "directory of the run; must not hold one yet")
                  ->type_name("PATH");
  auto* config =
      verb->add_option("--config", call->config, "a config.toml; options on the command line win")
          ->type_name("PATH");
  verb->add_option("--resume", call->resumed,
                   fmt::format("continue the run in this directory; of its options, {} may change",
                               options_of_resume_shown()))
      ->type_name("PATH")
      ->excludes(out)
      ->excludes(config);
  verb->add_option("--tune", call->tune,
                   "first try other weights, dropout and learning rates for so long, such as 5m")
      ->type_name("DURATION")
      ->excludes(config);
  verb->add_flag("--json", call->json, "print the summary as JSON");
  add_options(*verb, call->typed);
  end_help(
      *verb,
      "Options that nobody names follow from the data and are printed; with --config they have the "
      "defaults above. Ctrl-C saves the run; --resume continues it and gives the bytes of an "
      "uninterrupted run.",
      {"orrery train --data world --dim 128 --epochs 30 --out runs/a",
       "orrery train --data facts.csv --out runs/b", "orrery train --resume runs/a --epochs 60"});
  verb->callback([call] { run_train(*call); });
}

}  // namespace orrery
