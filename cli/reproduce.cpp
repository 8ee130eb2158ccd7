// orrery reproduce
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "output.h"
#include "refuse.h"
#include "reproduce_call.h"
#include "verbs.h"

namespace orrery {
namespace {

const std::vector<std::string> changeable = {"epochs",   "dim",    "batch",     "eval-every",
                                             "patience", "device", "precision", "threads",
                                             "memory",   "seed"};

PageFormat format_named(const std::string& name) {
  if (name == "md") return PageFormat::markdown;
  if (name == "html") return PageFormat::html;
  if (name == "text") return PageFormat::text;
  refuse("--format is '{}', but must be md, html or text", name);
}

const std::vector<std::string_view> of_show = {"--format", "--json"},
                                    of_tables = {"--root", "--json"};

// An option without effect is a mistake.
void refuse_all_but(const std::vector<std::string_view>& taken, const CLI::App& verb,
                    const std::string& what) {
  for (const auto* option : verb.get_options())
    if (option->count() > 0 && option->nonpositional() &&
        std::ranges::find(taken, option->get_name()) == taken.end())
      refuse("reproduce {} takes no {}, only {}", what, option->get_name(),
             fmt::join(taken, " and "));
}

void show(const CLI::App& verb, const ReproduceCall& call) {
  refuse_all_but(of_show, verb, "show");
  if (call.files.size() != 1) refuse("name one saved report, such as out/results.json");
  const std::string page = show_report(call.files.front(), format_named(call.format));
  if (call.json)
    print_file(call.files.front());
  else
    to_stdout("{}", page);
}

void rewrite(const CLI::App& verb, const ReproduceCall& call) {
  refuse_all_but(of_tables, verb, "tables");
  if (call.files.empty()) refuse("name the Markdown files whose tables are to be written");
  nlohmann::ordered_json written = nlohmann::ordered_json::object();
  for (const std::string& file : call.files) {
    written[file] = rewrite_tables(file, call.root);
    if (!call.json) to_stdout("{}: {}\n", file, written[file] ? "written anew" : "as it should be");
  }
  if (call.json) print_json(written, 1);
}

std::string names_of_studies() {
  std::vector<std::string> names;
  for (const StudyInfo& study : studies()) names.push_back(study.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string list_of_studies() {
  std::string list = "Studies:\n";
  for (const StudyInfo& study : studies())
    list += fmt::format("  {:<13}{}\n", study.name, study.sentence);
  return list + fmt::format("  {:<13}{}\n", "all", "all of them, one after the other");
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto* verb = app.add_subcommand("reproduce", "Reproduce the paper's tables and figures");
  const auto call = std::make_shared<ReproduceCall>();
  verb->add_option("what", call->what, "a study, or all, or show FILE.json, or tables FILE.md …")
      ->type_name("STUDY");
  verb->add_option("files", call->files, "of show and tables")->type_name("PATH");
  auto& options = call->options;
  verb->add_option(
          "--data", options.data,
          "a folder with one folder per set (icews14, yago11k, …), or the folder of one set")
      ->type_name("PATH");
  verb->add_option("--sets", options.sets,
                   "only these of the study's sets, such as icews14,yago11k; else all that are "
                   "there")
      ->type_name("SET,SET…")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--out", call->out, "directory of the runs and of STUDY.json, .md and .html")
      ->type_name("PATH");
  verb->add_option("--seeds", options.seeds, "runs of each setting")->capture_default_str();
  verb->add_option("--configs", options.configs, "an edited copy of configs/paper")
      ->type_name("PATH");
  verb->add_option("--run", options.run, "geometry, patterns: a trained run; else one is trained")
      ->type_name("PATH");
  verb->add_option("--relation", options.relation, "geometry: the relation to look at")
      ->type_name("NAME");
  verb->add_option("--time", options.time, "geometry: the time to look at")->type_name("DATE");
  verb->add_option("--peer", options.peer,
                   "efficiency: lines of gpu_step_bench --json and of bench/torch_step.py")
      ->type_name("PATH");
  verb->add_option("--format", call->format, "how `show` prints")
      ->type_name("md|html|text")
      ->capture_default_str();
  verb->add_option("--root", call->root, "tables: the folder that holds results/")
      ->type_name("PATH")
      ->capture_default_str();
  add_json(*verb, call->json);
  add_options(*verb, call->typed, {.names = changeable, .defaults_shown = false});
  end_help(
      *verb,
      list_of_studies() +
          "\nThe model, training and machine options above replace the paper's values in all runs, "
          "and the report "
          "says so.\nCtrl-C saves; run the same command to continue. Studies share their runs in "
          "one --out.\n`show` prints a saved report; `tables` updates the marked tables of "
          "Markdown files.",
      {"orrery reproduce results --data data --out runs/paper",
       "orrery reproduce show runs/paper/results.json --format text"});
  verb->callback([verb, call] {
    if (call->what.empty())
      refuse(
          "name a study ({}), or all, or show FILE.json, or tables FILE.md; `orrery reproduce "
          "--help` says what each is",
          names_of_studies());
    if (call->what == "show")
      show(*verb, *call);
    else if (call->what == "tables")
      rewrite(*verb, *call);
    else if (call->what == "all")
      run_all(*verb, *call);
    else
      run_study(*verb, *call);
  });
}

}  // namespace orrery
