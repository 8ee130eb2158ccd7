// The paper's main table: every method it reports, its own setting measured, our best measured.
#include <fmt/format.h>

#include <algorithm>

#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

constexpr const char* model = "BSCA";

struct BestReported {
  std::string method;
  double mrr = 0;
};

// Of the methods before it.
std::string best_other(const ReportedScores& reported, const std::string& set) {
  BestReported best;
  for (const std::string& method : reported.methods()) {
    const double mrr = reported.percent(method, set, "mrr").value_or(0);
    if (method != model && mrr > best.mrr) best = {method, mrr};
  }
  return best.method.empty() ? no_figure : fmt::format("{:.1f} ({})", best.mrr, best.method);
}

std::string gain(const CompareRow* measured, std::optional<double> reported) {
  if (measured == nullptr || !reported) return no_figure;
  return signed_cell(100 * measured->mean.mrr - *reported);
}

Table summary(const StudyRuns& runs, const ReportedScores& reported) {
  Table table{"Test MRR; the last column is our best configuration less the paper's BSCA",
              {"set", "paper's BSCA", "paper's best other", "its setting, measured",
               "best configuration, measured", "gain"},
              {}};
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const CompareRow* best = runs.measured(i, set.row("best"));
    table.rows.push_back({set.title, or_none(reported.text(model, set.name, "mrr")),
                          best_other(reported, set.name),
                          score_cell(runs, i, set.row("paper"), &Scores::mrr),
                          score_cell(runs, i, set.row("best"), &Scores::mrr),
                          gain(best, reported.percent(model, set.name, "mrr"))});
  }
  return table;
}

// What was chosen on validation, and by how much.
Table choices(const StudyRuns& runs) {
  Table table{"The best configurations, chosen by validation MRR",
              {"set", "differs from the paper's setting in", "parameters, million",
               "validation MRR, paper's setting", "validation MRR, best"},
              {}};
  const auto valid = [&](const CompareRow* row) {
    return row == nullptr ? no_figure : score_cell(valid_mrrs(*row), runs.seeds);
  };
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const StudyRow &paper = set.row("paper"), &best = set.row("best");
    const CompareRow* measured = runs.measured(i, best);
    const std::string words = differences_in_words(paper.options, best.options);
    table.rows.push_back(
        {set.title, words.empty() ? "nothing" : words,
         measured == nullptr
             ? no_figure
             : fmt::format("{:.1f}", static_cast<double>(measured->parameters) / 1e6),
         valid(runs.measured(i, paper)), valid(measured)});
  }
  return table;
}

Table results_table(const StudyRuns& runs, std::size_t i, const ReportedScores& reported) {
  const StudySet& set = runs.plan.sets[i];
  Table table{set.title, {"method"}, {}};
  for (const ScorePart& score : score_parts) table.columns.emplace_back(score.title);
  for (const std::string& method : reported.methods()) {
    if (reported.text(method, set.name, "mrr").empty()) continue;
    std::vector<std::string> row = {method + ", reported"};
    for (const ScorePart& score : score_parts)
      row.push_back(or_none(reported.text(method, set.name, score.name)));
    table.rows.push_back(std::move(row));
  }
  const StudyRow &paper = set.row("paper"), &best = set.row("best");
  std::vector<std::pair<std::string, const StudyRow*>> measured = {
      {"BSCA, the paper's setting, measured", &paper}};
  if (best.model == paper.model)
    measured[0].first += " (also our best)";
  else
    measured.emplace_back(fmt::format("best configuration ({}), measured", best.options.model),
                          &best);
  for (const auto& [name, row] : measured) {
    table.bold_rows.push_back(table.rows.size());
    std::vector<std::string> cells = {name};
    for (const ScorePart& score : score_parts)
      cells.push_back(score_cell(runs, i, *row, score.value));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

StudyOutcome results_study(const StudyRuns& runs, const StudyContext& context) {
  const ReportedScores reported(context.files, "reported/results.tsv");
  Report report = opened_report("Link prediction: the paper's table and ours", runs);
  report.blocks.emplace_back(summary(runs, reported));
  report.blocks.emplace_back(choices(runs));
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    report.blocks.emplace_back(results_table(runs, i, reported));
  return {std::move(report), {}};
}

}  // namespace orrery
