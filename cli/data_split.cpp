// orrery data split FILE
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "data/fingerprint.h"
#include "data/load.h"
#include "data/split_facts.h"
#include "learn/setup.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

struct SplitCall {
  TrainOptions options;
  std::string directory;
  bool json = false;
};

void split(const SplitCall& call) {
  LoadReport loaded;
  const TemporalGraph data = load_facts(call.options.data, load_options_of(call.options), &loaded);
  const auto files = write_splits(data, call.directory);
  if (call.json) {
    nlohmann::ordered_json report = {{"directory", call.directory},
                                     {"fingerprint", fingerprint(data)},
                                     {"bad_lines", loaded.bad_lines}};
    for (const Split part : all_splits)
      report["facts"][std::string(name_of(part))] = data.split(part).size();
    for (const auto& file : files) report["files"].push_back(file.string());
    to_stdout("{}\n", report.dump(2));
    return;
  }
  for (const Split part : all_splits)
    to_stdout("{}  {} facts\n", files[static_cast<std::size_t>(part)].string(),
              grouped(data.split(part).size()));
  if (loaded.bad_lines > 0)
    to_stdout("{} bad lines were left out; orrery data check {} --split {} --skip-bad names them\n",
              grouped(loaded.bad_lines), call.options.data, call.options.split);
}

}  // namespace

void add_data_split(CLI::App& data) {
  auto* verb = data.add_subcommand("split", "Cut one file of facts into train, valid and test");
  const auto call = std::make_shared<SplitCall>();
  call->options.split = "80/10/10";
  verb->add_option("FILE", call->options.data, "the facts, as train takes them with --split")
      ->required();
  verb->add_option("--to", call->directory, "The directory to write")->required();
  add_train_options(*verb, call->options, {"split", "skip-bad", "seed"});
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback([call] { split(*call); });
}

}  // namespace orrery
