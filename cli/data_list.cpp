// orrery data list
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "fetch/catalogue.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

void print_json() {
  auto list = nlohmann::json::array();
  for (const Benchmark& set : benchmarks()) {
    list.push_back({{"name", set.name},
                    {"train", set.splits.at(0).facts},
                    {"valid", set.splits.at(1).facts},
                    {"test", set.splits.at(2).facts},
                    {"entities", set.entities},
                    {"relations", set.relations},
                    {"times", set.times},
                    {"licence", set.licence},
                    {"home", set.home}});
  }
  to_stdout("{}\n", list.dump(2));
}

void print_table() {
  TextTable table({"set", "train", "valid", "test", "entities", "relations", "times"});
  for (const Benchmark& set : benchmarks()) {
    std::vector<std::string> row = {set.name};
    for (const auto& split : set.splits) row.push_back(grouped(split.facts));
    row.insert(row.end(), {grouped(set.entities), grouped(set.relations), set.times});
    table.add(std::move(row));
  }
  to_stdout("{}", table.text());
  to_stdout("\n");
  for (const Benchmark& set : benchmarks()) to_stdout("{}: {}\n", set.name, set.licence);
}

}  // namespace

void add_data_list(CLI::App& data) {
  CLI::App* verb = data.add_subcommand("list", "List the benchmark sets that can be fetched");
  CLI::Option* json = verb->add_flag("--json")->description("Print JSON");
  verb->callback([json] { *json ? print_json() : print_table(); });
}

}  // namespace orrery
