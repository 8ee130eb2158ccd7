#include "learn/run_lifecycle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/paths.h"
#include "data/fingerprint.h"
#include "learn/model_header.h"
#include "learn/options.h"

namespace orrery {
namespace {

using Ending = TrainSummary::Ending;

// What was saved says what it was trained with; before anything is, the config is all there is.
// States and summaries of earlier versions do not say it, and rows may have been discarded.
std::optional<TrainOptions> trained_with(const RunDirectory& run) {
  std::optional<std::string> options;
  if (run.has_state()) options = options_of_state(run.state_file());
  if (!options && run.has_model()) options = options_of_model(run.model_file());
  if (!options) options = run.options_of_summary();
  if (!options) return {};
  return read_recorded_options(*options, run.path().string());
}

void check_config(const RunDirectory& run, const TrainOptions& config, const RunRequest& wanted) {
  const auto trained = trained_with(run);
  if (!trained) return;
  std::string option;
  std::vector<std::string> says, was;
  for (const OptionDifference& found : differences(config, *trained)) {
    if (found.decides != Decides::result) continue;
    if (option.empty()) option = found.name;
    says.push_back(fmt::format("{} = {}", found.name, found.first));
    was.push_back(fmt::format("{} = {}", found.name, found.second));
  }
  if (!says.empty())
    fail_request(About{.option = option,
                       .place = {run.path().string()},
                       .advice = worded("set it back, or {}", wanted.otherwise)},
                 "config.toml says {}, and the run was trained with {}", fmt::join(says, ", "),
                 fmt::join(was, ", "));
}

void check_wanted(const RunDirectory& run, const TrainOptions& config, const RunRequest& wanted) {
  for (const OptionDifference& found : differences(config, wanted.options)) {
    if (found.decides == Decides::place) continue;
    if (found.decides == Decides::length && !wanted.of_this_length) continue;
    check_config(run, config, wanted);
    fail_request(
        About{.option = found.name, .place = {run.path().string()}, .advice = wanted.otherwise},
        "holds a run with {} = {}, and now it is to be {}", found.name, found.first, found.second);
  }
}

void check_summary(const RunDirectory& run, const TrainSummary& summary, const RunRequest& wanted) {
  if (!wanted.data_fingerprint.empty() &&
      !same_data(summary.data_fingerprint, wanted.data_fingerprint))
    fail_request(
        About{.option = "data", .place = {run.path().string()}, .advice = wanted.otherwise},
        "holds a run on other facts (fingerprint {}, now {})", summary.data_fingerprint,
        wanted.data_fingerprint);
  if (summary.epochs_done > wanted.options.epochs)
    fail_request(
        About{.option = "epochs", .place = {run.path().string()}, .advice = wanted.otherwise},
        "has done {} epochs already, and $epochs {} is less", summary.epochs_done,
        wanted.options.epochs);
}

bool is_finished(const TrainSummary& summary, const TrainOptions& wanted) {
  return summary.ending == Ending::early_stop ||
         (summary.ending == Ending::finished && summary.epochs_done == wanted.epochs);
}

// Nothing: it has not failed, or may do better this time.
std::optional<std::string> failure_of(const RunDirectory& run, const TrainOptions& tried,
                                      const TrainOptions& wanted) {
  require_regular_or_nothing(run.path() / "failed.txt");
  std::ifstream file(run.path() / "failed.txt", std::ios::binary);
  if (!file || tried.memory != wanted.memory || tried.device != wanted.device) return {};
  std::string reason;
  std::getline(file, reason);
  return reason.empty() ? "failed.txt does not say why" : reason;
}

RunStatus status_of_existing(const RunDirectory& run, const RunRequest& wanted) {
  RunStatus status;
  const TrainOptions config = config_of(run);
  check_wanted(run, config, wanted);
  status.summary = run.read_summary();
  if (status.summary) check_summary(run, *status.summary, wanted);
  check_config(run, config, wanted);
  if (const auto reason = failure_of(run, config, wanted.options)) {
    status.stage = RunStage::failed;
    status.failure = *reason;
    return status;
  }
  if (status.summary && is_finished(*status.summary, wanted.options)) {
    status.stage = RunStage::finished;
    return status;
  }
  if (run.has("summary.json") && !run.has_state())
    fail_request(About{.place = {run.path().string()}, .advice = wanted.otherwise},
                 "state.safetensors is gone, and nothing can go on without it");
  status.stage = RunStage::resumable;
  return status;
}

}  // namespace

RunStatus status_of(const RunDirectory& run, const RunRequest& wanted) {
  if (run.has_config()) return status_of_existing(run, wanted);
  require_free_directory(run.path());
  return {};
}

void require_free_directory(const std::filesystem::path& path) {
  const RunDirectory run(path);
  const About another{
      .option = "out", .place = {path.string()}, .advice = worded("name another $out")};
  if (run.has_config())
    fail_request(
        About{.option = "out",
              .place = {path.string()},
              .advice = worded("continue it with $resume {}, or name another $out", path.string())},
        "already holds a run");
  if (run.has("sweep.toml")) fail_request(another, "holds a sweep");
  for (const auto* part : {"state.safetensors", "model.safetensors"})
    if (run.has(part)) fail_request(another, "holds {} of a run without its config.toml", part);
  std::error_code cannot_be;
  const auto status = std::filesystem::status(path, cannot_be);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    fail_request(another, "is a file, and a directory is needed");
}

TrainOptions config_of(const RunDirectory& run) {
  RunDirectory::open(run.path());
  try {
    return run.read_config();
  } catch (const Error& error) {
    if (!run.has_state()) throw;
    throw error.with_advice(
        "what was saved of the run is as it was: mend config.toml, and it goes on");
  }
}

void note_failure(const RunDirectory& run, const TrainOptions& options, const std::string& reason) {
  // What does not fit fails before anything is written; the options, and on which device and with
  // which memory it failed, must be known all the same.
  run.write_config(options);
  write_file_atomically(run.path() / "failed.txt", reason + "\n");
}

void forget_failure(const RunDirectory& run) {
  std::error_code none_there;
  std::filesystem::remove(run.path() / "failed.txt", none_there);
}

}  // namespace orrery
