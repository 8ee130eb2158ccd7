#include "paper/study_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/tsv_table.h"
#include "orrery/run.h"
#include "page/text_table.h"
#include "report/comparison.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const std::string& method, const std::string& set, std::string_view score) {
  return fmt::format("{}\t{}\t{}", method, set, score);
}

// Of the runs that are done; empty: none is.
std::string fingerprint_of(const Comparison& comparison) {
  for (const CompareRow& row : comparison.rows)
    for (const ComparedRun& run : row.runs) return run.training.data_fingerprint;
  return {};
}

// Its description ends with the memory it took, which depends on the model.
std::string without_memory(const std::string& engine) {
  const auto comma = engine.rfind(", ");
  return engine.ends_with("iB") && comma != std::string::npos ? engine.substr(0, comma) : engine;
}

// Of the runs themselves, each once: who renders a report may have measured none of them.
struct Provenance {
  std::set<std::string> engines, versions, processors;
};

Provenance provenance_of(const StudyRuns& runs) {
  Provenance found;
  for (const Comparison& comparison : runs.comparisons)
    for (const CompareRow& row : comparison.rows)
      for (const ComparedRun& run : row.runs) {
        found.engines.insert(without_memory(run.training.engine));
        if (!run.origin.version.empty()) found.versions.insert(run.origin.version);
        if (!run.origin.processor.empty())
          found.processors.insert(
              fmt::format("{}, {} cores", run.origin.processor, run.origin.cores));
      }
  return found;
}

std::string how_measured(const StudyRuns& runs, Figures figures) {
  const Provenance provenance = provenance_of(runs);
  std::string text = fmt::format("Measured with `orrery reproduce {}`", runs.plan.study);
  if (!provenance.versions.empty())
    text += fmt::format(", Orrery {}", fmt::join(provenance.versions, " and "));
  if (figures == Figures::scores)
    text +=
        ": both directions of every fact, time-aware filter, pessimistic ties; each run is "
        "evaluated at the epoch that validation chose. Scores are in percent";
  else
    text += ", of the epoch that validation chose";
  text += runs.seeds > 1 ? fmt::format(", mean ± deviation of {}{} seeds",
                                       runs.runs_done < runs.runs ? "up to " : "", runs.seeds)
                         : ", one seed";
  const std::uint64_t first = runs.plan.first_seed();
  if (first != TrainOptions().seed)
    text += runs.seeds > 1 ? fmt::format(", from {} on", first) : fmt::format(", {}", first);
  text += '.';
  if (!provenance.engines.empty())
    text += fmt::format(" On {}.", fmt::join(provenance.engines, "; "));
  return text;
}

// "icews14 paper, seed 2: the loss is …"
std::vector<std::string> failures_of(const StudyRuns& runs) {
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < runs.comparisons.size(); ++i)
    for (const CompareRow& row : runs.comparisons[i].rows)
      for (const FailedRun& run : row.failed)
        failures.push_back(fmt::format("{} {}, seed {}: {}", runs.plan.sets[i].name, row.model.name,
                                       run.seed, run.reason));
  return failures;
}

// Everything that a reader must know before comparing with the paper.
std::vector<std::string> warnings_of(const StudyRuns& runs) {
  std::vector<std::string> warnings;
  if (!runs.complete())
    warnings.push_back(fmt::format("{} of {} runs are done; run the same command to continue.",
                                   runs.runs_done, runs.runs));
  const auto failures = failures_of(runs);
  if (!failures.empty())
    warnings.push_back(fmt::format("{} of {} runs failed and are left out: {}.", failures.size(),
                                   runs.runs, fmt::join(failures, "; ")));
  std::vector<std::string> changes;
  for (const auto& [name, value] : runs.plan.changed_settings)
    changes.push_back(fmt::format("{} = {}", name, value));
  if (!changes.empty())
    warnings.push_back(fmt::format("Not the paper's setting: {}.", fmt::join(changes, ", ")));
  if (!runs.plan.edited_configs.empty())
    warnings.push_back(fmt::format(
        "Configurations were read from an edited copy; these are not the built-in ones: {}.",
        fmt::join(runs.plan.edited_configs, ", ")));
  if (!runs.plan.not_asked.empty())
    warnings.push_back(fmt::format("Left out, as they were not asked for: {}.",
                                   fmt::join(runs.plan.not_asked, ", ")));
  if (!runs.plan.missing.empty())
    warnings.push_back(fmt::format("Not measured, as the facts were not at hand: {}.",
                                   fmt::join(runs.plan.missing, ", ")));
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const std::string found = fingerprint_of(runs.comparisons[i]);
    if (found.empty()) continue;
    if (set.published.empty())
      warnings.push_back(fmt::format(
          "Whether the facts called {} are the published ones could not be checked: the "
          "fingerprint of those is not known.",
          set.name));
    else if (!same_data(found, set.published))
      warnings.push_back(fmt::format(
          "The facts called {} are not the published ones: their fingerprint begins with `{}`, and "
          "that of the published facts with `{}`.",
          set.name, found.substr(0, 12), set.published.substr(0, 12)));
  }
  return warnings;
}

