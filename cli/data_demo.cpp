// orrery data demo DIR
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "demo/events.h"
#include "demo/world.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

using Paths = std::vector<std::filesystem::path>;

struct DemoCall {
  std::string directory, like;
  double scale = 1;
  std::uint64_t seed = 1;
  bool json = false;
};

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
  to_stdout("{}\n", report.dump(2));
}

void print_table(const DemoWorld& world, const std::string& directory, const Paths& files) {
  for (const auto& file : files) to_stdout("{}\n", file.string());
  to_stdout("\n{} facts to train on, {} to validate, {} to test\n\n", grouped(world.train.size()),
            grouped(world.valid.size()), grouped(world.test.size()));
  TextTable table({"pattern", "test facts", "reachable MRR"});
  const auto add = [&](std::string_view name, const Reachable& of) {
    table.add({std::string(name), grouped(of.facts), percent(of.mrr)});
  };
  for (const Pattern pattern : all_patterns)
    add(name_of(pattern), reachable_mrr(world.test, pattern));
  add("all", reachable_mrr(world.test));
  to_stdout("{}\nNext: {}\n", table.text(), next_command(directory));
}

void write_small_world(const DemoCall& call) {
  const DemoWorld world = make_demo_world(call.seed);
  const Paths files = write_demo_world(world, call.directory);
  (call.json ? print_json : print_table)(world, call.directory, files);
}

// A world of events is about size, not scores: what it holds is all there is to say.
void write_large_world(const DemoCall& call) {
  const EventShape shape = event_shape_like(call.like, call.scale);
  const Paths files = write_event_world(make_event_world(shape, call.seed), call.directory);
  const std::string next =
      fmt::format("orrery train --data '{0}' --dim 128 --epochs 5 --out '{0}/run'", call.directory);
  if (!call.json) {
    for (const auto& file : files) to_stdout("{}\n", file.string());
    to_stdout(
        "\n{} facts to train on, {} to validate, {} to test; {} entities, {} relations, {} days\n"
        "\nNext: {}\n",
        grouped(shape.facts[0]), grouped(shape.facts[1]), grouped(shape.facts[2]),
        grouped(static_cast<std::uint64_t>(shape.entities)), shape.relations, shape.days, next);
    return;
  }
  nlohmann::ordered_json report = {{"directory", call.directory},
                                   {"like", shape.like},
                                   {"scale", call.scale},
                                   {"seed", call.seed},
                                   {"train", shape.facts[0]},
                                   {"valid", shape.facts[1]},
                                   {"test", shape.facts[2]},
                                   {"entities", shape.entities},
                                   {"relations", shape.relations},
                                   {"days", shape.days},
                                   {"next", next}};
  for (const auto& file : files) report["files"].push_back(file.string());
  to_stdout("{}\n", report.dump(2));
}

}  // namespace

void add_data_demo(CLI::App& data) {
  auto* verb =
      data.add_subcommand("demo", "Write a small world whose rules, and best scores, are known");
  const auto call = std::make_shared<DemoCall>();
  verb->add_option("DIR", call->directory, "The directory to write")->required();
  verb->add_option("--seed", call->seed, "Another seed, another world [1]")
      ->check(whole_number<std::uint64_t>());
  verb->add_option("--like", call->like,
                   "Instead, as many facts, names and days as gdelt, icews14 or "
                   "icews05-15");
  verb->add_option("--scale", call->scale, "of --like: this share of the facts [1]");
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback(
      [call] { call->like.empty() ? write_small_world(*call) : write_large_world(*call); });
}

}  // namespace orrery
