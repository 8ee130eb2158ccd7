// orrery compare
#include "orrery/compare.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "fetch_display.h"
#include "help_format.h"
#include "option_adder.h"
#include "orrery/report.h"
#include "output.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

struct CompareCall {
  OptionChanges typed;
  std::vector<std::string> models;
  std::string budget, config, out;
  std::int64_t seeds = 1;
  bool json = false, discard_models = false;
};

// What the command line says wins over a model's own config file, which wins over --config.
CompareOptions options_of(const CompareCall& call) {
  CompareOptions options;
  options.seeds = call.seeds;
  options.keep_models = !call.discard_models;
  if (!call.budget.empty()) options.budget = parse_parameters(call.budget);
  const TrainOptions base =
      call.config.empty() ? comparison_defaults() : read_config(call.config, comparison_defaults());
  for (const std::string& words : call.models) {
    options.models.push_back(compared_model(words, base));
    set_options(options.models.back().options, call.typed);
  }
  return options;
}

void print_comparison(const Comparison& comparison, const std::string& out) {
  if (!comparison.rows.empty()) to_stdout("{}\n", comparison_table(comparison));
  if (comparison.runs_failed > 0)
    to_stdout("{} of {} runs failed; to try one again remove its failed.txt\n",
              comparison.runs_failed, comparison.runs);
  if (!comparison.complete())
    to_stdout("interrupted with {} of {} runs done; run the same command to continue\n",
              comparison.runs_done, comparison.runs);
  else
    to_stdout("saved {0}/compare.md and {0}/compare.json\n", out);
}

void run_compare(const CompareCall& call) {
  const Comparison comparison = [&] {
    TrainDisplay display;  // ends its line before the report is printed
    const CompareOptions options = options_of(call);
    for (const ComparedModel& model : options.models) fetch_named_set(model.options.data);
    return compare(options, call.out, &display);
  }();
  if (call.json)
    to_stdout("{}", comparison_json(comparison));
  else
    print_comparison(comparison, call.out);
  if (!comparison.complete()) throw EndWith{stopped()};
  if (comparison.runs_done == 0) throw EndWith{exit_codes::nothing_came_of_it};
}

}  // namespace

void add_compare(CLI::App& app) {
  auto* verb = app.add_subcommand("compare", "Train and evaluate several models under one budget");
  const auto call = std::make_shared<CompareCall>();
  verb->add_option("--models", call->models,
                   "models by name, with choices, or config files: "
                   "complex,bsca:attention=none+product=componentwise,my.toml")
      ->type_name("MODEL,MODEL…")
      ->delimiter(',');
  auto* budget = verb->add_option("--budget", call->budget,
                                  "number of parameters, such as 38M: each model gets the "
                                  "largest dimension that fits")
                     ->type_name("NUMBER");
  verb->add_option("--seeds", call->seeds, "runs of each model, with seeds from --seed on")
      ->capture_default_str();
  verb->add_option("--config", call->config, "a config.toml for all models")->type_name("PATH");
  verb->add_option("--out", call->out, "directory of the runs and of compare.md, compare.json")
      ->type_name("PATH");
  verb->add_flag("--discard-models", call->discard_models,
                 "remove a run's embeddings once it is evaluated; config, metrics and scores stay");
  add_json(*verb, call->json);
  add_options(*verb, call->typed, {.left_out = {"model"}, .defaults = comparison_defaults()});
  budget->excludes(verb->get_option("--dim"));
  end_help(*verb,
           "Each run is validated, and its best epoch is evaluated on the test split.\nCtrl-C "
           "saves; run the same command to continue.",
           {"orrery compare --data world --models complex,tcomplex,bsca --budget 50k --epochs 30 "
            "--out runs/table",
            "orrery compare --data world --models bsca,bsca:attention=none --dim 64 --seeds 3 "
            "--out runs/attention"});
  verb->callback([call] { run_compare(*call); });
}

}  // namespace orrery
