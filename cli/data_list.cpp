// orrery data list
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "data/catalogue.h"
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
  fmt::print("{}\n", list.dump(2));
}

void print_table() {
  constexpr const char* row = "{:<12} {:>8} {:>7} {:>7} {:>9} {:>10}  {}\n";
  fmt::print(fmt::runtime(row), "set", "train", "valid", "test", "entities", "relations", "times");
  for (const Benchmark& set : benchmarks()) {
    fmt::print(fmt::runtime(row), set.name, set.splits.at(0).facts, set.splits.at(1).facts,
               set.splits.at(2).facts, set.entities, set.relations, set.times);
  }
  fmt::print("\n");
  for (const Benchmark& set : benchmarks()) fmt::print("{}: {}\n", set.name, set.licence);
}

}  // namespace

void add_data_list(CLI::App& data) {
  CLI::App* verb = data.add_subcommand("list", "List the benchmark sets that can be fetched");
  CLI::Option* json = verb->add_flag("--json")->description("Print JSON");
  verb->callback([json] { *json ? print_json() : print_table(); });
}

}  // namespace orrery
