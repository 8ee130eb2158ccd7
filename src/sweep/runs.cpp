#include "sweep/runs.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/paths.h"
#include "orrery/run.h"

namespace orrery {
namespace {

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
                                      const std::filesystem::path& path, const Dataset& data,
                                      TrainObserver& observer) {
  Run run = Run::begin_or_resume(path,
                                 {.options = options,
                                  .otherwise = "remove this run and run the same command again",
                                  .data_fingerprint = data.fingerprint()},
                                 data);
  const TrainSummary summary = run.train(&observer);
  if (summary.ending == TrainSummary::Ending::interrupted) return {};
  if (!summary.best_valid)
    fail_broken(About{.place = {path.string()}, .advice = "remove it"},
                "was trained without validation");
  return TrialRun{options.seed, *summary.best_valid, summary.best_epoch, summary.epochs_done,
                  summary.seconds};
}

void remove_runs(const std::filesystem::path& out,
                 const std::function<bool(std::int64_t)>& wanted) {
  if (!is_directory_at(out / "runs")) return;
  std::vector<std::filesystem::path> unwanted;
  for (const auto& entry : std::filesystem::directory_iterator(out / "runs")) {
    const auto trial = trial_of(entry.path().filename().string());
    if (trial && !wanted(*trial)) unwanted.push_back(entry.path());
  }
  for (const auto& path : unwanted) {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error)
      fail_broken(About{.place = {path.string()}}, "cannot be removed ({})", error.message());
  }
}

}  // namespace orrery
