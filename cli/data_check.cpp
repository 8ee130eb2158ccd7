// orrery data check
#include "orrery/data_check.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "fetch_display.h"
#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/dataset.h"
#include "orrery/report.h"
#include "output.h"
#include "page_file.h"
#include "terminal.h"
#include "verbs.h"
#include "whole_list.h"
#include "words.h"

namespace orrery {
namespace {

struct CheckCall {
  OptionChanges typed;
  std::string source, html;
  bool json = false;
};

// The training that reads the facts as they were read here.
std::string next_command(const CheckCall& call) {
  std::string command = "orrery train --data " + shell_quoted(call.source);
  for (const auto& [name, value] : call.typed)
    command += value == "true" ? fmt::format(" --{}", name)
                               : fmt::format(" --{} {}", name, shell_quoted(value));
  auto path = std::filesystem::path(call.source);
  if (!path.has_filename()) path = path.parent_path();
  while (path.has_extension()) path = path.stem();
  const std::string name = path.filename().string();
  const bool usable = !name.empty() && name != "." && name != "..";
  return command + " --out " + shell_quoted("runs/" + (usable ? name : "facts"));
}

void run_check(const CheckCall& call) {
  TrainOptions options;
  set_options(options, call.typed);
  check_options(options);
  DataOptions how = data_options(options);
  take_whole_list(call.source, how);
  const Dataset data = open_data(call.source, how);
  const DataCheck check = data.check();
  const std::string next = next_command(call);
  if (!call.html.empty()) write_html_page(call.html, data_check_html(data, check, next));
  if (call.json) {
    to_stdout("{}\n", data_check_json(data, check, next));
    return;
  }
  const TerminalForm terminal = stdout_form();
  write_to_stdout(data_check_text(data, check,
                                  {.columns = terminal.columns,
                                   .blocks = terminal.draws_blocks,
                                   .wraps = terminal.is_terminal,
                                   .next = next}));
}

}  // namespace

void add_data_check(CLI::App& data) {
  auto* verb = data.add_subcommand(
      "check", "What is in a data set: counts, examples, relations, leaks, what looks wrong");
  const auto call = std::make_shared<CheckCall>();
  verb->add_option("DATA", call->source,
                   "one file, a directory with train/valid/test, or a benchmark set's name")
      ->type_name("PATH")
      ->required();
  verb->add_option("--html", call->html, "also write the page as HTML, with plots")
      ->type_name("FILE");
  add_json(*verb, call->json);
  add_options(*verb, call->typed,
              {.about = {OptionAbout::data}, .names = {"seed"}, .left_out = {"data"}});
  end_help(*verb, "", {"orrery data check facts.csv", "orrery data check world --html world.html"});
  verb->callback([call] { run_check(*call); });
}

}  // namespace orrery
