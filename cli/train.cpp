// orrery train
#include "orrery/train.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "learn/options.h"
#include "learn/run_directory.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

struct TrainCall {
  TrainOptions options;
  std::string config, out, resumed;
  bool json = false;
};

nlohmann::ordered_json to_json(const TrainSummary& s, const std::string& run) {
  nlohmann::ordered_json json = {{"run", run},
                                 {"ending", name_of(s.ending)},
                                 {"epochs_done", s.epochs_done},
                                 {"loss", s.loss},
                                 {"seconds", s.seconds},
                                 {"peak_memory", s.peak_memory},
                                 {"data_fingerprint", s.data_fingerprint},
                                 {"engine", s.engine}};
  if (s.best_valid) json["best"] = {{"epoch", s.best_epoch}, {"valid_mrr", s.best_valid->mrr}};
  return json;
}

void print_summary(const TrainSummary& s, const std::string& run) {
  if (s.ending == TrainSummary::Ending::interrupted) {
    to_stdout("interrupted after {} epochs; go on with: orrery train --resume {}\n", s.epochs_done,
              run);
    return;
  }
  const bool early = s.ending == TrainSummary::Ending::early_stop;
  if (s.was_finished)
    to_stdout("{}: was finished already{}\n", run,
              early
                  ? ""
                  : fmt::format("; to train it further: orrery train --resume {} --epochs N", run));
  to_stdout("{} epochs in {}{}\n", s.epochs_done, format_duration(s.seconds),
            early ? " (stopped early: no better MRR)" : "");
  if (s.best_valid)
    to_stdout("best validation MRR {} in epoch {}\n", percent(s.best_valid->mrr), s.best_epoch);
  to_stdout("{}next: orrery evaluate {}\n",
            s.was_finished ? "" : fmt::format("saved {}/model.safetensors; ", run), run);
}

// What the command line says wins over the config file, which wins over the defaults.
TrainOptions merged_options(const CLI::App& verb, const TrainCall& call) {
  TrainOptions merged;
  if (!call.config.empty()) merged = read_options(call.config);
  overwrite_options(merged, call.options, given_options(verb));
  return merged;
}

TrainSummary run_resume(const CLI::App& verb, const TrainCall& call, TrainObserver& display) {
  const auto change = [&](TrainOptions& options) {
    overwrite_options(options, call.options, given_options(verb));
  };
  return resume(call.resumed, change, &display);
}

TrainSummary run_fresh(const CLI::App& verb, const TrainCall& call, TrainObserver& display) {
  const TrainOptions options = merged_options(verb, call);
  if (options.data.empty()) fail_request("name the facts with --data DIR");
  if (call.out.empty()) fail_request("name a directory for the run with --out RUN");
  if (options.self_distillation > 0 && options.epochs <= options.self_distillation_from)
    to_stderr("--teacher begins after epoch {} (--teacher-from): --epochs {} ends before that\n",
              options.self_distillation_from, options.epochs);
  return train(options, call.out, &display);
}

void run_train(const CLI::App& verb, const TrainCall& call) {
  const bool resumes = !call.resumed.empty();
  const std::string& run = resumes ? call.resumed : call.out;
  const TrainSummary summary = [&] {
    TrainDisplay display;  // ends its line before the summary is printed
    return resumes ? run_resume(verb, call, display) : run_fresh(verb, call, display);
  }();
  if (call.json)
    to_stdout("{}\n", to_json(summary, run)
                          .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    print_summary(summary, run);
  if (summary.ending == TrainSummary::Ending::interrupted) throw EndWith{stopped()};
}

}  // namespace

void add_train(CLI::App& app) {
  auto* verb = app.add_subcommand("train", "Train a model on a data set");
  const auto call = std::make_shared<TrainCall>();
  add_train_options(*verb, call->options);
  auto* out = verb->add_option("--out", call->out, "directory of the run; must not hold one yet");
  auto* config =
      verb->add_option("--config", call->config, "a config.toml; options on the command line win");
  verb->add_option("--resume", call->resumed,
                   fmt::format("continue the run in this directory; of its options, {} may change",
                               options_of_resume()))
      ->excludes(out)
      ->excludes(config);
  verb->add_flag("--json", call->json, "Print the summary as JSON");
  verb->callback([verb, call] { run_train(*verb, *call); });
}

}  // namespace orrery
