// Training beyond the paper's 150 epochs: loss and validation MRR, epoch by epoch.
#include <fmt/format.h>

#include <algorithm>

#include "study/studies.h"
#include "study/study_report.h"

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
    for (const EpochReport& report : epochs_of(run)) {
      Epoch& epoch = epochs[report.epoch];
      epoch.number = report.epoch;
      epoch.loss.push_back(report.loss);
      if (report.valid) epoch.valid.push_back(report.valid->mrr);
    }
  std::vector<Epoch> list;
  for (auto& [number, epoch] : epochs) list.push_back(std::move(epoch));
  return list;
}

Plot plot_of(const std::string& caption, const std::string& label, const std::vector<Epoch>& epochs,
             std::vector<double> Epoch::*part, double scale) {
  Plot plot{caption, Plot::Kind::line, {"epoch"}, {label}, {}};
  Series series{"mean of the seeds", {}, {}};
  std::vector<const Epoch*> shown;
  for (const Epoch& epoch : epochs)
    if (!(epoch.*part).empty()) shown.push_back(&epoch);
  const std::size_t stride = (shown.size() + most_points - 1) / most_points;
  bool all_deviate = true;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    // The first epochs change fast, and the last one is what is left.
    if (i % stride != stride - 1 && i >= 5 && i + 1 != shown.size()) continue;
    const auto& values = shown[i]->*part;
    const MeanOf mean = mean_of(values);
    series.x.push_back(static_cast<double>(shown[i]->number));
    series.y.push_back(scale * mean.mean);
    series.deviation.push_back(scale * mean.deviation);
    all_deviate = all_deviate && values.size() > 1;
  }
  if (!all_deviate) series.deviation.clear();
  if (series.deviation.empty()) series.name = "one seed";
  plot.series = {std::move(series)};
  return plot;
}

// The validation at that epoch, or the last one before it.
std::string valid_at(const std::vector<Epoch>& epochs, std::int64_t number) {
  const Epoch* found = nullptr;
  for (const Epoch& epoch : epochs)
    if (!epoch.valid.empty() && epoch.number <= number) found = &epoch;
  if (found == nullptr || epochs.back().number < number) return no_figure;
  return score_cell(mean_of(found->valid), found->valid.size());
}

std::vector<std::string> summary_row(const StudySet& set, const CompareRow& row,
                                     const std::vector<Epoch>& epochs) {
  std::string best_epochs;
  for (const ComparedRun& run : row.runs)
    best_epochs += fmt::format("{}{}", best_epochs.empty() ? "" : ", ", run.training.best_epoch);
  return {set.title,
          valid_at(epochs, 30),
          valid_at(epochs, 70),
          valid_at(epochs, 150),
          valid_at(epochs, epochs.back().number),
          score_cell(valid_mrr(row), row.runs.size()),
          best_epochs,
          score_cell(&row, &Scores::mrr)};
}

Json curve_json(const std::vector<Epoch>& epochs) {
  Json json = Json::array();
  for (const Epoch& epoch : epochs)
    json.push_back({{"epoch", epoch.number}, {"loss", epoch.loss}, {"valid_mrr", epoch.valid}});
  return json;
}

}  // namespace

StudyOutcome curves_study(const StudyRuns& runs, const StudyContext&) {
  StudyOutcome outcome{opened_report("Training curves, twice as long as the paper trains", runs),
                       Json::object()};
  Table table{"Validation MRR on the way, and the test MRR at the best epoch",
              {"set", "epoch 30", "epoch 70", "epoch 150", "the last", "the best",
               "best epoch of each seed", "test MRR"},
              {}};
  std::vector<Plot> plots;
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    for (const StudyRow& row : runs.plan.sets[i].rows) {
      const StudySet& set = runs.plan.sets[i];
      const CompareRow* measured = runs.measured(i, row);
      if (measured == nullptr) continue;
      const auto epochs = pooled_epochs(*measured);
      if (epochs.empty()) continue;
      table.rows.push_back(summary_row(set, *measured, epochs));
      plots.push_back(plot_of(set.title + ": training loss", "loss", epochs, &Epoch::loss, 1));
      plots.push_back(
          plot_of(set.title + ": validation", "MRR, percent", epochs, &Epoch::valid, 100));
      outcome.details[set.name] = curve_json(epochs);
    }
  outcome.report.blocks.emplace_back(std::move(table));
  for (Plot& plot : plots) outcome.report.blocks.emplace_back(std::move(plot));
  return outcome;
}

}  // namespace orrery
