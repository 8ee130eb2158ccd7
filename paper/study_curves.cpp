// Training beyond the paper's 150 epochs: loss and validation MRR, epoch by epoch.
#include <fmt/format.h>

#include <algorithm>

#include "orrery/run.h"
#include "page/text_table.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 60;  // of a curve in the report; the JSON has all

struct Epoch {
  std::int64_t number = 0;
  std::vector<double> loss, valid;  // a value a run
};

std::vector<Epoch> pooled_epochs(const CompareRow& row) {
  std::map<std::int64_t, Epoch> epochs;
  for (const ComparedRun& run : row.runs)
    for (const EpochReport& report : run_record(run.run).epochs) {
      Epoch& epoch = epochs[report.epoch];
      epoch.number = report.epoch;
      epoch.loss.push_back(report.loss);
      if (report.valid) epoch.valid.push_back(report.valid->mrr);
    }
  std::vector<Epoch> list;
  for (auto& [number, epoch] : epochs) list.push_back(std::move(epoch));
  return list;
}

// Once a seed has stopped early, the mean of the others is another curve's: it ends there.
std::vector<Epoch> epochs_of_all(std::vector<Epoch> epochs, std::size_t runs) {
  std::erase_if(epochs, [&](const Epoch& epoch) { return epoch.loss.size() < runs; });
  for (Epoch& epoch : epochs)
    if (epoch.valid.size() < runs) epoch.valid.clear();
  return epochs;
}

Plot plot_of(const std::string& caption, const std::string& label, const std::vector<Epoch>& epochs,
             std::vector<double> Epoch::*part, double scale, std::size_t runs) {
  Plot plot{caption, Plot::Kind::line, {"epoch", true}, {label}, {}};
  Series series{runs > 1 ? fmt::format("mean of {} seeds", runs) : "one seed", {}, {}};
  std::vector<const Epoch*> shown;
  for (const Epoch& epoch : epochs)
    if (!(epoch.*part).empty()) shown.push_back(&epoch);
  const std::size_t stride = (shown.size() + most_points - 1) / most_points;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    // The first epochs change fast, and the last one is what is left.
    if (i % stride != stride - 1 && i >= 5 && i + 1 != shown.size()) continue;
    const Statistics mean = statistics_of(shown[i]->*part);
    series.x.push_back(static_cast<double>(shown[i]->number));
    series.y.push_back(scale * mean.mean);
    if (runs > 1) series.deviation.push_back(scale * mean.deviation);
  }
  plot.series = {std::move(series)};
  return plot;
}

// The validation at that epoch, or the last one before it.
std::string valid_at(const std::vector<Epoch>& epochs, std::int64_t number, std::int64_t seeds) {
  const Epoch* found = nullptr;
  for (const Epoch& epoch : epochs)
    if (!epoch.valid.empty() && epoch.number <= number) found = &epoch;
  if (found == nullptr || epochs.back().number < number) return no_figure;
  return score_cell(found->valid, seeds);
}

std::vector<std::string> summary_row(const StudySet& set, const CompareRow& row,
                                     const std::vector<Epoch>& epochs, std::int64_t seeds) {
  std::string best_epochs;
  for (const ComparedRun& run : row.runs)
    best_epochs += fmt::format("{}{}", best_epochs.empty() ? "" : ", ", run.training.best_epoch);
  return {set.title,
          valid_at(epochs, 30, seeds),
          valid_at(epochs, 70, seeds),
          valid_at(epochs, 150, seeds),
          valid_at(epochs, epochs.back().number, seeds),
          score_cell(valid_mrrs(row), seeds),
          best_epochs,
          score_cell(row, &Scores::mrr, seeds)};
}

Json curve_json(const std::vector<Epoch>& epochs) {
  Json json = Json::array();
  for (const Epoch& epoch : epochs)
    json.push_back({{"epoch", epoch.number}, {"loss", epoch.loss}, {"valid_mrr", epoch.valid}});
  return json;
}

std::string title_of(const StudyPlan& plan) {
  for (const StudySet& set : plan.sets)
    for (const StudyRow& row : set.rows)
      if (row.options.epochs != 2 * row.published.epochs) return "Training curves";
  return "Training curves, twice as long as the paper trains";
}

}  // namespace

StudyOutcome curves_study(const StudyRuns& runs, const StudyContext&) {
  StudyOutcome outcome{opened_report(title_of(runs.plan), runs), Json::object()};
  const bool one_seed = runs.seeds == 1;
  Table table{"Validation MRR on the way, and the test MRR at the best epoch",
              {"set", "epoch 30", "epoch 70", "epoch 150",
               one_seed ? "the last epoch" : "the last of all seeds", "the best",
               one_seed ? "best epoch" : "best epoch of each seed", "test MRR"},
              {}};
  std::vector<Plot> plots;
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    for (const StudyRow& row : runs.plan.sets[i].rows) {
      const StudySet& set = runs.plan.sets[i];
      const CompareRow* measured = runs.measured(i, row);
      if (measured == nullptr) continue;
      const auto pooled = pooled_epochs(*measured);
      const std::size_t seeds = measured->runs.size();
      const auto epochs = epochs_of_all(pooled, seeds);
      if (epochs.empty()) continue;
      table.rows.push_back(summary_row(set, *measured, epochs, runs.seeds));
      plots.push_back(
          plot_of(set.title + ": training loss", "loss", epochs, &Epoch::loss, 1, seeds));
      plots.push_back(
          plot_of(set.title + ": validation", "MRR, percent", epochs, &Epoch::valid, 100, seeds));
      outcome.details[set.name] = curve_json(pooled);
    }
  outcome.report.blocks.emplace_back(std::move(table));
  for (Plot& plot : plots) outcome.report.blocks.emplace_back(std::move(plot));
  return outcome;
}

}  // namespace orrery
