#include "api/compared_run.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "api/compare_scores.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "data/fingerprint.h"
#include "learn/options.h"
#include "learn/run_directory.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

struct Stopped {};  // while judging

bool holds_run(const std::filesystem::path& path) {
  return std::filesystem::exists(path / "config.toml");
}

// Wherever and however fast it goes; of its data the fingerprint is compared.
bool may_differ(const std::string& option) {
  return option == "device" || option == "threads" || option == "memory" || option == "data";
}

TrainSummary train_run(const TrainOptions& options, const std::filesystem::path& run, Work work,
                       TrainObserver& observer) {
  switch (work) {
    case Work::train:
      return train(options, run, &observer);
    case Work::resume:
      return resume(run,
                    {.data = options.data,
                     .device = options.device,
                     .threads = options.threads,
                     .memory = options.memory},
                    &observer);
    default:
      return RunDirectory::open(run).read_summary().value();
  }
}

JudgedRun judge_test(const TrainOptions& options, const RunDirectory& run,
                     TrainObserver& observer) {
  EvaluateOptions evaluation;
  // Data that is named is not held against the model's fingerprint: only what has moved, which
  // check_run() has looked at, is.
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

void check_run(const std::filesystem::path& path, const TrainOptions& wanted,
               const std::string& fingerprint) {
  if (!holds_run(path)) {
    RunDirectory::create(path);
    return;
  }
  const auto run = RunDirectory::open(path);
  for (const OptionDifference& found : differences(run.read_config(), wanted))
    if (!may_differ(found.name))
      fail_request(
          "{}: holds a run with {} = {}, and now it is to be {}; name another --out, or "
          "remove that run",
          path.string(), found.name, found.first, found.second);
  const auto summary = run.read_summary();
  if (summary && !same_data(summary->data_fingerprint, fingerprint))
    fail_request(
        "{}: holds a run on other facts (fingerprint {}, now {}); name another --out, or the data "
        "it was trained on",
        path.string(), summary->data_fingerprint, fingerprint);
}

Work work_on(const std::filesystem::path& path, const TrainOptions& wanted) {
  if (!holds_run(path)) return Work::train;
  const auto run = RunDirectory::open(path);
  const auto summary = run.read_summary();
  const bool done = summary && (summary->ending == TrainSummary::Ending::early_stop ||
                                (summary->ending == TrainSummary::Ending::finished &&
                                 summary->epochs_done == wanted.epochs));
  if (!done) return Work::resume;
  if (read_test_scores(path, *summary)) return Work::done;
  if (!run.has_model())
    fail_request(
        "{}: its model was discarded once it was judged, and its test.json is missing or "
        "damaged; remove that run to train it again",
        path.string());
  return Work::judge;
}

std::optional<ComparedRun> carry_out(const TrainOptions& options, const std::filesystem::path& run,
                                     Work work, TrainObserver& observer, bool keep_model) {
  ComparedRun result;
  result.seed = options.seed;
  result.run = run;
  result.training = train_run(options, run, work, observer);
  if (result.training.ending == TrainSummary::Ending::interrupted) return {};
  const auto directory = RunDirectory::open(run);
  result.seconds_per_epoch = median(directory.epoch_seconds());
  try {
    if (work != Work::done)
      write_test_scores(run, result.training, judge_test(options, directory, observer));
  } catch (const Stopped&) {
    return {};
  }
  result.test = read_test_scores(run, result.training).value();
  result.origin = read_origin(run);
  if (!keep_model) directory.discard_rows();
  return result;
}

void note_failure(const std::filesystem::path& run, const TrainOptions& options,
                  const std::string& reason) {
  // What does not fit fails before anything is written; the options must be known all the same.
  if (!holds_run(run)) RunDirectory::create(run).write_config(options);
  write_file_atomically(run / "failed.txt", reason + "\n");
}

std::optional<std::string> failure_of(const std::filesystem::path& run,
                                      const TrainOptions& wanted) {
  std::ifstream file(run / "failed.txt", std::ios::binary);
  if (!file) return {};
  if (holds_run(run)) {
    const TrainOptions tried = RunDirectory::open(run).read_config();
    if (tried.memory != wanted.memory || tried.device != wanted.device) return {};
  }
  std::string reason(std::istreambuf_iterator<char>(file), {});
  while (reason.ends_with('\n')) reason.pop_back();
  return reason.empty() ? "failed.txt does not say why" : reason;
}

void forget_failure(const std::filesystem::path& run) {
  std::error_code none_there;
  std::filesystem::remove(run / "failed.txt", none_there);
}

}  // namespace orrery
