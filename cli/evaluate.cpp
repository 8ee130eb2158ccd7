// orrery evaluate
#include "orrery/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/demo.h"
#include "orrery/report.h"
#include "output.h"
#include "page/text_table.h"
#include "progress_line.h"
#include "refuse.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr std::size_t rows_shown = 30;
constexpr const char* usual_device = "auto";
constexpr const char* by_pattern = "pattern";  // beside the library's breakdowns: demo data only

struct EvaluateCall {
  OptionChanges typed;
  std::string run, data, split = "test", by;
  bool json = false, all = false, verify = true, calibration = false, when = false,
       without_history = false;
};

// A report in both forms, of which one is printed.
struct Part {
  std::string json, text;
};

Part part_by(const EvaluateCall& call, const Evaluation& evaluation) {
  if (call.by == by_pattern) {
    const auto patterns = scores_by_pattern(evaluation);
    return {patterns_json(patterns), patterns_table(patterns)};
  }
  const By by = by_named(call.by);
  const auto rows = evaluation.by(by);
  return {breakdown_json(rows, by), breakdown_table(rows, by, call.all ? 0 : rows_shown)};
}

std::vector<std::string> known_breakdowns() {
  std::vector<std::string> names;
  for (const By by : all_breakdowns) names.emplace_back(name_of(by));
  names.emplace_back(by_pattern);
  return names;
}

// Before anything is opened.
void check_by(const std::string& by) {
  const auto known = known_breakdowns();
  if (!by.empty() && std::ranges::find(known, by) == known.end())
    refuse("--by '{}' is unknown; there are {}", by, listed(known));
}

// Both were fitted to scores with history: without it they would be those of no model.
void check_without_history(const EvaluateCall& call) {
  if (!call.without_history || (!call.calibration && !call.when)) return;
  refuse(
      "--without-history leaves history out of ranks, and {} fitted to scores with it: leave "
      "--without-history out, or ask twice",
      !call.when          ? "--calibration was"
      : !call.calibration ? "--when was"
                          : "--calibration and --when were");
}

// Ranks, and what was asked for beside them.
struct Judged {
  Evaluation evaluation;
  std::optional<CalibrationReport> calibration = {};
  std::optional<WhenReport> when = {};
};

Judged evaluated(const EvaluateCall& call) {
  const Split split = split_named(call.split);
  const Model model = Model::open(call.run, machine_options(call.typed, usual_device), call.verify);
  const Dataset data = call.data.empty() ? model.training_data() : model.read_data(call.data);
  ProgressLine line;  // ends before the report is printed
  Judged judged{evaluate(model, data,
                         {.split = split,
                          .history = !call.without_history,
                          .progress = [&line](std::size_t done, auto total) {
                            line.show(
                                std::array{ProgressPart{fmt::format("{}", done), 0},
                                           ProgressPart{fmt::format(" of {} queries", total), 1}});
                          }})};
  if (call.calibration) judged.calibration = measure_calibration(model, data, split);
  if (call.when) judged.when = measure_when(model, data, split);
  return judged;
}

void run_evaluate(const EvaluateCall& call) {
  check_by(call.by);
  check_without_history(call);
  const Judged judged = evaluated(call);
  const Evaluation& evaluation = judged.evaluation;
  const Part part = call.by.empty() ? Part() : part_by(call, evaluation);
  if (!call.json) {
    to_stdout("{}{}{}{}", evaluation_table(evaluation),
              call.without_history ? "\nwithout what history adds\n" : "",
              call.by.empty() ? "" : "\n", part.text);
    if (judged.calibration) to_stdout("\n{}", calibration_text(*judged.calibration));
    if (judged.when) to_stdout("\n{}", when_text(*judged.when));
    for (const std::string& warning : evaluation.warnings) to_stdout("\nwarning: {}\n", warning);
    return;
  }
  auto json = nlohmann::ordered_json::parse(evaluation_json(evaluation));
  if (call.without_history) json["history"] = false;
  if (!evaluation.warnings.empty()) json["warnings"] = evaluation.warnings;
  if (!call.by.empty()) json["by"] = nlohmann::ordered_json::parse(part.json);
  if (judged.calibration)
    json["calibration"] = nlohmann::ordered_json::parse(calibration_json(*judged.calibration));
  if (judged.when) json["when"] = nlohmann::ordered_json::parse(when_json(*judged.when));
  print_json(json);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto* verb = app.add_subcommand("evaluate", "Evaluate a trained model by filtered ranks");
  const auto call = std::make_shared<EvaluateCall>();
  verb->add_option("run", call->run, "run directory, a model.safetensors, or a mixture")
      ->type_name("PATH")
      ->required();
  verb->add_option("--data", call->data, "a data set other than the run's")->type_name("PATH");
  verb->add_option("--split", call->split, "split to evaluate")
      ->type_name("train|valid|test")
      ->capture_default_str();
  verb->add_option("--by", call->by, "break the scores down; pattern: demo data only")
      ->type_name(fmt::format("{}", fmt::join(known_breakdowns(), "|")));
  verb->add_flag("--calibration", call->calibration,
                 "how far probabilities are from the shares that are true, before and after "
                 "calibration");
  verb->add_flag("--when", call->when,
                 "ask for the times of 1,000 facts, too: ranks of the true ones among all times");
  verb->add_flag("--without-history", call->without_history,
                 "leave out what the history of a pair adds to scores; of ranks alone, so not with "
                 "--calibration or --when");
  verb->add_flag("--all", call->all, "show every row of the breakdown");
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_machine_options(*verb, call->typed, usual_device);
  end_help(*verb, "",
           {"orrery evaluate runs/a", "orrery evaluate runs/a --split valid --by relation",
            "orrery evaluate runs/a --calibration --when"});
  verb->callback([call] { run_evaluate(*call); });
}

}  // namespace orrery
