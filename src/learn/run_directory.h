// A run on disk: config.toml, model.safetensors, state.safetensors, metrics.jsonl, summary.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "learn/model_file.h"
#include "learn/state_file.h"
#include "orrery/train.h"

namespace orrery {

std::string_view name_of(TrainSummary::Ending ending);

// Its files alone; learn/run_lifecycle.h says what they mean for a run that is wanted.
class RunDirectory {
 public:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  // Must hold a run.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path state_file() const { return path_ / "state.safetensors"; }
  std::filesystem::path model_file() const { return path_ / "model.safetensors"; }
  bool has(std::string_view file) const;
  bool has_config() const { return has("config.toml"); }
  bool has_state() const { return has("state.safetensors"); }
  bool has_model() const { return has("model.safetensors"); }

  void write_config(const TrainOptions& options) const;
  TrainOptions read_config() const;

  void save_model(const ModelHeader& header, std::span<const TableSpec> tables,
                  const RowSource& rows) const;
  // A model and its state are two files. Until the state is saved too, the model that the last
  // state speaks of stays beside the new one.
  void keep_previous_model() const;
  void drop_previous_model() const;
  // After a kill between the two saves: the model of `best_epoch` again, if it was kept.
  void restore_previous_model(std::int64_t best_epoch) const;
  void save_state(const Engine& engine, const RunProgress& progress,
                  const std::string& data_fingerprint, const std::string& options) const;
  // Fills the engine; the state must be of the same data.
  RunProgress load_state(Engine& engine, const std::string& data_fingerprint) const;
  void discard_rows() const;  // model and state: what is measured of the run stays

  void append_metrics(const std::string& lines) const;
  void sync_metrics() const;
  // What an interrupted run will do again; the number of damaged lines that were left out.
  std::int64_t drop_metrics_from(std::int64_t epoch) const;
  std::vector<EpochReport> epochs() const;  // of metrics.jsonl
  std::vector<double> epoch_seconds() const;
  // Until the state was saved: as the summary says, or no less than its epochs took.
  double seconds_spent() const;
  void write_summary(const TrainSummary& summary, const TrainOptions& options,
                     std::int64_t parameters) const;
  // Nothing where there is none, or none that can be read: the state knows better.
  std::optional<TrainSummary> read_summary() const;
  // Those that shaped the model; nothing: it does not say, or cannot be read.
  std::optional<std::string> options_of_summary() const;

 private:
  std::filesystem::path metrics_file() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path previous_model_file() const { return path_ / "previous.safetensors"; }

  std::filesystem::path path_;
};

}  // namespace orrery
