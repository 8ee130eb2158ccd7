#include "orrery/compare.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "api/compare_report.h"
#include "api/compare_scores.h"
#include "api/contenders.h"
#include "api/judged_run.h"
#include "api/scores.h"
#include "base/error.h"
#include "data/load.h"
#include "learn/options.h"
#include "learn/run_directory.h"
#include "learn/setup.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

struct Stopped {};  // while judging

// A run that is there must be the one that is wanted, wherever and however fast it goes.
void check_run(const RunDirectory& run, const TrainOptions& wanted) {
  for (const OptionDifference& found : differences(run.read_config(), wanted)) {
    if (found.name == "device" || found.name == "threads" || found.name == "memory") continue;
    fail_request(
        "{}: holds a run with {} = {}, and now it is to be {}; name another --out, or "
        "remove that run",
        run.path().string(), found.name, found.first, found.second);
  }
}

Work work_on(const std::filesystem::path& path, const TrainOptions& wanted) {
  if (!std::filesystem::exists(path / "config.toml")) {
    RunDirectory::create(path);  // refuses what can be no directory
    return Work::train;
  }
  const auto run = RunDirectory::open(path);
  check_run(run, wanted);
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

// The facts of a run, read once for all runs that read the same.
class Facts {
 public:
  const Dataset& of(const TrainOptions& options) {
    // A seed cuts a single file.
    Key key{options.data,  options.granularity, options.min_facts,
            options.split, options.skip_bad,    options.split.empty() ? 0 : options.seed};
    if (key != key_) {
      data_ = load_dataset(options.data, load_options_of(options));
      fingerprint_.clear();
      key_ = std::move(key);
    }
    return data_;
  }
  const std::string& fingerprint_of(const TrainOptions& options) {
    of(options);
    if (fingerprint_.empty()) fingerprint_ = fingerprint(data_);
    return fingerprint_;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::int64_t, std::string, bool, std::uint64_t>;
  Key key_;
  Dataset data_;
  std::string fingerprint_;
};

// Training and judging see to it by themselves; of a run that is done only its words are left.
void check_facts(const std::filesystem::path& path, const std::string& fingerprint) {
  const auto summary = RunDirectory::open(path).read_summary();
  if (summary->data_fingerprint != fingerprint)
    fail_request("{}: the data is not what the run was trained on (fingerprint {}, now {})",
                 path.string(), summary->data_fingerprint, fingerprint);
}

TrainOptions options_of_run(const CompareRow& row, std::int64_t number) {
  TrainOptions options = row.model.options;
  options.seed += static_cast<std::uint64_t>(number);
  return options;
}

CompareRow planned_row(const Contender& model, std::int64_t budget, Facts& facts) {
  CompareRow row;
  row.model = model;
  TrainOptions& options = row.model.options;
  const Dataset& data = facts.of(options);
  for (const Split split : all_splits)
    if (data.split(split).empty())
      fail_request("{}: a comparison needs train, valid and test, and {} is empty", options.data,
                   name_of(split));
  if (budget > 0) options.dim = widest_dim(options, data, budget);
  row.parameters = parameters_of(options, data);
  return row;
}

// Everything that can be refused before anything is trained.
Comparison planned(const CompareOptions& options, const std::filesystem::path& out) {
  if (out.empty()) fail_request("name a directory for the runs with --out DIR");
  RunDirectory::create(out);  // refuses a file, and what is a run itself
  Comparison plan;
  plan.data = options.models.front().options.data;
  plan.budget = options.budget;
  plan.seeds = options.seeds;
  Facts facts;
  for (const Contender& model : options.models) {
    plan.rows.push_back(planned_row(model, options.budget, facts));
    for (std::int64_t number = 0; number < options.seeds; ++number) {
      const TrainOptions run = options_of_run(plan.rows.back(), number);
      const auto path = run_of(model, run.seed, out);
      if (work_on(path, run) == Work::done) check_facts(path, facts.fingerprint_of(run));
    }
  }
  plan.runs = static_cast<std::int64_t>(plan.rows.size()) * options.seeds;
  return plan;
}

TrainSummary train_run(const TrainOptions& options, const std::filesystem::path& run, Work work,
                       TrainObserver& observer) {
  switch (work) {
    case Work::train:
      return train(options, run, &observer);
    case Work::resume:
      return resume(
          run, {.device = options.device, .threads = options.threads, .memory = options.memory},
          &observer);
    default:
      return RunDirectory::open(run).read_summary().value();
  }
}

JudgedRun judge_test(const TrainOptions& options, const std::filesystem::path& run,
                     TrainObserver& observer) {
  EvaluateOptions evaluation;
  evaluation.device = options.device;
  evaluation.threads = options.threads;
  evaluation.memory = options.memory;
  JudgeOptions judging;
  judging.progress = [&](std::size_t, std::size_t) {
    if (observer.stop_requested()) throw Stopped();
  };
  return judge_run(run, evaluation, judging);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Nothing: it was interrupted.
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
      write_test_scores(run, result.training, judge_test(options, run, observer));
  } catch (const Stopped&) {
    return {};
  }
  result.test = read_test_scores(run, result.training).value();
  if (!keep_model) directory.discard_rows();
  return result;
}

void summarise(CompareRow& row) {
  std::vector<Scores> tests;
  row.seconds_per_epoch = 0;
  for (const ComparedRun& run : row.runs) {
    tests.push_back(run.test);
    row.seconds_per_epoch += run.seconds_per_epoch / static_cast<double>(row.runs.size());
    row.peak_memory = std::max(row.peak_memory, run.training.peak_memory);
  }
  const ScoreStatistics statistics = statistics_of(tests);
  row.mean = statistics.mean;
  row.deviation = statistics.deviation;
}

Comparison ranked(Comparison comparison) {
  std::erase_if(comparison.rows, [](const CompareRow& row) { return row.runs.empty(); });
  std::ranges::stable_sort(comparison.rows, std::ranges::greater{},
                           [](const CompareRow& row) { return row.mean.mrr; });
  return comparison;
}

}  // namespace

Comparison compare(const CompareOptions& options, const std::filesystem::path& out,
                   CompareObserver* observer) {
  CompareObserver silent;
  CompareObserver& told = observer != nullptr ? *observer : silent;
  Comparison all = planned(settled(options), out);
  // Every model once before any is trained again: there is a table soon.
  for (std::int64_t number = 0; number < options.seeds; ++number) {
    for (CompareRow& row : all.rows) {
      const TrainOptions run_options = options_of_run(row, number);
      const auto path = run_of(row.model, run_options.seed, out);
      const Work work = work_on(path, run_options);
      told.on_run({.model = row.model.name,
                   .seed = run_options.seed,
                   .number = all.runs_done + 1,
                   .of = all.runs,
                   .work = work});
      auto run = carry_out(run_options, path, work, told, options.keep_models);
      if (!run) return ranked(std::move(all));
      row.runs.push_back(std::move(*run));
      summarise(row);
      ++all.runs_done;
      write_comparison(ranked(all), out);
    }
  }
  return ranked(std::move(all));
}

}  // namespace orrery
