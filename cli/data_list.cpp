// orrery data list
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/benchmarks.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

void print_sets_json() {
  auto list = nlohmann::json::array();
  for (const BenchmarkInfo& set : benchmarks()) {
    list.push_back({{"name", set.name},
                    {"train", set.train},
                    {"valid", set.valid},
                    {"test", set.test},
                    {"entities", set.entities},
                    {"relations", set.relations},
                    {"times", set.times},
                    {"licence", set.licence},
                    {"home", set.home}});
  }
  print_json(list);
}

void print_sets() {
  TextTable table({"set", "train", "valid", "test", "entities", "relations", "times"});
  for (const BenchmarkInfo& set : benchmarks())
    table.add({set.name, grouped(set.train), grouped(set.valid), grouped(set.test),
               grouped(set.entities), grouped(set.relations), set.times});
  to_stdout("{}\n", table.text());
  for (const BenchmarkInfo& set : benchmarks()) to_stdout("{}: {}\n", set.name, set.licence);
}

}  // namespace

void add_data_list(CLI::App& data) {
  CLI::App* verb = data.add_subcommand("list", "List the benchmark sets that can be fetched");
  const auto json = std::make_shared<bool>(false);
  add_json(*verb, *json);
  end_help(*verb, "", {"orrery data list"});
  verb->callback([json] { *json ? print_sets_json() : print_sets(); });
}

}  // namespace orrery
