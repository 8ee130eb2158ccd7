#include "compare/single_run.h"

#include <algorithm>
#include <vector>

#include "api/run_training.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "compare/test_scores.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

struct Stopped {};  // while judging

RunRequest request_for(const TrainOptions& options, const std::string& fingerprint) {
  return {options, "name another --out, or remove that run", true, fingerprint};
}

RunLeft left_of(const RunDirectory& run, const RunStanding& standing) {
  switch (standing.stage) {
    case RunStage::fresh:
      return {Work::train};
    case RunStage::resumable:
      return {Work::resume};
    case RunStage::failed:
      return {Work::resume, standing.reason};
    case RunStage::refused:
      throw standing.refusal.value();
    case RunStage::finished:
      break;
  }
  if (read_test_scores(run.path(), standing.summary.value())) return {Work::done};
  if (!run.has_model())
    fail_request(
        "{}: its model was discarded once it was judged, and its test.json is missing or "
        "damaged; remove that run to train it again",
        run.path().string());
  return {Work::judge};
}

JudgedRun judge_test(const TrainOptions& options, const RunDirectory& run,
                     TrainObserver& observer) {
  EvaluateOptions evaluation;
  // Data that is named is not held against the model's fingerprint: only what has moved, which
  // the plan has looked at, is.
  if (run.read_config().data != options.data) evaluation.data = options.data;
  evaluation.device = options.device;
  evaluation.threads = options.threads;
  evaluation.memory = options.memory;
  JudgeOptions judging;
  judging.progress = [&](std::size_t, std::size_t) {
    if (observer.stop_requested()) throw Stopped();
  };
  return judge_run(run.path(), evaluation, judging);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

RunLeft left_of_run(const std::filesystem::path& path, const TrainOptions& wanted,
                    const std::string& fingerprint) {
  const RunDirectory run(path);
  std::optional<HeldDirectory> held;
  std::error_code cannot_be;
  if (std::filesystem::is_directory(path, cannot_be)) held.emplace(HeldDirectory::existing(path));
  return left_of(run, standing_of(run, request_for(wanted, fingerprint)));
}

std::optional<ComparedRun> carry_out(const TrainOptions& options, const std::filesystem::path& path,
                                     TrainObserver& observer, bool keep_model) {
  const auto held = HeldDirectory::make(path);
  const RunDirectory run(path);
  const RunStanding standing = standing_of(run, request_for(options, {}));
  const Work work = left_of(run, standing).work;
  ComparedRun result;
  result.seed = options.seed;
  result.run = path;
  try {
    result.training = carry_out_training(run, standing, options, observer);
    if (result.training.ending == TrainSummary::Ending::interrupted) return {};
    if (work != Work::done)
      write_test_scores(path, result.training, judge_test(options, run, observer));
  } catch (const Stopped&) {
    return {};
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::model) note_failure(run, options, error.what());
    throw;
  }
  result.seconds_per_epoch = median(run.epoch_seconds());
  result.test = read_test_scores(path, result.training).value();
  result.origin = read_origin(path);
  if (!keep_model) run.discard_rows();
  return result;
}

}  // namespace orrery
