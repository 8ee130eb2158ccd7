// orrery data demo DIR
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/demo_world.h"
#include "option_adder.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

using Paths = std::vector<std::filesystem::path>;

// The settings with which BSCA learns every pattern of this world in seconds.
std::string next_command(const std::string& directory) {
  return fmt::format(
      "orrery train --data '{0}' --model bsca --dim 128 --epochs 30 --batch 1000 "
      "--lambda-n3 0.01 --lambda-time 0.1 --out '{0}/run'",
      directory);
}

void print_json(const DemoWorld& world, const std::string& directory, const Paths& files) {
  const auto entry = [](const Reachable& of) {
    return nlohmann::json{{"test_facts", of.facts}, {"reachable_mrr", of.mrr}};
  };
  nlohmann::json report = {
      {"directory", directory},         {"seed", world.seed},
      {"train", world.train.size()},    {"valid", world.valid.size()},
      {"test", world.test.size()},      {"overall", entry(reachable_mrr(world.test))},
      {"next", next_command(directory)}};
  for (const Pattern pattern : all_patterns)
    report["patterns"][std::string(name_of(pattern))] = entry(reachable_mrr(world.test, pattern));
  for (const auto& file : files) report["files"].push_back(file.string());
  fmt::print("{}\n", report.dump(2));
}

void print_table(const DemoWorld& world, const std::string& directory, const Paths& files) {
  for (const auto& file : files) fmt::print("{}\n", file.string());
  fmt::print("\n{} facts to train on, {} to validate, {} to test\n\n", grouped(world.train.size()),
             grouped(world.valid.size()), grouped(world.test.size()));
  TextTable table({"pattern", "test facts", "reachable MRR"});
  const auto add = [&](std::string_view name, const Reachable& of) {
    table.add({std::string(name), grouped(of.facts), percent(of.mrr)});
  };
  for (const Pattern pattern : all_patterns)
    add(name_of(pattern), reachable_mrr(world.test, pattern));
  add("all", reachable_mrr(world.test));
  fmt::print("{}\nNext: {}\n", table.text(), next_command(directory));
}

}  // namespace

void add_data_demo(CLI::App& data) {
  CLI::App* verb =
      data.add_subcommand("demo", "Write a small world whose rules, and best scores, are known");
  CLI::Option* to = verb->add_option("DIR", "The directory to write")->required();
  CLI::Option* seed = verb->add_option("--seed", "Another seed, another world [1]");
  seed->check(whole_number<std::uint64_t>());
  CLI::Option* json = verb->add_flag("--json")->description("Print JSON");
  verb->callback([=] {
    const auto directory = to->as<std::string>();
    const DemoWorld world = make_demo_world(*seed ? seed->as<std::uint64_t>() : 1);
    const Paths files = write_demo_world(world, directory);
    *json ? print_json(world, directory, files) : print_table(world, directory, files);
  });
}

}  // namespace orrery
