// The paper's main table: every method it reports, its own setting measured, our best measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

constexpr const char* model = "BSCA";
constexpr std::size_t all_parts = std::numeric_limits<std::size_t>::max();

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
  if (measured->model.options.history == "none")
    return signed_cell(100 * measured->mean.mrr - *reported);
  if (!measured->without_history) return no_figure;
  return signed_cell(100 * measured->without_history->mean.mrr - *reported);
}

Table summary(const StudyRuns& runs, const ReportedScores& reported) {
  Table table{
      "Test MRR; the gain is our best configuration, without history, less the paper's BSCA",
      {"set", "paper's BSCA", "paper's best other", "its setting, measured",
       "best configuration, measured", "gain", "the same with history"},
      {}};
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const CompareRow* best = runs.measured(i, set.row("best"));
    table.rows.push_back({set.title, or_none(reported.text(model, set.name, "mrr")),
                          best_other(reported, set.name),
                          score_cell(runs, i, set.row("paper"), &Scores::mrr),
                          plain_score_cell(runs, i, set.row("best"), &Scores::mrr),
                          gain(best, reported.percent(model, set.name, "mrr")),
                          best != nullptr && best->without_history
                              ? score_cell(runs, i, set.row("best"), &Scores::mrr)
                              : no_figure});
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
  const auto add = [&](const std::string& name, const StudyRow& row, const auto& cell) {
    table.bold_rows.push_back(table.rows.size());
    std::vector<std::string> cells = {name};
    for (const ScorePart& score : score_parts) cells.push_back(cell(runs, i, row, score.value));
    table.rows.push_back(std::move(cells));
  };
  for (const auto& [name, row] : measured) add(name, *row, plain_score_cell);
  if (const CompareRow* row = runs.measured(i, best); row != nullptr && row->without_history)
    add("the same with the history of a pair, measured", best,
        [](auto&&... of) { return score_cell(std::forward<decltype(of)>(of)...); });
  return table;
}

// One part of the questions, over the seeds.
struct PartOfQuestions {
  std::uint64_t queries = 0;
  std::vector<double> with, without;  // MRRs

  double gained() const {  // points of the whole split's MRR, times its questions
    return static_cast<double>(queries) * (statistics_of(with).mean - statistics_of(without).mean);
  }
};

std::map<std::string, PartOfQuestions> parts_of(const CompareRow& row, By by) {
  std::map<std::string, PartOfQuestions> parts;
  for (const ComparedRun& run : row.runs) {
    for (const auto& [name, scores] : test_breakdown(run, by)) {
      parts[name].queries = scores.queries;
      parts[name].with.push_back(scores.mrr);
    }
    for (const auto& [name, scores] : test_breakdown(run, by, false))
      parts[name].without.push_back(scores.mrr);
  }
  return parts;
}

// What history adds, and to which questions: those that gain or lose most first.
void add_parts(Table& table, const StudyRuns& runs, std::size_t i, By by, std::size_t most) {
  const StudySet& set = runs.plan.sets[i];
  const CompareRow* row = runs.measured(i, set.row("best"));
  if (row == nullptr || !row->without_history) return;
  const auto parts = parts_of(*row, by);
  double queries = 0;
  std::vector<std::pair<std::string, PartOfQuestions>> ordered(parts.begin(), parts.end());
  for (const auto& [name, part] : ordered) queries += static_cast<double>(part.queries);
  std::ranges::stable_sort(ordered, std::greater{},
                           [](const auto& part) { return std::abs(part.second.gained()); });
  if (ordered.size() > most) ordered.resize(most);
  for (const auto& [name, part] : ordered)
    table.rows.push_back({set.title, name,
                          fmt::format("{:.1f}", 100 * static_cast<double>(part.queries) / queries),
                          score_cell(part.without, runs.seeds), score_cell(part.with, runs.seeds),
                          signed_cell(100 * part.gained() / queries)});
}

Table history_table(const StudyRuns& runs, const std::string& caption, const std::string& column,
                    By by, std::size_t most) {
  Table table{caption,
              {"set", column, "share of the questions", "MRR without history", "MRR with history",
               "points of the set's MRR"},
              {}};
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) add_parts(table, runs, i, by, most);
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
  constexpr std::size_t relations_shown = 5;
  for (Table& table : std::array{history_table(runs, "What history adds, by what train knows",
                                               "train knows", By::history, all_parts),
                                 history_table(runs, "The relations to which it adds or takes most",
                                               "relation", By::relation, relations_shown)})
    if (!table.rows.empty()) report.blocks.emplace_back(std::move(table));
  return {std::move(report), {}};
}

}  // namespace orrery
