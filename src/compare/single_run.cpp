#include "compare/single_run.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "compare/test_scores.h"
#include "orrery/run.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

struct Stopped {};  // while evaluating

RunRequest request_for(const TrainOptions& options, const Dataset& data) {
  return {.options = options,
          .of_this_length = true,
          .otherwise = worded("name another $out, or remove that run"),
          .data_fingerprint = data.fingerprint()};
}

bool has_history(const TrainOptions& options) { return options.history != "none"; }

RunLeft left_of(const std::filesystem::path& run, const RunStatus& status,
                const TrainOptions& wanted) {
  switch (status.stage) {
    case RunStage::fresh:
      return {Work::train};
    case RunStage::resumable:
      return {Work::resume};
    case RunStage::failed:
      return {Work::resume, status.failure};
    case RunStage::finished:
      break;
  }
  // An earlier version judged models with history once; where the model is gone, that is all.
  const auto scores = read_test_scores(run, status.summary.value());
  const bool whole = scores && (scores->without_history || !has_history(wanted));
  if (whole || (scores && !holds_model(run))) return {Work::done};
  if (!holds_model(run))
    fail_request(About{.place = {run.string()}, .advice = "remove that run to train it again"},
                 "its model was discarded once it was evaluated, and its test.json is missing or "
                 "damaged");
  return {Work::evaluate};
}

// Opened for one evaluation, so that no two of its engines share a device.
Evaluation evaluate_test(const Run& run, const Dataset& data, const EvaluateOptions& how) {
  const TrainOptions& options = run.options();
  const Model model =
      Model::open(run.directory(),
                  {.device = options.device, .threads = options.threads, .memory = options.memory});
  if (!same_data(model.card().data_fingerprint, data.fingerprint()))
    fail_request(About{.option = "data",
                       .place = {run.directory().string()},
                       .advice = "remove that run to train it again"},
                 "its model was trained on other facts (fingerprint {}, now {})",
                 model.card().data_fingerprint, data.fingerprint());
  return evaluate(model, data, how);
}

void judge_test(const Run& run, const TrainSummary& training, const Dataset& data,
                TrainObserver& observer) {
  EvaluateOptions how;
  how.progress = [&](std::size_t, std::size_t) {
    if (observer.stop_requested()) throw Stopped();
  };
  const Evaluation with = evaluate_test(run, data, how);
  std::optional<Evaluation> without;
  how.history = false;
  if (has_history(run.options())) without = evaluate_test(run, data, how);
  write_test_scores(run.directory(), training, with, without ? &*without : nullptr);
}

double median_seconds(const std::vector<EpochReport>& epochs) {
  if (epochs.empty()) return 0;
  std::vector<double> seconds;
  for (const EpochReport& epoch : epochs) seconds.push_back(epoch.seconds);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::ranges::nth_element(seconds, middle);
  return *middle;
}

}  // namespace

RunLeft left_of_run(const std::filesystem::path& run, const TrainOptions& wanted,
                    const Dataset& data) {
  return left_of(run, Run::status(run, request_for(wanted, data)), wanted);
}

std::optional<ComparedRun> carry_out(const TrainOptions& options, const std::filesystem::path& path,
                                     const Dataset& data, TrainObserver& observer,
                                     bool keep_model) {
  Run run = Run::begin_or_resume(path, request_for(options, data), data);
  const Work work = left_of(path, run.status(), options).work;
  ComparedRun result;
  result.seed = options.seed;
  result.run = path;
  try {
    result.training = run.train(&observer);
    if (result.training.ending == TrainSummary::Ending::interrupted) return {};
    if (work != Work::done) judge_test(run, result.training, data, observer);
  } catch (const Stopped&) {
    return {};
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::model) run.note_failure(error.what());
    throw;
  }
  result.seconds_per_epoch = median_seconds(run_record(path).epochs);
  const TestScores scores = read_test_scores(path, result.training).value();
  result.test = scores.test;
  result.without_history = scores.without_history;
  result.origin = read_origin(path);
  if (!keep_model) run.discard_model();
  return result;
}

}  // namespace orrery
