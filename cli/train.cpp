// orrery train
#include "orrery/train.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "judge/text_table.h"
#include "learn/options.h"
#include "option_adder.h"
#include "train_display.h"
#include "verbs.h"

namespace orrery {
namespace {

struct TrainCall {
  TrainOptions options;
  std::string config, out, resumed;
  bool json = false;
};

std::string read_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) fail_request("{}: cannot be read", path);
  return text.str();
}

nlohmann::ordered_json to_json(const TrainSummary& s, const std::string& run) {
  constexpr const char* endings[] = {"finished", "early_stop", "interrupted"};
  nlohmann::ordered_json json = {{"run", run},
                                 {"ending", endings[static_cast<int>(s.ending)]},
                                 {"epochs_done", s.epochs_done},
                                 {"loss", s.loss},
                                 {"seconds", s.seconds},
                                 {"data_fingerprint", s.data_fingerprint}};
  if (s.best_valid)
    json["best"] = {{"epoch", s.best_epoch}, {"valid_mrr", s.best_valid->mrr}};
  return json;
}

void print_summary(const TrainSummary& s, const std::string& run) {
  if (s.ending == TrainSummary::Ending::interrupted) {
    fmt::print("interrupted after {} epochs; go on with: orrery train --resume {}\n", s.epochs_done,
               run);
    return;
  }
  fmt::print("{} epochs in {}{}\n", s.epochs_done, format_duration(s.seconds),
             s.ending == TrainSummary::Ending::early_stop ? " (stopped early: no better MRR)" : "");
  if (s.best_valid)
    fmt::print("best validation MRR {} in epoch {}\n", percent(s.best_valid->mrr), s.best_epoch);
  fmt::print("saved {}/model.safetensors; next: orrery evaluate {}\n", run, run);
}

// What the command line says wins over the config file, which wins over the defaults.
TrainOptions merged_options(const CLI::App& verb, const TrainCall& call) {
  TrainOptions merged;
  if (!call.config.empty()) merged = options_from_toml(read_config(call.config), call.config);
  TrainOptions given = call.options;
  std::vector<std::string> named;
  visit_options(given, [&](const OptionInfo& info, auto&) {
    if (verb.get_option(fmt::format("--{}", info.name))->count() > 0)
      named.emplace_back(info.name);
  });
  overwrite_options(merged, given, named);
  return merged;
}

void run_train(const CLI::App& verb, const TrainCall& call) {
  TrainDisplay display;
  TrainSummary summary;
  std::string run = call.out;
  if (!call.resumed.empty()) {
    run = call.resumed;
    std::optional<std::int64_t> epochs;
    if (verb.get_option("--epochs")->count() > 0) epochs = call.options.epochs;
    summary = resume(run, epochs, &display);
  } else {
    const TrainOptions options = merged_options(verb, call);
    if (options.data.empty()) fail_request("name the facts with --data DIR");
    if (run.empty()) fail_request("name a directory for the run with --out RUN");
    summary = train(options, run, &display);
  }
  if (call.json)
    fmt::print("{}\n", to_json(summary, run).dump(2));
  else
    print_summary(summary, run);
}

}  // namespace

void add_train(CLI::App& app) {
  auto* verb = app.add_subcommand("train", "Train a model on a data set");
  const auto call = std::make_shared<TrainCall>();
  add_train_options(*verb, call->options);
  verb->add_option("--out", call->out, "directory of the run; must not hold one yet");
  verb->add_option("--config", call->config, "a config.toml; options on the command line win");
  verb->add_option("--resume", call->resumed,
                   "continue the run in this directory (only --epochs may be given with it)");
  verb->add_flag("--json", call->json, "Print the summary as JSON");
  verb->callback([verb, call] { run_train(*verb, *call); });
}

}  // namespace orrery
