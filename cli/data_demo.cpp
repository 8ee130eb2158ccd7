// orrery data demo DIR
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/demo.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

struct DemoCall {
  std::string directory, like;
  double scale = 1;
  std::uint64_t seed = 1;
  bool json = false;
};

// In the directory, so that a person finds it beside its facts.
std::string training_of(const std::string& directory, std::string_view settings = {}) {
  return fmt::format("orrery train --data {}{} --out {}", shell_quoted(directory), settings,
                     shell_quoted(directory + "/run"));
}

void print_world_json(const DemoFiles& world, const DemoCall& call) {
  const auto entry = [](const DemoPattern& of) {
    return nlohmann::json{{"test_facts", of.test_facts}, {"reachable_mrr", of.reachable_mrr}};
  };
  nlohmann::json report = {{"directory", call.directory},
                           {"seed", call.seed},
                           {"train", world.train},
                           {"valid", world.valid},
                           {"test", world.test},
                           {"overall", entry(world.overall)},
                           {"next", training_of(call.directory)}};
  for (const DemoPattern& pattern : world.patterns)
    report["patterns"][pattern.name] = entry(pattern);
  for (const auto& file : world.files) report["files"].push_back(file.string());
  print_json(report);
}

void print_world(const DemoFiles& world, const DemoCall& call) {
  for (const auto& file : world.files) to_stdout("{}\n", file.string());
  to_stdout("\n{} facts to train on, {} to validate, {} to test\n\n", grouped(world.train),
            grouped(world.valid), grouped(world.test));
  TextTable table({"pattern", "test facts", "reachable MRR"});
  const auto add = [&](const DemoPattern& of) {
    table.add({of.name, grouped(of.test_facts), percent(of.reachable_mrr)});
  };
  for (const DemoPattern& pattern : world.patterns) add(pattern);
  add(world.overall);
  to_stdout("{}\nNext: {}\n", table.text(), training_of(call.directory));
}

void write_small_world(const DemoCall& call) {
  const DemoFiles world = write_demo(call.directory, call.seed);
  (call.json ? print_world_json : print_world)(world, call);
}

// Questions against a million entities take hours: neither steps nor validations ask them.
std::string_view settings_for(const LargeDemo& world) {
  return world.entities < 50'000
             ? " --dim 128 --epochs 5"
             : " --dim 32 --epochs 5 --batch 5000 --negatives 2000 --eval-every 0 --history none";
}

// A large world is about size, not scores: what it holds is all there is to say.
void write_large_world(const DemoCall& call) {
  const LargeDemo world = write_large_demo(call.directory, call.like, call.scale, call.seed);
  const std::string next = training_of(call.directory, settings_for(world));
  if (!call.json) {
    for (const auto& file : world.files) to_stdout("{}\n", file.string());
    to_stdout(
        "\n{} facts to train on, {} to validate, {} to test; {} entities, {} relations, {} {}\n"
        "\nNext: {}\n",
        grouped(world.train), grouped(world.valid), grouped(world.test), grouped(world.entities),
        world.relations, grouped(world.times), world.times_are, next);
    return;
  }
  nlohmann::ordered_json report = {{"directory", call.directory},
                                   {"like", world.like},
                                   {"scale", call.scale},
                                   {"seed", call.seed},
                                   {"train", world.train},
                                   {"valid", world.valid},
                                   {"test", world.test},
                                   {"entities", world.entities},
                                   {"relations", world.relations},
                                   {world.times_are, world.times},
                                   {"next", next}};
  for (const auto& file : world.files) report["files"].push_back(file.string());
  print_json(report);
}

}  // namespace

void add_data_demo(CLI::App& data) {
  auto* verb = data.add_subcommand(
      "demo", "Write a small data set whose rules and best reachable scores are known");
  const auto call = std::make_shared<DemoCall>();
  verb->add_option("DIR", call->directory, "the directory to write")->type_name("PATH")->required();
  verb->add_option("--seed", call->seed, "random seed")
      ->capture_default_str()
      ->check(whole_number());
  auto* like =
      verb->add_option("--like", call->like, "instead, random facts, as many as this set has")
          ->type_name("gdelt|icews14|icews05-15|wikidata");
  verb->add_option("--scale", call->scale, "with --like: share of the facts to write")
      ->capture_default_str()
      ->needs(like);
  add_json(*verb, call->json);
  end_help(*verb, "",
           {"orrery data demo world", "orrery data demo large --like gdelt --scale 0.01",
            "orrery data demo huge --like wikidata"});
  verb->callback(
      [call] { call->like.empty() ? write_small_world(*call) : write_large_world(*call); });
}

}  // namespace orrery