Json set_json(const StudySet& set, const Comparison& comparison) {
  const std::string found = fingerprint_of(comparison);
  Json json = comparison_data(comparison);
  json["data"] = set.name;
  for (Json& model : json["models"]) model["options"]["data"] = set.name;
  json["fingerprint"] = found;
  json["published_facts"] = set.published.empty() ? Json() : Json(same_data(found, set.published));
  json["rows"] = Json::object();
  for (const StudyRow& row : set.rows) json["rows"][row.name].push_back(row.model);
  return json;
}

}  // namespace

ReportedScores::ReportedScores(const PaperFiles& files, const std::string& name) {
  std::vector<std::string> scores;  // the paper may not report all of ours
  for (const ScorePart& score : score_parts) scores.emplace_back(score.name);
  for (const TsvRow& row :
       read_tsv(files.text(name), files.label(name), {"method", "dataset"}, scores)) {
    if (std::ranges::find(methods_, row["method"]) == methods_.end())
      methods_.push_back(row["method"]);
    for (const ScorePart& score : score_parts) {
      const std::string key = key_of(row["method"], row["dataset"], score.name);
      texts_[key] = row[score.name];
      if (!texts_[key].empty()) row.number(score.name);  // refuses what is none
    }
  }
}

std::string ReportedScores::text(const std::string& method, const std::string& set,
                                 std::string_view score) const {
  const auto found = texts_.find(key_of(method, set, score));
  return found == texts_.end() ? std::string() : found->second;
}

std::optional<double> ReportedScores::percent(const std::string& method, const std::string& set,
                                              std::string_view score) const {
  const std::string found = text(method, set, score);
  if (found.empty()) return {};
  return std::stod(found);
}

std::vector<double> valid_mrrs(const CompareRow& row) {
  std::vector<double> values;
  for (const ComparedRun& run : row.runs)
    if (run.training.best_valid) values.push_back(run.training.best_valid->mrr);
  return values;
}

std::string score_cell(std::span<const double> fractions, std::int64_t asked) {
  const auto [mean, deviation] = statistics_of(fractions);
  return scores_cell(mean, deviation, fractions.size(), asked);
}

std::string score_cell(const CompareRow& row, double Scores::*part, std::int64_t asked) {
  return scores_cell(row.mean.*part, row.deviation.*part, row.runs.size(), asked);
}

std::string score_cell(const StudyRuns& runs, std::size_t set, const StudyRow& row,
                       double Scores::*part) {
  if (runs.failed(set, row)) return "failed";
  const CompareRow* measured = runs.measured(set, row);
  return measured == nullptr ? no_figure : score_cell(*measured, part, runs.seeds);
}

std::string plain_score_cell(const StudyRuns& runs, std::size_t set, const StudyRow& row,
                             double Scores::*part) {
  const CompareRow* measured = runs.measured(set, row);
  if (measured == nullptr || row.options.history == "none") return score_cell(runs, set, row, part);
  if (!measured->without_history) return no_figure;
  const auto& [mean, deviation] = *measured->without_history;
  return scores_cell(mean.*part, deviation.*part, measured->runs.size(), runs.seeds);
}

std::string signed_cell(double difference) {
  const std::string text = fmt::format("{:+.2f}", difference);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

std::string or_none(const std::string& text) { return text.empty() ? no_figure : text; }

Report opened_report(const std::string& title, const StudyRuns& runs, Figures figures) {
  Report report{title, {Paragraph{how_measured(runs, figures)}}};
  for (const std::string& warning : warnings_of(runs))
    report.blocks.emplace_back(Paragraph{warning});
  return report;
}

Json study_json(const StudyRuns& runs, const ReproduceOptions& options) {
  const Provenance provenance = provenance_of(runs);
  Json json = {
      {"study", options.study},
      {"versions", provenance.versions},
      {"command", options.command},
      {"complete", runs.complete()},
      {"seeds", runs.seeds},
      {"runs_failed", runs.runs_failed},
      {"changes", options.changes},
      {"hardware", {{"engines", provenance.engines}, {"processors", provenance.processors}}},
      {"missing", runs.plan.missing},
      {"not_asked", runs.plan.not_asked},
      {"edited_configs", runs.plan.edited_configs},
      {"sets", Json::object()}};
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    json["sets"][runs.plan.sets[i].name] = set_json(runs.plan.sets[i], runs.comparisons[i]);
  return json;
}

}  // namespace orrery
