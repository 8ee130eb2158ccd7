// orrery data get NAME
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fetch_display.h"
#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/benchmarks.h"
#include "output.h"
#include "verbs.h"

namespace orrery {
namespace {

struct GetCall {
  std::string name, from, to;
  bool json = false;
};

void print_fetched_json(const BenchmarkInfo& set, const std::string& directory,
                        const std::vector<FetchedFile>& files) {
  auto list = nlohmann::json::array();
  for (const FetchedFile& file : files) {
    list.push_back({{"name", file.name},
                    {"facts", file.facts},
                    {"bytes", file.bytes},
                    {"sha256", file.sha256},
                    {"was_there", file.was_there}});
  }
  const nlohmann::json report = {{"set", set.name},
                                 {"directory", directory},
                                 {"licence", set.licence},
                                 {"files", std::move(list)}};
  print_json(report);
}

void print_fetched(const std::string& directory, const std::vector<FetchedFile>& files) {
  for (const FetchedFile& file : files) {
    to_stdout("{}/{}  {} facts, {} bytes, sha256 {}{}\n", directory, file.name, file.facts,
              file.bytes, file.sha256, file.was_there ? " (was there)" : "");
  }
}

void run_get(const GetCall& call) {
  const BenchmarkInfo set = benchmark_named(call.name);
  const std::string directory = call.to.empty() ? set.name : call.to;
  to_stderr("{}: {}\n", set.name, set.licence);
  const auto files = [&] {
    FetchDisplay progress;  // ends its line before the report is printed
    return fetch_benchmark(set.name, directory, call.from, std::ref(progress));
  }();
  if (call.json)
    print_fetched_json(set, directory, files);
  else
    print_fetched(directory, files);
}

}  // namespace

void add_data_get(CLI::App& data) {
  CLI::App* verb =
      data.add_subcommand("get", "Fetch a benchmark set and check it against its SHA-256");
  const auto call = std::make_shared<GetCall>();
  verb->add_option("NAME", call->name, "the set, as `orrery data list` calls it")
      ->type_name("SET")
      ->required();
  verb->add_option("--from", call->from,
                   "a mirror (http://…, https://…) or a directory that holds the files")
      ->type_name("URL|PATH");
  verb->add_option("--to", call->to, "the directory to write; else NAME")->type_name("PATH");
  add_json(*verb, call->json);
  end_help(*verb,
           "Correct files that are already there are kept; an interrupted download continues.",
           {"orrery data get icews14 --to data/icews14"});
  verb->callback([call] { run_get(*call); });
}

}  // namespace orrery
