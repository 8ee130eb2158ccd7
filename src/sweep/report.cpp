#include "sweep/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "orrery/report.h"
#include "orrery/version.h"
#include "page/report.h"
#include "page/text_table.h"
#include "report/comparison.h"
#include "sweep/file.h"
#include "sweep/log.h"
#include "sweep/sensitivity.h"
#include "sweep/space.h"

namespace orrery {
namespace {

constexpr std::size_t most_shown = 20, most_failures = 10;

std::int64_t failures_of(const Sweep& sweep) {
  return std::ranges::count(sweep.trials, true, &Trial::failed);
}

// "20 of 37" where not all are shown.
std::string words_of_part(std::int64_t all, std::size_t most) {
  const auto shown = static_cast<std::int64_t>(most);
  return all > shown ? fmt::format("{} of {}", shown, all) : std::string();
}

// "The best trials", or "The best 20 of 37 trials".
std::string words_of_best(const Sweep& sweep) {
  const auto part = words_of_part(std::ssize(sweep.trials) - failures_of(sweep), most_shown);
  return fmt::format("The best {}trials: validation, percent, best first",
                     part.empty() ? "" : part + " ");
}

Table best_table(const Sweep& sweep) {
  const bool rungs = sweep.rungs.size() > 1;
  // Scores stand before the options: of these there may be more than a screen is wide.
  Table table{.caption = words_of_best(sweep), .columns = {"trial"}, .rows = {}, .bold_rows = {}};
  for (const ScorePart& part : score_parts) table.columns.emplace_back(part.title);
  for (const SearchedOption& option : sweep.options.searched) table.columns.push_back(option.name);
  for (const auto* column : {"best epoch", "seconds"}) table.columns.emplace_back(column);
  if (rungs) table.columns.emplace_back("epochs");
  for (const Trial& trial : sweep.trials) {
    if (trial.failed || table.rows.size() == most_shown) break;
    std::vector<std::string> row = {fmt::format("{}", trial.number)};
    for (const ScorePart& part : score_parts) row.push_back(percent(trial.mean.*part.value));
    row[1] =
        scores_cell(trial.mean.mrr, trial.deviation.mrr, trial.runs.size(), std::ssize(trial.runs));
    for (const auto& [name, value] : trial.values) row.push_back(printable(value));
    std::vector<std::int64_t> epochs;
    for (const TrialRun& run : trial.runs) epochs.push_back(run.best_epoch);
    row.push_back(fmt::format("{}", fmt::join(epochs, ", ")));
    row.push_back(fmt::format("{:.3g}", trial.seconds));
    if (rungs) row.push_back(fmt::format("{}", trial.epochs));
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) table.bold_rows = {0};
  return table;
}

std::string words_of_search(const Sweep& sweep) {
  const SweepOptions& options = sweep.options;
  std::string text = options.search == Search::grid     ? "Every combination of the values"
                     : options.search == Search::random ? "Random search"
                                                        : "Successive halving";
  text += ", " + counted(sweep.rungs.front().trials, "trial");
  if (options.seeds > 1) text += fmt::format(" of {} seeds each", options.seeds);
  if (sweep.rungs.size() == 1) return text + ".";
  std::vector<std::string> rungs;
  for (const Rung& rung : sweep.rungs)
    rungs.push_back(fmt::format("{} with {}", rung.trials, counted(rung.epochs, "epoch")));
  return fmt::format("{}: {}.", text, fmt::join(rungs, ", "));
}

// Reciprocal ranks lie between 0 and 1, so that their deviation is at most a half.
std::string words_of_chance(const Sweep& sweep) {
  const double error = 0.5 / std::sqrt(static_cast<double>(sweep.valid_questions));
  return fmt::format("{} validation questions: differences of up to {:.1f} points may be chance.",
                     grouped(sweep.valid_questions), 100 * error);
}

std::string words_of_state(const Sweep& sweep) {
  std::string text =
      "Scores are those of the best validated epoch, the mean over the seeds. No question of the "
      "test split was asked. " +
      words_of_chance(sweep);
  if (!sweep.complete)
    text += fmt::format(" The sweep goes on: {} of {} are done.", sweep.results_done,
                        counted(sweep.results, "result"));
  if (const auto failed = failures_of(sweep); failed > 0)
    text +=
        fmt::format(" {} failed.", failed == 1 ? "One trial" : fmt::format("{} trials", failed));
  return text;
}

std::string words_of_data(const Sweep& sweep) {
  const std::string& data = sweep.options.fixed.data;
  return data.empty() ? "facts in memory" : printable(data);
}

std::string words_of_fixed(const Sweep& sweep) {
  const std::string fixed = words_of_fixed_options(sweep.options);
  return fmt::format("Data: {}. Fixed: {}. Orrery {}.", words_of_data(sweep),
                     fixed.empty() ? "the defaults" : fixed, version());
}

Table failure_table(const Sweep& sweep) {
  const auto part = words_of_part(failures_of(sweep), most_failures);
  Table table{.caption = part.empty() ? "Trials that failed" : "Trials that failed: " + part,
              .columns = {"trial", "options", "reason"},
              .rows = {},
              .bold_rows = {}};
  for (const Trial& trial : sweep.trials)
    if (trial.failed && table.rows.size() < most_failures)
      table.rows.push_back({fmt::format("{}", trial.number), words_of(trial.values), trial.reason});
  return table;
}

std::string sentence_of(const Sensitivity& option) {
  const ValueGroup &best = option.best(), &worst = option.worst();
  return fmt::format("{}: best on average at {} ({} over {}), worst at {} ({}).", option.name,
                     best.label, percent(best.mean), counted(best.trials, "trial"), worst.label,
                     percent(worst.mean));
}

Plot plot_of(const Sensitivity& option) {
  Plot plot{.caption = option.name,
            .x = {.label = option.name, .logarithmic = option.logarithmic},
            .y = {.label = "validation MRR, percent"},
            .series = {{.name = "best of the trials", .x = {}, .y = {}},
                       {.name = "mean ± deviation", .x = {}, .y = {}}}};
  for (const ValueGroup& group : option.groups) {
    for (Series& series : plot.series) series.x.push_back(group.at);
    plot.series[0].y.push_back(100 * group.best);
    plot.series[1].y.push_back(100 * group.mean);
    plot.series[1].deviation.push_back(100 * group.deviation);
  }
  return plot;
}

Table table_of(const Sensitivity& option) {
  Table table{.caption = "",
              .columns = {option.name, "trials", "mean MRR", "deviation", "best MRR"},
              .rows = {},
              .bold_rows = {}};
  for (const ValueGroup& group : option.groups)
    table.rows.push_back({group.label.empty() ? "(none)" : printable(group.label),
                          fmt::format("{}", group.trials), percent(group.mean),
                          percent(group.deviation), percent(group.best)});
  return table;
}

void add_sensitivities(const Sweep& sweep, Report& report) {
  const auto all = sensitivities(sweep);
  if (all.empty()) return;
  report.blocks.emplace_back(Heading{"What each option does"});
  std::string how =
      "Trials grouped by one option, whatever the others were; what matters most comes first. The "
      "deviation is that of the trials of a group.";
  if (sweep.rungs.size() > 1)
    how += fmt::format(" Scores are those after {}, which all trials had.",
                       counted(sweep.rungs.front().epochs, "epoch"));
  report.blocks.emplace_back(Paragraph{how});
  for (const Sensitivity& option : all) {
    report.blocks.emplace_back(Paragraph{sentence_of(option)});
    if (option.number)
      report.blocks.emplace_back(plot_of(option));
    else
      report.blocks.emplace_back(table_of(option));
  }
}

Report report_of(const Sweep& sweep) {
  Report report;
  report.title =
      fmt::format("Sweep on {}", std::filesystem::path(words_of_data(sweep)).filename().string());
  report.blocks.emplace_back(Paragraph{words_of_search(sweep) + " " + words_of_state(sweep)});
  if (sweep.has_best()) report.blocks.emplace_back(best_table(sweep));
  add_sensitivities(sweep, report);
  if (failures_of(sweep) > 0) report.blocks.emplace_back(failure_table(sweep));
  report.blocks.emplace_back(Paragraph{words_of_fixed(sweep)});
  return report;
}

}  // namespace

std::string sweep_table(const Sweep& sweep) {
  const Table best = best_table(sweep);
  TextTable table(best.columns);
  for (const auto& row : best.rows) table.add(row);
  return fmt::format("{}\n{}\n\n{}\n{}", words_of_search(sweep), words_of_state(sweep),
                     best.caption, table.text());
}

std::string sweep_json(const Sweep& sweep) {
  using Json = nlohmann::ordered_json;
  Json json = {{"version", std::string(version())},
               {"data", sweep.options.fixed.data},
               {"data_fingerprint", sweep.data_fingerprint},
               {"search", name_of(sweep.options.search)},
               {"seeds", sweep.options.seeds},
               {"valid_questions", sweep.valid_questions},
               {"complete", sweep.complete},
               {"rungs", Json::array()},
               {"best", sweep.has_best() ? trial_json(sweep.trials.front()) : Json()},
               {"trials", Json::array()}};
  for (const Rung& rung : sweep.rungs)
    json["rungs"].push_back({{"epochs", rung.epochs}, {"trials", rung.trials}});
  for (const Trial& trial : sweep.trials) json["trials"].push_back(trial_json(trial));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_sweep_report(const Sweep& sweep) {
  const Report report = report_of(sweep);
  write_file_atomically(sweep.out / "sweep.json", report_json(report).dump(2) + "\n");
  write_file_atomically(sweep.out / "sweep.md", report_markdown(report));
  write_file_atomically(sweep.out / "sweep.html", report_html(report));
}

}  // namespace orrery
