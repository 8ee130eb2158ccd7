// orrery evaluate
#include "orrery/evaluate.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "api/judged_run.h"
#include "base/error.h"
#include "judge/breakdown.h"
#include "judge/pattern_report.h"
#include "option_adder.h"
#include "output.h"
#include "progress_line.h"
#include "report/evaluation.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr std::size_t rows_shown = 30;

struct EvaluateCall {
  std::string run, by;
  EvaluateOptions options;
  bool json = false, all = false;
};

// A report in both forms, of which one is printed.
struct Part {
  nlohmann::ordered_json json;
  std::string text;
};

Part part_by(const EvaluateCall& call, const JudgedRun& run) {
  if (call.by == "pattern") {
    const auto scores = score_patterns(read_demo_labels(run.data_path), run.judgement);
    return {patterns_json(scores), pattern_table(scores)};
  }
  const auto by = *breakdown_named(call.by);
  const auto rows = breakdown(run.data, run.judgement, by);
  return {breakdown_json(rows, by), breakdown_table(rows, by, call.all ? 0 : rows_shown)};
}

void run_evaluate(const EvaluateCall& call) {
  if (!call.by.empty() && call.by != "pattern" && !breakdown_named(call.by))
    fail_request("--by '{}' is unknown; there are relation, entity, time and pattern", call.by);
  const JudgedRun run = [&] {
    ProgressLine line;  // ends before the report is printed
    JudgeOptions judging;
    judging.progress = [&line](std::size_t done, std::size_t total) {
      line.show(std::array{ProgressPart{fmt::format("{}", done), 0},
                           ProgressPart{fmt::format(" of {} queries", total), 1}});
    };
    return judge_run(call.run, call.options, judging);
  }();
  Part whole{judgement_json(run.judgement), judgement_table(run.judgement)};
  if (!call.by.empty()) {
    const Part part = part_by(call, run);
    whole.json["by"] = part.json;
    whole.text += "\n" + part.text;
  }
  to_stdout("{}", call.json ? whole.json.dump(2) + "\n" : whole.text);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto* verb = app.add_subcommand("evaluate", "Judge a trained model by filtered ranks");
  const auto call = std::make_shared<EvaluateCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")->required();
  verb->add_option("--data", call->options.data, "other facts than those of the run");
  verb->add_option("--split", call->options.split, "train, valid or test")->capture_default_str();
  verb->add_option("--by", call->by,
                   "break down by relation, entity or time; or by the demo data's pattern");
  verb->add_flag("--all", call->all, "show every row of the breakdown");
  add_run_option(*verb, "device", call->options.device);
  add_run_option(*verb, "threads", call->options.threads);
  add_run_option(*verb, "memory", call->options.memory);
  add_no_verify(*verb, call->options.verify);
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback([call] { run_evaluate(*call); });
}

}  // namespace orrery
