// orrery compare
#include "orrery/compare.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "compare/contenders.h"
#include "option_adder.h"
#include "output.h"
#include "report/comparison.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

struct CompareCall {
  TrainOptions options = comparison_defaults();
  std::vector<std::string> models;
  std::string budget, config, out;
  std::int64_t seeds = 1;
  bool json = false, discard_models = false;
};

// What the command line says wins over a model's own config file, which wins over --config.
CompareOptions options_of(const CLI::App& verb, const CompareCall& call) {
  CompareOptions options;
  options.seeds = call.seeds;
  options.keep_models = !call.discard_models;
  if (!call.budget.empty()) options.budget = parse_parameters(call.budget);
  const TrainOptions base = call.config.empty() ? comparison_defaults()
                                                : read_options(call.config, comparison_defaults());
  for (const std::string& words : call.models) {
    options.models.push_back(contender_named(words, base));
    overwrite_options(options.models.back().options, call.options, given_options(verb));
  }
  return options;
}

void print_comparison(const Comparison& comparison, const std::string& out) {
  if (!comparison.rows.empty()) to_stdout("{}\n", comparison_table(comparison));
  if (comparison.runs_failed > 0)
    to_stdout("{} of {} runs failed; to try one again remove its failed.txt\n",
              comparison.runs_failed, comparison.runs);
  if (!comparison.complete())
    to_stdout("interrupted with {} of {} runs done; the same command goes on\n",
              comparison.runs_done, comparison.runs);
  else
    to_stdout("saved {0}/compare.md and {0}/compare.json\n", out);
}

void run_compare(const CLI::App& verb, const CompareCall& call) {
  const Comparison comparison = [&] {
    TrainDisplay display;  // ends its line before the report is printed
    return compare(options_of(verb, call), call.out, &display);
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
  auto* verb = app.add_subcommand("compare", "Train and judge several models under one budget");
  const auto call = std::make_shared<CompareCall>();
  verb->add_option("--models", call->models,
                   "such as complex,bsca:attention=none+product=componentwise,my.toml: names, "
                   "with choices, or config files")
      ->delimiter(',');
  auto* budget = verb->add_option("--budget", call->budget,
                                  "parameters, such as 38M: each model takes the widest rows "
                                  "that fit");
  verb->add_option("--seeds", call->seeds, "runs of each model, from --seed on")
      ->capture_default_str();
  verb->add_option("--config", call->config, "a config.toml for all models");
  verb->add_option("--out", call->out, "directory of the runs and of compare.md, compare.json");
  verb->add_flag("--discard-models", call->discard_models,
                 "remove the rows of a run once it is judged; config, metrics and scores stay");
  verb->add_flag("--json", call->json, "Print JSON");
  std::vector<std::string_view> shared;
  visit_options(call->options, [&](const OptionInfo& info, const auto&) {
    if (info.name != "model") shared.push_back(info.name);
  });
  add_train_options(*verb, call->options, shared);
  budget->excludes(verb->get_option("--dim"));
  verb->footer(
      "Each run is validated and its best epoch judged on the test split. Ctrl-C saves the run in "
      "hand;\nthe same command goes on: what is trained is not trained again, what was "
      "interrupted is resumed.");
  verb->callback([verb, call] { run_compare(*verb, *call); });
}

}  // namespace orrery
