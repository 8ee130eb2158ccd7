#include "study/study_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <set>

#include "api/compare_report.h"
#include "base/error.h"
#include "orrery/version.h"
#include "page/text_table.h"
#include "study/hardware.h"
#include "study/tsv_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const std::string& method, const std::string& set, const char* score) {
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

std::set<std::string> engines_of(const StudyRuns& runs) {
  std::set<std::string> engines;
  for (const Comparison& comparison : runs.comparisons)
    for (const CompareRow& row : comparison.rows)
      for (const ComparedRun& run : row.runs) engines.insert(without_memory(run.training.engine));
  return engines;
}

std::string how_measured(const StudyRuns& runs) {
  std::string text = fmt::format(
      "Measured with `orrery reproduce {}`, Orrery {}: both directions of every fact, time-aware "
      "filter, pessimistic ties; each run is judged at the epoch that validation chose. Scores are "
      "in percent",
      runs.plan.study, version());
  text +=
      runs.seeds > 1 ? fmt::format(", mean ± deviation of {} seeds.", runs.seeds) : ", one seed.";
  const auto engines = engines_of(runs);
  if (!engines.empty()) text += fmt::format(" On {}.", fmt::join(engines, "; "));
  return text;
}

// Everything that a reader must know before comparing with the paper.
std::vector<std::string> warnings_of(const StudyRuns& runs) {
  std::vector<std::string> warnings;
  if (!runs.complete())
    warnings.push_back(fmt::format("{} of {} runs are done; the same command goes on.",
                                   runs.runs_done, runs.runs));
  std::vector<std::string> changes, missing;
  for (const auto& [name, value] : runs.plan.changed_settings)
    changes.push_back(fmt::format("{} = {}", name, value));
  if (!changes.empty())
    warnings.push_back(fmt::format("Not the paper's setting: {}.", fmt::join(changes, ", ")));
  for (const StudySet& set : runs.plan.missing) missing.push_back(set.name);
  if (!missing.empty())
    warnings.push_back(
        fmt::format("Not measured, as the facts were not at hand: {}.", fmt::join(missing, ", ")));
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i) {
    const StudySet& set = runs.plan.sets[i];
    const std::string found = fingerprint_of(runs.comparisons[i]);
    if (!found.empty() && !set.published.empty() && found != set.published)
      warnings.push_back(fmt::format(
          "The facts called {} are not the published ones: their fingerprint is {}, and "
          "that of the published facts {}.",
          set.name, found, set.published));
  }
  return warnings;
}

Json set_json(const StudySet& set, const Comparison& comparison) {
  const std::string found = fingerprint_of(comparison);
  Json json = comparison_data(comparison);
  json["data"] = set.name;
  for (Json& model : json["models"]) model["options"]["data"] = set.name;
  json["fingerprint"] = found;
  json["published_facts"] = set.published.empty() ? Json() : Json(found == set.published);
  json["rows"] = Json::object();
  for (const StudyRow& row : set.rows) json["rows"][row.name].push_back(row.contender);
  return json;
}

}  // namespace

ReportedScores::ReportedScores(const PaperFiles& files, const std::string& name) {
  std::vector<std::string> columns = {"method", "dataset"};
  for (const ScoreColumn& score : score_columns) columns.emplace_back(score.key);
  for (const TsvRow& row : read_tsv(files.text(name), files.label(name), columns)) {
    if (std::ranges::find(methods_, row["method"]) == methods_.end())
      methods_.push_back(row["method"]);
    for (const ScoreColumn& score : score_columns) {
      const std::string key = key_of(row["method"], row["dataset"], score.key);
      texts_[key] = row[score.key];
      double number = 0;
      const char* end = texts_[key].data() + texts_[key].size();
      const auto [stop, error] = std::from_chars(texts_[key].data(), end, number);
      if (!texts_[key].empty() && (error != std::errc() || stop != end))
        fail_request("{}: '{}' is no number", row.place, texts_[key]);
    }
  }
}

std::string ReportedScores::text(const std::string& method, const std::string& set,
                                 const char* key) const {
  const auto found = texts_.find(key_of(method, set, key));
  return found == texts_.end() ? std::string() : found->second;
}

std::optional<double> ReportedScores::percent(const std::string& method, const std::string& set,
                                              const char* key) const {
  const std::string found = text(method, set, key);
  if (found.empty()) return {};
  return std::stod(found);
}

MeanOf mean_of(const std::vector<double>& values) {
  MeanOf result;
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += std::pow(value - result.mean, 2);
  if (values.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

MeanOf valid_mrr(const CompareRow& row) {
  std::vector<double> values;
  for (const ComparedRun& run : row.runs) values.push_back(run.training.best_valid->mrr);
  return mean_of(values);
}

std::string score_cell(const MeanOf& fraction, std::size_t runs) {
  if (runs == 0) return no_figure;
  const std::string mean = percent(fraction.mean);
  return runs == 1 ? mean : fmt::format("{} ± {}", mean, percent(fraction.deviation));
}

std::string score_cell(const CompareRow* row, double Scores::*part) {
  if (row == nullptr) return no_figure;
  return score_cell({row->mean.*part, row->deviation.*part}, row->runs.size());
}

std::string signed_cell(double difference) {
  const std::string text = fmt::format("{:+.2f}", difference);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

std::string or_none(const std::string& text) { return text.empty() ? no_figure : text; }

Report opened_report(const std::string& title, const StudyRuns& runs) {
  Report report{title, {Paragraph{how_measured(runs)}}};
  for (const std::string& warning : warnings_of(runs))
    report.blocks.emplace_back(Paragraph{warning});
  return report;
}

Json study_json(const StudyRuns& runs, const ReproduceOptions& options) {
  const Processor processor = processor_here();
  Json json = {
      {"study", options.study},
      {"version", std::string(version())},
      {"command", options.command},
      {"complete", runs.complete()},
      {"seeds", runs.seeds},
      {"changes", options.changes},
      {"hardware",
       {{"engines", engines_of(runs)}, {"processor", processor.name}, {"cores", processor.cores}}},
      {"missing", Json::array()},
      {"sets", Json::object()}};
  for (const StudySet& set : runs.plan.missing) json["missing"].push_back(set.name);
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    json["sets"][runs.plan.sets[i].name] = set_json(runs.plan.sets[i], runs.comparisons[i]);
  return json;
}

}  // namespace orrery
