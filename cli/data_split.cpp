// orrery data split FILE
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/dataset.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

const TrainOptions usual_split{.reading = {.split = "80/10/10"}};
// The data is FILE, and its dates are written as they were read.
const std::vector<std::string> without_effect = {"data", "granularity", "min-facts"};

struct SplitCall {
  OptionChanges typed;
  std::string file, directory;
  bool json = false;
};

struct LeakKind {
  const char* name;
  std::uint64_t SplitCheck::*count;
  const char* sentence;
};
constexpr LeakKind leak_kinds[] = {
    {"at_shared_time", &SplitCheck::at_shared_time, "stand in train at a time that both share"},
    {"at_another_time", &SplitCheck::at_another_time, "stand in train at another time"},
    {"reversed_in_train", &SplitCheck::reversed_in_train, "stand reversed in train"},
    {"inverse_in_train", &SplitCheck::inverse_in_train,
     "stand in train as a symmetric or inverse relation states them"}};

nlohmann::ordered_json json_of_leaks(const SplitCheck& counts) {
  nlohmann::ordered_json json;
  for (const LeakKind& kind : leak_kinds) json[kind.name] = counts.*kind.count;
  return json;
}

void print_leaks(const DataCheck& check) {
  for (const Split split : {Split::valid, Split::test}) {
    const SplitCheck& counts = check.splits[static_cast<std::size_t>(split)];
    for (const LeakKind& kind : leak_kinds)
      if (counts.*kind.count > 0)
        to_stdout("{}: {} of {} facts {}\n", name_of(split), grouped(counts.*kind.count),
                  grouped(counts.facts), kind.sentence);
  }
}

void run_split(const SplitCall& call) {
  TrainOptions options = usual_split;
  set_options(options, call.typed);
  check_options(options);
  const Dataset data = Dataset::open(call.file, data_options(options));
  const auto files = data.write(call.directory);
  const DataCheck check = data.check();
  if (call.json) {
    nlohmann::ordered_json report = {{"directory", call.directory},
                                     {"fingerprint", data.fingerprint()},
                                     {"bad_lines", data.bad_lines()}};
    for (const Split part : all_splits)
      report["facts"][std::string(name_of(part))] = data.facts(part).size();
    for (const Split part : {Split::valid, Split::test})
      report["leaks"][std::string(name_of(part))] =
          json_of_leaks(check.splits[static_cast<std::size_t>(part)]);
    for (const auto& file : files) report["files"].push_back(file.string());
    print_json(report);
    return;
  }
  for (const Split part : all_splits)
    to_stdout("{}  {}\n", files[static_cast<std::size_t>(part)].string(),
              counted(data.facts(part).size(), "fact"));
  print_leaks(check);
  if (data.bad_lines() > 0)
    to_stdout("{} left out; see orrery data check {} --skip-bad\n",
              counted(data.bad_lines(), "bad line"), shell_quoted(call.file));
}

}  // namespace

void add_data_split(CLI::App& data) {
  auto* verb = data.add_subcommand("split", "Split one file of facts into train, valid and test");
  const auto call = std::make_shared<SplitCall>();
  verb->add_option("FILE", call->file, "the facts, as train takes them with --split")
      ->type_name("PATH")
      ->required();
  verb->add_option("--to", call->directory, "the directory to write")
      ->type_name("PATH")
      ->required();
  add_json(*verb, call->json);
  add_options(*verb, call->typed,
              {.about = {OptionAbout::data},
               .names = {"seed"},
               .left_out = without_effect,
               .defaults = usual_split});
  end_help(*verb, "",
           {"orrery data split facts.csv --to facts",
            "orrery data split facts.csv --to by-time --split 70/15/15 --split-by time",
            "orrery data split facts.csv --to last --split-by last"});
  verb->callback([call] { run_split(*call); });
}

}  // namespace orrery
