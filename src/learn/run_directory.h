// A run on disk: config.toml, model.safetensors, state.safetensors, metrics.jsonl, summary.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "learn/model_file.h"
#include "learn/state_file.h"
#include "orrery/train.h"

namespace orrery {

std::string_view name_of(TrainSummary::Ending ending);

class RunDirectory {
 public:
  // Must hold neither a run nor a sweep; the directory is made when the first file is written.
  static RunDirectory create(const std::filesystem::path& path);
  // Must hold a run.
  static RunDirectory open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  void make() const;  // the directory, if it is not there
  void write_config(const TrainOptions& options) const;
  TrainOptions read_config() const;

  void save_model(const ModelCard& card, std::span<const TableSpec> tables,
                  const RowSource& rows) const;
  void save_state(const Engine& engine, const RunProgress& progress,
                  const std::string& data_fingerprint, const std::string& options) const;
  bool has_state() const;
  bool has_model() const;
  void discard_rows() const;  // model and state: what is measured of the run stays
  // Fills the engine; the state must be of the same data.
  RunProgress load_state(Engine& engine, const std::string& data_fingerprint) const;

  void append_metrics(const EpochReport& report) const;
  void drop_metrics_from(std::int64_t epoch) const;  // what an interrupted run will do again
  std::vector<EpochReport> epochs() const;           // of metrics.jsonl
  std::vector<double> epoch_seconds() const;
  // Until the state was saved: as the summary says, or no less than its epochs took.
  double seconds_spent() const;
  void write_summary(const TrainSummary& summary, const ModelCard& card,
                     std::int64_t parameters) const;
  // Nothing where there is none, or none that can be read: the state knows better.
  std::optional<TrainSummary> read_summary() const;

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  template <class Use>
  void for_each_line_of_metrics(const Use& use) const;

  std::filesystem::path path_;
};

}  // namespace orrery
