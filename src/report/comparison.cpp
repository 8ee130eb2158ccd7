#include "report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/memory_budget.h"
#include "orrery/report.h"
#include "orrery/scores.h"
#include "orrery/version.h"
#include "page/report.h"
#include "page/scores_json.h"
#include "page/summary_json.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Table table_of(const Comparison& comparison) {
  Table table{.caption = "", .columns = {"model", "dim", "parameters"}, .rows = {}};
  for (const ScorePart& part : score_parts) table.columns.emplace_back(part.title);
  const bool history = std::ranges::any_of(
      comparison.rows, [](const CompareRow& row) { return row.without_history.has_value(); });
  if (history) table.columns.emplace_back("MRR without history");
  table.columns.insert(table.columns.end(), {"s/epoch", "peak memory"});
  for (const CompareRow& row : comparison.rows) {
    const bool failed = row.runs.empty();
    std::vector<std::string> cells = {printable(row.model.name), grouped(row.model.options.dim),
                                      grouped(row.parameters)};
    for (const ScorePart& part : score_parts)
      cells.push_back(scores_cell(row.mean.*part.value, row.deviation.*part.value, row.runs.size(),
                                  comparison.seeds));
    if (failed) cells[3] = "failed";
    if (history)
      cells.push_back(row.without_history ? scores_cell(row.without_history->mean.mrr,
                                                        row.without_history->deviation.mrr,
                                                        row.runs.size(), comparison.seeds)
                                          : no_figure);
    cells.push_back(failed ? no_figure : fmt::format("{:.3g}", row.seconds_per_epoch));
    cells.push_back(row.peak_memory > 0 ? format_memory(row.peak_memory) : no_figure);
    table.rows.push_back(std::move(cells));
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

std::vector<std::string> failures_of(const Comparison& comparison) {
  std::vector<std::string> failures;
  for (const CompareRow& row : comparison.rows)
    for (const FailedRun& run : row.failed)
      failures.push_back(fmt::format("{}, seed {}, failed: {}", printable(row.model.name), run.seed,
                                     printable(run.reason)));
  return failures;
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
  if (run.without_history) json["without_history"] = scores_to_json(*run.without_history);
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
  if (runs == 0) return no_figure;
  std::string cell = percent(mean);
  if (runs > 1) cell += fmt::format(" ± {}", percent(deviation));
  if (static_cast<std::int64_t>(runs) < asked) cell += fmt::format(" ({})", counted(runs, "seed"));
  return cell;
}

std::string comparison_table(const Comparison& comparison) {
  const Table table = table_of(comparison);
  TextTable text(table.columns);
  for (const auto& row : table.rows) text.add(row);
  const auto failures = failures_of(comparison);
  return fmt::format("{}\n\n{}{}{}{}", caption_of(comparison), text.text(),
                     failures.empty() ? "" : "\n", fmt::join(failures, "\n"),
                     failures.empty() ? "" : "\n");
}

std::string comparison_markdown(const Comparison& comparison) {
  Report report;
  report.blocks.emplace_back(
      Paragraph{fmt::format("{}. Data: {}; Orrery {}.", caption_of(comparison),
                            comparison.data.empty() ? "in memory" : comparison.data, version())});
  report.blocks.emplace_back(table_of(comparison));
  for (const std::string& failure : failures_of(comparison))
    report.blocks.emplace_back(Paragraph{failure});
  return report_markdown(report);
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
    if (row.without_history)
      model["without_history"] = {{"mean", scores_to_json(row.without_history->mean)},
                                  {"deviation", scores_to_json(row.without_history->deviation)}};
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
