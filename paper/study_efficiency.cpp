// What training costs at the paper's sizes, beside the paper's minutes and PyTorch's step.
#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "base/memory_budget.h"
#include "base/tsv_table.h"
#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* not_measured = "not measured here";

// A step of BSCA at ICEWS14's shape, ours and PyTorch's, of one session.
struct Steps {
  std::vector<std::pair<std::string, double>> ours, peers;  // "bf16" and milliseconds

  double best_of_ours() const {
    double best = 0;
    for (const auto& [name, ms] : ours) best = best == 0 ? ms : std::min(best, ms);
    return best;
  }
};

Steps read_steps(const std::string& file) {
  Steps steps;
  std::ifstream lines(file, std::ios::binary);
  if (!lines)
    fail_request(About{.option = "peer",
                       .place = {file},
                       .advice = worded("$peer takes the rows of the two benchmarks")},
                 "cannot be read");
  for (std::string line; std::getline(lines, line);) {
    const auto row = Json::parse(line, nullptr, false);
    if (!row.is_object() || row.value("shape", "") != "icews14" ||
        row.value("attention", "") != "split" || !row.contains("ms") || !row["ms"].is_number())
      continue;
    if (row.value("bench", "") == "gpu_step")
      steps.ours.emplace_back(row.value("precision", "?"), row["ms"]);
    else if (row.value("bench", "") == "torch_step")
      steps.peers.emplace_back(row.value("mode", "?"), row["ms"]);
  }
  for (const auto& [found, program] : {std::pair{&steps.ours, "gpu_step_bench --json"},
                                       std::pair{&steps.peers, "bench/torch_step.py"}})
    if (found->empty())
      fail_request(About{.option = "peer",
                         .place = {file},
                         .advice = "it needs the lines of both benchmarks, of one session"},
                   "holds no step that {} has measured (shape icews14, attention split)", program);
  return steps;
}

Table step_table(const Steps& steps) {
  Table table{"One training step of BSCA, ICEWS14's shape, 4,000 dimensions, batch 6,000",
              {"step", "ms", "÷ our fastest"},
              {}};
  const double best = steps.best_of_ours();
  const auto add = [&](const std::string& name, double ms) {
    table.rows.push_back({name, fmt::format("{:.2f}", ms), fmt::format("{:.1f}", ms / best)});
  };
  for (const auto& [precision, ms] : steps.ours) {
    if (ms == best) table.bold_rows.push_back(table.rows.size());
    add("Orrery " + precision, ms);
  }
  for (const auto& [mode, ms] : steps.peers) add("PyTorch " + mode, ms);
  return table;
}

// The fastest of PyTorch's ways over the fastest of ours.
std::string ratio(const std::optional<Steps>& steps, const std::string& method) {
  if (!steps) return not_measured;
  if (method != "BSCA") return no_figure;
  double best = steps->peers.front().second;
  for (const auto& [mode, ms] : steps->peers) best = std::min(best, ms);
  return fmt::format("{:.1f}", best / steps->best_of_ours());
}

double mean_minutes(const CompareRow& row) {
  std::vector<double> minutes;
  for (const ComparedRun& run : row.runs) minutes.push_back(run.training.seconds / 60);
  return statistics_of(minutes).mean;
}

std::vector<std::string> row_of(const TsvRow& paper, const CompareRow* row, const std::string& mrr,
                                const std::optional<Steps>& steps) {
  std::vector<std::string> cells = {paper["method"], paper["parameters_million"], no_figure,
                                    paper["train_minutes_rtx3090"]};
  if (row == nullptr) {
    cells.resize(9, no_figure);
    cells[7] = mrr;
    return cells;
  }
  const double minutes = mean_minutes(*row);
  cells[2] = fmt::format("{:.2f}", static_cast<double>(row->parameters) / 1e6);
  cells.push_back(fmt::format("{:.2f}", minutes));
  cells.push_back(fmt::format("{:.3g}", row->seconds_per_epoch));
  cells.push_back(row->peak_memory > 0 ? format_memory(row->peak_memory) : no_figure);
  cells.push_back(mrr);
  cells.push_back(ratio(steps, paper["method"]));
  return cells;
}

}  // namespace

StudyOutcome efficiency_study(const StudyRuns& runs, const StudyContext& context) {
  std::optional<Steps> steps;
  if (!context.options.peer.empty()) steps = read_steps(context.options.peer);
  StudyOutcome outcome{opened_report("Efficiency: parameters, time and memory", runs), {}};
  outcome.report.blocks.emplace_back(Paragraph{
      "A run is everything from the first step to the saved model, validation included; its memory "
      "is the device's on a GPU, else the process's. The paper's minutes are of another machine, "
      "an "
      "RTX 3090: compare rows with rows, not minutes with minutes."});
  const std::string file = "reported/efficiency.tsv";
  const auto paper = read_tsv(context.files.text(file), context.files.label(file),
                              {"method", "parameters_million", "train_minutes_rtx3090"});
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    Table table{set.title,
                {"model", "parameters, million, paper", "parameters, million",
                 "minutes a run, paper (RTX 3090)", "minutes a run", "seconds an epoch",
                 "peak memory", "test MRR", "PyTorch's step ÷ ours"},
                {}};
    for (const TsvRow& row : paper) {
      if (row["method"] == "BSCA") table.bold_rows.push_back(table.rows.size());
      const StudyRow& of_study = set.row(row["method"]);
      table.rows.push_back(row_of(row, runs.measured(i, of_study),
                                  score_cell(runs, i, of_study, &Scores::mrr), steps));
    }
    outcome.report.blocks.emplace_back(std::move(table));
  }
  if (steps) {
    outcome.report.blocks.emplace_back(step_table(*steps));
    outcome.details = {{"ours_ms", steps->ours}, {"peer_ms", steps->peers}};
  }
  return outcome;
}

}  // namespace orrery
