#include "study/sweep_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "data/fingerprint.h"
#include "learn/options.h"
#include "learn/run_directory.h"

namespace orrery {
namespace {

using Ending = TrainSummary::Ending;

// Further epochs are what rungs are about; the others never change a result, of the same facts.
bool may_change(const std::string& option) {
  constexpr std::array<std::string_view, 5> names = {"epochs", "data", "device", "threads",
                                                     "memory"};
  return std::ranges::find(names, option) != names.end();
}

TrainSummary go_on(const RunDirectory& run, const TrainOptions& wanted, TrainObserver& observer) {
  for (const OptionDifference& found : differences(run.read_config(), wanted))
    if (!may_change(found.name))
      fail_broken("{}: holds a run with {} = {}, and this sweep's is to have {}; remove it",
                  run.path().string(), found.name, found.first, found.second);
  const auto summary = run.read_summary();
  if (summary && summary->epochs_done > wanted.epochs)
    fail_broken("{}: has done {} epochs, and this sweep asks for {}; remove it",
                run.path().string(), summary->epochs_done, wanted.epochs);
  if (summary && (summary->ending == Ending::early_stop ||
                  (summary->ending == Ending::finished && summary->epochs_done == wanted.epochs)))
    return *summary;
  return resume(run.path(),
                {.epochs = wanted.epochs,
                 .data = wanted.data,
                 .device = wanted.device,
                 .threads = wanted.threads,
                 .memory = wanted.memory},
                &observer);
}

// The trial of a directory that is called TRIAL-SEED.
std::optional<std::int64_t> trial_of(const std::string& name) {
  std::int64_t trial = 0;
  std::uint64_t seed = 0;
  const char* end = name.data() + name.size();
  const auto dash = std::from_chars(name.data(), end, trial);
  if (dash.ec != std::errc() || dash.ptr == end || *dash.ptr != '-') return {};
  const auto stop = std::from_chars(dash.ptr + 1, end, seed);
  if (stop.ec != std::errc() || stop.ptr != end) return {};
  return trial;
}

}  // namespace

std::filesystem::path run_of_trial(const std::filesystem::path& out, std::int64_t trial,
                                   std::uint64_t seed) {
  return out / "runs" / fmt::format("{}-{}", trial, seed);
}

std::optional<TrialRun> carry_out_run(const TrainOptions& options,
                                      const std::filesystem::path& path,
                                      const std::string& data_fingerprint,
                                      TrainObserver& observer) {
  const bool begun = std::filesystem::exists(path / "config.toml");
  const TrainSummary summary =
      begun ? go_on(RunDirectory::open(path), options, observer) : train(options, path, &observer);
  if (!same_data(summary.data_fingerprint, data_fingerprint))
    fail_request(
        "{}: was trained on other facts than this sweep's (fingerprint {}, the sweep's is {}); "
        "remove this run, and the same command goes on",
        path.string(), summary.data_fingerprint, data_fingerprint);
  if (summary.ending == Ending::interrupted) return {};
  if (!summary.best_valid)
    fail_broken("{}: was trained without validation; remove it", path.string());
  return TrialRun{options.seed, *summary.best_valid, summary.best_epoch, summary.epochs_done,
                  summary.seconds};
}

void remove_runs(const std::filesystem::path& out,
                 const std::function<bool(std::int64_t)>& wanted) {
  if (!std::filesystem::is_directory(out / "runs")) return;
  std::vector<std::filesystem::path> unwanted;
  for (const auto& entry : std::filesystem::directory_iterator(out / "runs")) {
    const auto trial = trial_of(entry.path().filename().string());
    if (trial && !wanted(*trial)) unwanted.push_back(entry.path());
  }
  for (const auto& path : unwanted) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) fail_broken("{}: cannot be removed ({})", path.string(), error.message());
  }
}

}  // namespace orrery
