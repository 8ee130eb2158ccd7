#include "learn/run_directory.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "learn/options.h"
#include "learn/scores_json.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 3> ending_names = {"finished", "early_stop", "interrupted"};
using Json = nlohmann::ordered_json;

}  // namespace

RunDirectory RunDirectory::create(const std::filesystem::path& path) {
  if (std::filesystem::exists(path / "config.toml"))
    fail_request("{}: already holds a run; continue it with --resume {}, or name another --out",
                 path.string(), path.string());
  if (std::filesystem::exists(path / "sweep.toml"))
    fail_request("{}: holds a sweep; name another --out", path.string());
  if (std::filesystem::exists(path) && !std::filesystem::is_directory(path))
    fail_request("{}: is a file; a run needs a directory: name another --out", path.string());
  return RunDirectory(path);
}

RunDirectory RunDirectory::open(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "config.toml"))
    fail_request("{}: holds no run (there is no config.toml)", path.string());
  return RunDirectory(path);
}

void RunDirectory::make() const {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error)
    fail_request("{}: cannot be made ({}); name another --out", path_.string(), error.message());
}

void RunDirectory::write_config(const TrainOptions& options) const {
  make();
  write_file_atomically(path_ / "config.toml", options_to_toml(options));
}

TrainOptions RunDirectory::read_config() const { return read_options(path_ / "config.toml"); }

void RunDirectory::save_model(const ModelCard& card, std::span<const TableSpec> tables,
                              const RowSource& rows) const {
  write_model(path_ / "model.safetensors", card, tables, rows);
}

void RunDirectory::save_state(const Engine& engine, const RunProgress& progress,
                              const std::string& data_fingerprint,
                              const std::string& options) const {
  write_state(path_ / "state.safetensors", engine, progress, data_fingerprint, options);
}

bool RunDirectory::has_state() const {
  return std::filesystem::exists(path_ / "state.safetensors");
}

bool RunDirectory::has_model() const {
  return std::filesystem::exists(path_ / "model.safetensors");
}

void RunDirectory::discard_rows() const {
  for (const auto* file : {"state.safetensors", "model.safetensors"}) {
    std::error_code error;
    std::filesystem::remove(path_ / file, error);
    if (error) fail_broken("{}: cannot be removed ({})", (path_ / file).string(), error.message());
  }
}

RunProgress RunDirectory::load_state(Engine& engine, const std::string& data_fingerprint) const {
  return read_state(path_ / "state.safetensors", engine, data_fingerprint);
}

std::string_view name_of(TrainSummary::Ending ending) {
  return ending_names[static_cast<std::size_t>(ending)];
}

void RunDirectory::append_metrics(const EpochReport& r) const {
  Json json = {{"epoch", r.epoch},
               {"loss", r.loss},
               {"cross_entropy", r.cross_entropy},
               {"n3", r.n3},
               {"time", r.time},
               {"sides", r.sides},
               {"seconds", r.seconds},
               {"examples_per_second", r.examples_per_second}};
  if (r.valid) {
    json["valid"] = scores_to_json(*r.valid);
    json["best"] = r.best;
  }
  std::ofstream file(path_ / "metrics.jsonl", std::ios::app);
  file << json.dump() << '\n';
  if (!file.flush()) fail_broken("{}: cannot be written", (path_ / "metrics.jsonl").string());
}

void RunDirectory::drop_metrics_from(std::int64_t epoch) const {
  std::string kept;
  for_each_line_of_metrics([&](const std::string& line, const nlohmann::json& json) {
    if (json["epoch"].get<std::int64_t>() < epoch) kept += line + '\n';
  });
  write_file_atomically(path_ / "metrics.jsonl", kept);
}

std::vector<EpochReport> RunDirectory::epochs() const {
  std::vector<EpochReport> reports;
  for_each_line_of_metrics([&](const std::string&, const nlohmann::json& json) {
    EpochReport& report = reports.emplace_back();
    report.epoch = json["epoch"];
    report.seconds = json["seconds"];
    report.loss = json.value("loss", 0.0);
    report.cross_entropy = json.value("cross_entropy", 0.0);
    report.n3 = json.value("n3", 0.0);
    report.time = json.value("time", 0.0);
    report.sides = json.value("sides", 0.0);
    report.examples_per_second = json.value("examples_per_second", 0.0);
    if (json.contains("valid")) report.valid = scores_from_json(json["valid"]);
    report.best = json.value("best", false);
  });
  return reports;
}

std::vector<double> RunDirectory::epoch_seconds() const {
  std::vector<double> seconds;
  for_each_line_of_metrics([&](const std::string&, const nlohmann::json& json) {
    seconds.push_back(json["seconds"].get<double>());
  });
  return seconds;
}

// Earlier versions wrote no summary on the way: that of a crashed run may be older than its state.
double RunDirectory::seconds_spent() const {
  const auto summary = read_summary();
  const auto epochs = epoch_seconds();
  return std::max(summary ? summary->seconds : 0.0,
                  std::accumulate(epochs.begin(), epochs.end(), 0.0));
}

// A line cut short by a crash, or not ours, is passed over.
template <class Use>
void RunDirectory::for_each_line_of_metrics(const Use& use) const {
  const auto path = path_ / "metrics.jsonl";
  if (!std::filesystem::exists(path)) return;
  std::ifstream lines(path, std::ios::binary);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("epoch") && json["epoch"].is_number_integer() &&
        json.contains("seconds") && json["seconds"].is_number())
      use(line, json);
  }
}

void RunDirectory::write_summary(const TrainSummary& summary, const ModelCard& card,
                                 std::int64_t parameters) const {
  Json json = {{"ending", name_of(summary.ending)},
               {"version", std::string(version())},
               {"model", card.options.model},
               {"dim", card.options.dim},
               {"parameters", parameters},
               {"epochs_done", summary.epochs_done},
               {"loss", summary.loss},
               {"seconds", summary.seconds},
               {"peak_memory", summary.peak_memory},
               {"data_fingerprint", summary.data_fingerprint},
               {"engine", summary.engine}};
  if (summary.best_valid) {
    json["best_epoch"] = summary.best_epoch;
    json["best_valid"] = scores_to_json(*summary.best_valid);
  }
  write_file_atomically(path_ / "summary.json", json.dump(2) + "\n");
}

std::optional<TrainSummary> RunDirectory::read_summary() const {
  std::ifstream file(path_ / "summary.json", std::ios::binary);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  try {
    TrainSummary summary;
    const auto ending = std::ranges::find(ending_names, json.at("ending").get<std::string>());
    if (ending == ending_names.end()) return {};
    summary.ending = static_cast<TrainSummary::Ending>(ending - ending_names.begin());
    summary.epochs_done = json.at("epochs_done");
    summary.loss = json.at("loss");
    summary.seconds = json.at("seconds");
    summary.peak_memory = json.value("peak_memory", std::uint64_t{0});  // earlier ones do not say
    summary.data_fingerprint = json.at("data_fingerprint");
    summary.engine = json.at("engine");
    if (json.contains("best_valid")) {
      summary.best_epoch = json.at("best_epoch");
      summary.best_valid = scores_from_json(json.at("best_valid"));
    }
    return summary;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace orrery
