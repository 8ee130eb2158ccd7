// What each part of BSCA is worth: a part left out at a time.
#include <fmt/format.h>

#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

constexpr const char* whole_model = "BSCA";

// The names of all rows, in the order of the study's file.
std::vector<std::string> row_names(const StudyRuns& runs) {
  std::vector<std::string> names;
  for (const StudySet& set : runs.plan.sets)
    for (const StudyRow& row : set.rows)
      if (std::ranges::find(names, row.name) == names.end()) names.push_back(row.name);
  return names;
}

Table overview(const StudyRuns& runs, const ReportedScores& reported) {
  Table table{"Test MRR, reported by the paper and measured here", {"variant"}, {}};
  for (const StudySet& set : runs.plan.sets) {
    table.columns.push_back(set.title + ", paper");
    table.columns.push_back(set.title + ", measured");
  }
  for (const std::string& name : row_names(runs)) {
    std::vector<std::string> cells = {name};
    for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
      const StudySet& set = runs.plan.sets[i];
      const auto row = std::ranges::find(set.rows, name, &StudyRow::name);
      cells.push_back(or_none(reported.text(name, set.name, "mrr")));
      cells.push_back(row == set.rows.end() ? no_figure : score_cell(runs, i, *row, &Scores::mrr));
    }
    if (name == whole_model) table.bold_rows.push_back(table.rows.size());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// How far a variant is from the whole model, in points of MRR.
std::string measured_loss(const CompareRow* row, const CompareRow* full) {
  if (row == nullptr || full == nullptr || row == full) return no_figure;
  return signed_cell(100 * (row->mean.mrr - full->mean.mrr));
}

std::string reported_loss(const ReportedScores& reported, const std::string& name,
                          const std::string& set) {
  const auto row = reported.percent(name, set, "mrr"),
             full = reported.percent(whole_model, set, "mrr");
  return !row || !full || name == whole_model ? no_figure : signed_cell(*row - *full);
}

Table ablation_table(const StudyRuns& runs, std::size_t i, const ReportedScores& reported) {
  const StudySet& set = runs.plan.sets[i];
  Table table{fmt::format("{}; Δ is the MRR less that of the whole model", set.title),
              {"variant", "Δ, paper", "Δ, measured"},
              {}};
  for (const ScorePart& score : score_parts) {
    table.columns.push_back(fmt::format("{}, paper", score.title));
    table.columns.push_back(fmt::format("{}, measured", score.title));
  }
  const CompareRow* full = runs.measured(i, set.row(whole_model));
  for (const StudyRow& row : set.rows) {
    const CompareRow* measured = runs.measured(i, row);
    std::vector<std::string> cells = {row.name, reported_loss(reported, row.name, set.name),
                                      measured_loss(measured, full)};
    for (const ScorePart& score : score_parts) {
      cells.push_back(or_none(reported.text(row.name, set.name, score.name)));
      cells.push_back(score_cell(runs, i, row, score.value));
    }
    if (row.name == whole_model) table.bold_rows.push_back(table.rows.size());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Runs that end early are chosen by validation like the others; a reader should know all the same.
void tell_early_ends(const StudySet& set, Report& report) {
  const std::int64_t full = set.row(whole_model).options.patience;
  for (const StudyRow& row : set.rows)
    if (row.options.patience != full) {
      report.blocks.emplace_back(Paragraph{
          fmt::format("On {} the runs of variants end after {} validations without a better one; "
                      "the whole model's {}.",
                      set.title, row.options.patience,
                      full > 0 ? fmt::format("after {}", full) : "goes on to its last epoch")});
      return;
    }
}

}  // namespace

StudyOutcome ablation_study(const StudyRuns& runs, const StudyContext& context) {
  const ReportedScores reported(context.files, "reported/ablation.tsv");
  Report report = opened_report("Ablation: a part of BSCA left out at a time", runs);
  for (const StudySet& set : runs.plan.sets) tell_early_ends(set, report);
  report.blocks.emplace_back(overview(runs, reported));
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    report.blocks.emplace_back(ablation_table(runs, i, reported));
  return {std::move(report), {}};
}

}  // namespace orrery
