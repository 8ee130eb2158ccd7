#include "report/comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/memory_budget.h"
#include "orrery/report.h"
#include "orrery/scores.h"
#include "orrery/version.h"
#include "page/scores_json.h"
#include "page/summary_json.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

TextTable table_of(const Comparison& comparison) {
  std::vector<std::string> head = {"model", "dim", "parameters"};
  for (const ScorePart& part : score_parts) head.emplace_back(part.title);
  head.insert(head.end(), {"s/epoch", "peak memory"});
  TextTable table(head);
  for (const CompareRow& row : comparison.rows) {
    const bool failed = row.runs.empty();
    std::vector<std::string> cells = {printable(row.model.name), grouped(row.model.options.dim),
                                      grouped(row.parameters)};
    for (const ScorePart& part : score_parts)
      cells.push_back(scores_cell(row.mean.*part.value, row.deviation.*part.value, row.runs.size(),
                                  comparison.seeds));
    if (failed) cells[3] = "failed";
    cells.push_back(failed ? "—" : fmt::format("{:.3g}", row.seconds_per_epoch));
    cells.push_back(row.peak_memory > 0 ? format_memory(row.peak_memory) : failed ? "—" : "?");
    table.add(std::move(cells));
  }
  return table;
}

std::string caption_of(const Comparison& comparison) {
  std::string text = "Test split, percent, pessimistic ties; each run's best validated epoch";
  if (comparison.seeds > 1)
    text += fmt::format("; mean ± deviation of {}{} seeds",
                        comparison.runs_done < comparison.runs ? "up to " : "", comparison.seeds);
  if (!comparison.complete())
    text += fmt::format("; {} of {} runs are done", comparison.runs_done, comparison.runs);
  return text;
}

// A line each, after an empty one.
std::string failures_of(const Comparison& comparison, const char* mark) {
  std::string text;
  for (const CompareRow& row : comparison.rows)
    for (const FailedRun& run : row.failed)
      text += fmt::format("{}{}{}, seed {}, failed: {}\n", text.empty() ? "\n" : "", mark,
                          printable(row.model.name), run.seed, printable(run.reason));
  return text;
}

Json options_json(const TrainOptions& options) {
  Json json = Json::object();
  for (const OptionInfo& info : option_table())
    std::visit([&](const auto& value) { json[info.name] = value; },
               option_value(options, info.name));
  return json;
}

Json run_json(const ComparedRun& run) {
  Json json = {{"seed", run.seed}, {"run", run.run.filename().string()}};
  json.update(scores_to_json(run.test));
  json["best_epoch"] = run.training.best_epoch;
  if (run.training.best_valid) json["valid"] = scores_to_json(*run.training.best_valid);
  json.update(summary_to_json(run.training));
  json["seconds_per_epoch"] = run.seconds_per_epoch;
  if (!run.origin.version.empty()) json["version"] = run.origin.version;
  if (!run.origin.processor.empty()) {
    json["processor"] = run.origin.processor;
    json["cores"] = run.origin.cores;
  }
  return json;
}

}  // namespace

std::string scores_cell(double mean, double deviation, std::size_t runs, std::int64_t asked) {
  if (runs == 0) return "—";
  std::string cell = percent(mean);
  if (runs > 1) cell += fmt::format(" ± {}", percent(deviation));
  if (static_cast<std::int64_t>(runs) < asked) cell += fmt::format(" ({})", counted(runs, "seed"));
  return cell;
}

std::string comparison_table(const Comparison& comparison) {
  return fmt::format("{}\n\n{}{}", caption_of(comparison), table_of(comparison).text(),
                     failures_of(comparison, ""));
}

std::string comparison_markdown(const Comparison& comparison) {
  return fmt::format("{}. Data: {}; Orrery {}.\n\n{}{}", caption_of(comparison),
                     comparison.data.empty() ? "in memory" : printable(comparison.data), version(),
                     table_of(comparison).markdown(), failures_of(comparison, "- "));
}

Json comparison_data(const Comparison& comparison) {
  Json json = {{"version", std::string(version())},
               {"data", comparison.data},
               {"budget", comparison.budget > 0 ? Json(comparison.budget) : Json()},
               {"seeds", comparison.seeds},
               {"complete", comparison.complete()},
               {"runs_failed", comparison.runs_failed},
               {"models", Json::array()}};
  for (const CompareRow& row : comparison.rows) {
    Json model = {{"name", row.model.name},
                  {"model", row.model.options.model},
                  {"dim", row.model.options.dim},
                  {"parameters", row.parameters},
                  {"mean", row.runs.empty() ? Json() : scores_to_json(row.mean)},
                  {"deviation", row.runs.empty() ? Json() : scores_to_json(row.deviation)},
                  {"seconds_per_epoch", row.seconds_per_epoch},
                  {"peak_memory", row.peak_memory},
                  {"options", options_json(row.model.options)},
                  {"runs", Json::array()},
                  {"failed", Json::array()}};
    for (const ComparedRun& run : row.runs) model["runs"].push_back(run_json(run));
    for (const FailedRun& run : row.failed)
      model["failed"].push_back(
          {{"seed", run.seed}, {"run", run.run.filename().string()}, {"reason", run.reason}});
    json["models"].push_back(std::move(model));
  }
  return json;
}

std::string comparison_json(const Comparison& comparison) {
  // A path may be in any encoding.
  return comparison_data(comparison).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_comparison(const Comparison& comparison, const std::filesystem::path& out) {
  write_file_atomically(out / "compare.json", comparison_json(comparison));
  write_file_atomically(out / "compare.md", comparison_markdown(comparison));
}

}  // namespace orrery
