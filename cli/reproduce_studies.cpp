// The studies of `orrery reproduce`, as they are asked for and told.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "json_output.h"
#include "output.h"
#include "refuse.h"
#include "reproduce_call.h"
#include "stop_signals.h"
#include "train_display.h"
#include "verbs.h"
#include "words.h"

namespace orrery {
namespace {

// An option that other studies take, and this one does not.
bool is_of_others(const CLI::Option& option, const std::string& study) {
  bool of_others = false;
  for (const StudyInfo& info : studies()) {
    if (std::ranges::count(info.own_options, option.get_single_name()) == 0) continue;
    if (info.name == study) return false;
    of_others = true;
  }
  return of_others;
}

// The options as they were given, in the order of the help; less those that `all` hands to others.
std::string command_line(const CLI::App& verb, const std::string& study) {
  std::string words = "orrery reproduce " + study;
  for (const auto* option : verb.get_options()) {
    if (option->count() == 0 || !option->nonpositional()) continue;
    if (is_of_others(*option, study)) continue;
    words += " " + option->get_name();
    const bool takes_value = option->get_items_expected_max() > 0;
    if (takes_value)
      words += " " + shell_quoted(fmt::format("{}", fmt::join(option->results(), ",")));
  }
  return words;
}

// The saved report; interrupted before there is one, where the study stands.
void print_study_json(const std::string& study, const Reproduction& result) {
  if (result.files.empty()) {
    const nlohmann::ordered_json json = {{"study", study},
                                         {"complete", result.complete},
                                         {"runs_done", result.runs_done},
                                         {"runs", result.runs}};
    print_json(json, 1);
    return;
  }
  print_file(result.files.front());
}

void print_result(const Reproduction& result) {
  if (!result.text.empty()) to_stdout("{}\n", result.text);
  if (result.runs_failed > 0)
    to_stdout("{} of {} runs failed; to try one again remove its failed.txt\n", result.runs_failed,
              result.runs);
  if (!result.complete)
    to_stdout("interrupted with {} of {} runs done; run the same command to continue\n",
              result.runs_done, result.runs);
  for (const auto& file : result.files) to_stdout("saved {}\n", file.string());
}

void settle_request(const CLI::App& verb, ReproduceCall& call) {
  for (const auto* option : {"--format", "--root"})
    if (verb.count(option) > 0) refuse("{} is for `show` and `tables`", option);
  if (!call.files.empty()) refuse("'{}' is not understood", call.files.front());
  for (std::string& set : call.options.sets) std::erase(set, ' ');
  for (const auto& [name, text] : call.typed) call.options.changes[name] = text;
}

Reproduction measure(const CLI::App& verb, ReproduceOptions options, const std::string& out) {
  options.command = command_line(verb, options.study);
  TrainDisplay display;  // ends its line before the report is printed
  return reproduce(options, out, &display);
}

bool came_to_nothing(const Reproduction& result) {
  return result.runs_failed > 0 && result.runs_done == 0;
}

}  // namespace

void print_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  to_stdout("{}", std::string(std::istreambuf_iterator<char>(file), {}));
}

void run_study(const CLI::App& verb, ReproduceCall call) {
  settle_request(verb, call);
  call.options.study = call.what;
  const Reproduction result = measure(verb, call.options, call.out);
  if (call.json)
    print_study_json(call.what, result);
  else
    print_result(result);
  if (!result.complete) throw EndWith{stopped()};
  if (came_to_nothing(result)) throw EndWith{exit_codes::nothing_came_of_it};
}

// What the first study refuses is wrong for all. A later one may refuse what it varies itself: that
// is told, and the others go on.
void run_all(const CLI::App& verb, ReproduceCall call) {
  settle_request(verb, call);
  if (!call.options.run.empty())
    refuse("--run is for the studies of one model: name geometry or patterns, not all");
  bool begun = false, fruitless = false;
  std::string left_out;
  auto json = nlohmann::ordered_json::object();
  for (const StudyInfo& study : studies()) {
    to_stderr("{}: {}\n", study.name, study.sentence);
    Reproduction result;
    try {
      result = measure(verb, asked_of(study, call.options), call.out);
    } catch (const Error& error) {
      if (!begun || error.kind() != Error::Kind::request) throw;
      json[study.name] = {{"left_out", error.what()}};
      left_out += fmt::format("{} was left out: {}\n", study.name, error.what());
      continue;
    }
    begun = true;
    fruitless = fruitless || came_to_nothing(result);
    result.text.clear();
    std::vector<std::string> files;
    for (const auto& file : result.files) files.push_back(file.string());
    json[study.name] = {{"complete", result.complete},
                        {"runs_done", result.runs_done},
                        {"runs_failed", result.runs_failed},
                        {"runs", result.runs},
                        {"files", files}};
    if (!call.json) print_result(result);
    if (result.complete) continue;
    if (call.json) print_json(json, 1);
    throw EndWith{stopped()};
  }
  if (call.json)
    print_json(json, 1);
  else
    to_stdout("{}", left_out);
  if (fruitless || !left_out.empty()) throw EndWith{exit_codes::nothing_came_of_it};
}

}  // namespace orrery
