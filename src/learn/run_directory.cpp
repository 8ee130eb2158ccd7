#include "learn/run_directory.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "learn/metrics_file.h"
#include "learn/options.h"
#include "orrery/version.h"
#include "page/json_fields.h"
#include "page/scores_json.h"
#include "page/summary_json.h"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 3> ending_names = {"finished", "early_stop", "interrupted"};

void remove_file(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error)
    fail_broken(About{.place = {file.string()}}, "cannot be removed ({})", error.message());
}

}  // namespace

RunDirectory RunDirectory::open(const std::filesystem::path& path) {
  RunDirectory run(path);
  if (!run.has_config())
    fail_request("{}: holds no run (there is no config.toml{})", path.string(),
                 run.has_state() ? "; bring it back: what was saved of the run is there" : "");
  return run;
}

bool RunDirectory::has(std::string_view file) const { return path_exists(path_ / file); }

void RunDirectory::write_config(const TrainOptions& options) const {
  write_file_atomically(path_ / "config.toml", config_text(options));
}

TrainOptions RunDirectory::read_config() const {
  const auto file = path_ / "config.toml";
  return read_recorded_options(MappedFile(file).text(), file.string());
}

void RunDirectory::save_model(const ModelHeader& header, std::span<const TableSpec> tables,
                              const RowSource& rows) const {
  write_model(model_file(), header, tables, rows);
}

void RunDirectory::save_state(const Engine& engine, const RunProgress& progress,
                              const std::string& data_fingerprint,
                              const std::string& options) const {
  write_state(state_file(), engine, progress, data_fingerprint, options);
}

RunProgress RunDirectory::load_state(Engine& engine, const std::string& data_fingerprint) const {
  return read_state(state_file(), engine, data_fingerprint);
}

void RunDirectory::discard_rows() const {
  for (const auto& file : {state_file(), model_file(), previous_model_file()}) remove_file(file);
}

void RunDirectory::keep_previous_model() const {
  // One that is there already is of the last state: later ones were not saved whole.
  if (!has_state() || !has_model() || path_exists(previous_model_file())) return;
  std::error_code error;
  std::filesystem::create_hard_link(model_file(), previous_model_file(), error);
  if (error) std::filesystem::copy_file(model_file(), previous_model_file(), error);
  if (error)
    fail_broken(About{.place = {previous_model_file().string()}}, "cannot be written ({})",
                error.message());
}

void RunDirectory::drop_previous_model() const { remove_file(previous_model_file()); }

void RunDirectory::restore_previous_model(std::int64_t best_epoch) const {
  if (!path_exists(previous_model_file())) return;
  const bool is_of_state =
      has_model() && read_header(SafetensorsFile(model_file()), Verify::header).epoch == best_epoch;
  if (is_of_state)
    drop_previous_model();
  else
    std::filesystem::rename(previous_model_file(), model_file());
}

std::string_view name_of(TrainSummary::Ending ending) {
  return ending_names[static_cast<std::size_t>(ending)];
}

void RunDirectory::append_metrics(const std::string& lines) const {
  append_to_metrics(metrics_file(), lines);
}

void RunDirectory::sync_metrics() const { orrery::sync_metrics(metrics_file()); }

std::int64_t RunDirectory::drop_metrics_from(std::int64_t epoch) const {
  return has("metrics.jsonl") ? keep_metrics_before(metrics_file(), epoch) : 0;
}

std::vector<EpochReport> RunDirectory::epochs() const { return read_metrics(metrics_file()); }

std::vector<double> RunDirectory::epoch_seconds() const {
  std::vector<double> seconds;
  for (const EpochReport& report : epochs()) seconds.push_back(report.seconds);
  return seconds;
}

// Earlier versions wrote no summary on the way: that of a crashed run may be older than its state.
double RunDirectory::seconds_spent() const {
  const auto summary = read_summary();
  const auto epochs = epoch_seconds();
  return std::max(summary ? summary->seconds : 0.0,
                  std::accumulate(epochs.begin(), epochs.end(), 0.0));
}

void RunDirectory::write_summary(const TrainSummary& summary, const TrainOptions& options,
                                 std::int64_t parameters) const {
  nlohmann::ordered_json json = {{"version", std::string(version())},
                                 {"model", options.model},
                                 {"dim", options.dim},
                                 {"parameters", parameters}};
  json.update(summary_to_json(summary));
  json["epoch_seconds"] = summary.epoch_seconds;
  json["options"] = shaping_options_to_toml(options);
  if (summary.best_valid) {
    json["best_epoch"] = summary.best_epoch;
    json["best_valid"] = scores_to_json(*summary.best_valid);
  }
  write_file_atomically(path_ / "summary.json", json.dump(2) + "\n");
}

std::optional<std::string> RunDirectory::options_of_summary() const {
  const auto json = json_of_file(path_ / "summary.json");
  if (!json.is_object() || !json.contains("options") || !json["options"].is_string()) return {};
  return json["options"].get<std::string>();
}

std::optional<TrainSummary> RunDirectory::read_summary() const {
  const auto json = json_of_file(path_ / "summary.json");
  try {
    TrainSummary summary;
    const auto ending = std::ranges::find(ending_names, json_text(json, "ending"));
    if (ending == ending_names.end()) return {};
    summary.ending = static_cast<TrainSummary::Ending>(ending - ending_names.begin());
    summary.epochs_done = json_whole(json, "epochs_done");
    summary.loss = json_number(json, "loss");
    summary.seconds = json_number(json, "seconds");
    // Earlier ones do not say these two.
    if (json.contains("epoch_seconds")) summary.epoch_seconds = json_number(json, "epoch_seconds");
    if (json.contains("peak_memory")) summary.peak_memory = json_unsigned(json, "peak_memory");
    summary.data_fingerprint = json_text(json, "data_fingerprint");
    summary.engine = json_text(json, "engine");
    if (json.contains("best_valid")) {
      summary.best_epoch = json_whole(json, "best_epoch");
      summary.best_valid = json_scores(json["best_valid"]);
    }
    return summary;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace orrery
