// orrery data convert IN OUT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fetch_display.h"
#include "help_format.h"
#include "option_adder.h"
#include "orrery/dataset.h"
#include "output.h"
#include "page/text_table.h"
#include "refuse.h"
#include "verbs.h"
#include "whole_list.h"

namespace orrery {
namespace {

struct ConvertCall {
  OptionChanges typed;
  std::string in, out;
  bool json = false;
};

void print_report(const Dataset& data, const std::vector<std::filesystem::path>& files) {
  nlohmann::ordered_json report = {{"fingerprint", data.fingerprint()},
                                   {"bad_lines", data.bad_lines()}};
  for (const Split part : all_splits)
    report["facts"][std::string(name_of(part))] = data.facts(part).size();
  for (const auto& file : files) report["files"].push_back(file.string());
  to_stdout("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void run_convert(const ConvertCall& call) {
  TrainOptions options;
  set_options(options, call.typed);
  check_options(options);
  DataOptions how = data_options(options);
  const bool whole_file = take_whole_list(call.in, how);
  if (call.out == "-" && call.json) refuse("--json and the facts cannot both go to stdout");
  const Dataset data = open_data(call.in, how);
  if (data.bad_lines() > 0) to_stderr("{} left out\n", counted(data.bad_lines(), "bad line"));
  if (call.out == "-") {
    write_to_stdout(data.plain_text());
    return;
  }
  const std::vector<std::filesystem::path> files =
      whole_file ? std::vector{data.convert_to_file(call.out)} : data.convert(call.out);
  if (call.json) {
    print_report(data, files);
    return;
  }
  std::uint64_t facts = 0;
  for (const Split part : all_splits) facts += data.facts(part).size();
  for (const auto& file : files) to_stdout("{}\n", file.string());
  to_stdout("{}, fingerprint {}\n", counted(facts, "fact"), data.fingerprint());
}

}  // namespace

void add_data_convert(CLI::App& data) {
  auto* verb =
      data.add_subcommand("convert", "Write facts of any form as plain TSV or CSV with a header");
  const auto call = std::make_shared<ConvertCall>();
  verb->add_option("IN", call->in, "a file, a directory with splits, or a benchmark set's name")
      ->type_name("PATH")
      ->required();
  verb->add_option("OUT", call->out,
                   "a file that ends in .csv, .tsv or .txt, compressed by .gz or .zst, or - for "
                   "stdout; a directory where IN is one")
      ->type_name("PATH")
      ->required();
  add_json(*verb, call->json);
  add_options(*verb, call->typed,
              {.names = {"format", "columns", "dates", "granularity", "coarse-dates", "undated",
                         "as-of", "skip-bad"}});
  end_help(*verb, "What is there with other content is never overwritten.",
           {"orrery data convert facts.csv facts.tsv", "orrery data convert world world-plain"});
  verb->callback([call] { run_convert(*call); });
}

}  // namespace orrery
