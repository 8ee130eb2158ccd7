// A comparison on its way: planned as a whole, what is done taken in first, then seed by seed.
#include <algorithm>

#include "base/error.h"
#include "base/held_directory.h"
#include "compare/compared_models.h"
#include "compare/facts.h"
#include "compare/single_run.h"
#include "orrery/compare.h"
#include "orrery/models.h"
#include "orrery/run.h"
#include "report/comparison.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

CompareRow planned_row(const ComparedModel& model, std::int64_t budget, Facts& facts) {
  CompareRow row;
  row.model = model;
  TrainOptions& options = row.model.options;
  const Dataset& data = facts.of(options);
  for (const Split split : all_splits)
    if (data.facts(split).empty())
      fail_request(About{.option = "data", .place = {options.data}},
                   "a comparison needs train, valid and test, and {} is empty", name_of(split));
  if (budget > 0) options.dim = widest_dim(options, data, budget);
  row.parameters = parameter_count(options, data);
  return row;
}

bool taken_in(const CompareRow& row, std::uint64_t seed) {
  return std::ranges::count(row.runs, seed, &ComparedRun::seed) +
             std::ranges::count(row.failed, seed, &FailedRun::seed) >
         0;
}

void summarise(CompareRow& row) {
  std::vector<Scores> tests, without_history;
  std::vector<double> seconds;
  for (const ComparedRun& run : row.runs) {
    tests.push_back(run.test);
    if (run.without_history) without_history.push_back(*run.without_history);
    seconds.push_back(run.seconds_per_epoch);
    row.peak_memory = std::max(row.peak_memory, run.training.peak_memory);
  }
  row.seconds_per_epoch = statistics_of(seconds).mean;
  const ScoreStatistics statistics = statistics_of(tests);
  row.mean = statistics.mean;
  row.deviation = statistics.deviation;
  row.without_history.reset();
  if (!tests.empty() && without_history.size() == tests.size())
    row.without_history = statistics_of(without_history);
}

// Two comparisons in one folder would overwrite each other's table.
HeldDirectory held_folder(const std::filesystem::path& out) {
  if (out.empty())
    fail_request(About{.option = "out"}, "name a directory for the runs with $out DIR");
  auto held = HeldDirectory::make(out);
  require_free_directory(out);  // may be a run itself
  return held;
}

TrainOptions options_of_run(const CompareRow& row, std::int64_t number) {
  TrainOptions options = row.model.options;
  options.seed += static_cast<std::uint64_t>(number);
  return options;
}

}  // namespace

struct ComparisonRunner::State {
  CompareOptions options;
  std::filesystem::path out;
  HeldDirectory held;
  Facts facts;
  Comparison all = {};  // in the order of the models

  State(const CompareOptions& wanted, const std::filesystem::path& folder)
      : options(settled(wanted)), out(folder), held(held_folder(folder)), facts(options.data) {}

  void plan();
  RunAhead next(const CompareRow& row, const TrainOptions& run, Work work) const;
  std::optional<ComparedRun> result_of(const TrainOptions& run, const std::filesystem::path& path,
                                       CompareObserver& observer);
  void take_in(CompareRow& row, ComparedRun run);
  void take_in_failure(CompareRow& row, FailedRun run);
};

void ComparisonRunner::State::plan() {
  all.data = options.models.front().options.data;
  all.budget = options.budget;
  all.seeds = options.seeds;
  for (const ComparedModel& model : options.models) {
    const CompareRow& row = all.rows.emplace_back(planned_row(model, options.budget, facts));
    for (std::int64_t number = 0; number < options.seeds; ++number) {
      const TrainOptions run = options_of_run(row, number);
      left_of_run(run_of(model, run.seed, out), run, facts.of(run));  // refuses what cannot be
    }
  }
  all.runs = static_cast<std::int64_t>(all.rows.size()) * options.seeds;
}

RunAhead ComparisonRunner::State::next(const CompareRow& row, const TrainOptions& run,
                                       Work work) const {
  return {.model = row.model.name,
          .seed = run.seed,
          .number = all.runs_done + all.runs_failed + 1,
          .of = all.runs,
          .work = work};
}

std::optional<ComparedRun> ComparisonRunner::State::result_of(const TrainOptions& run,
                                                              const std::filesystem::path& path,
                                                              CompareObserver& observer) {
  return carry_out(run, path, facts.of(run), observer, options.keep_models);
}

void ComparisonRunner::State::take_in(CompareRow& row, ComparedRun run) {
  row.runs.push_back(std::move(run));
  std::ranges::sort(row.runs, {}, &ComparedRun::seed);
  summarise(row);
  ++all.runs_done;
}

void ComparisonRunner::State::take_in_failure(CompareRow& row, FailedRun run) {
  row.failed.push_back(std::move(run));
  std::ranges::sort(row.failed, {}, &FailedRun::seed);
  ++all.runs_failed;
}

ComparisonRunner::ComparisonRunner(const CompareOptions& options, const std::filesystem::path& out)
    : state_(std::make_unique<State>(options, out)) {
  state_->plan();
}
ComparisonRunner::~ComparisonRunner() = default;
ComparisonRunner::ComparisonRunner(ComparisonRunner&&) noexcept = default;
ComparisonRunner& ComparisonRunner::operator=(ComparisonRunner&&) noexcept = default;

void ComparisonRunner::gather(CompareObserver& observer) {
  for (std::int64_t number = 0; number < state_->options.seeds; ++number)
    for (CompareRow& row : state_->all.rows) {
      const TrainOptions run = options_of_run(row, number);
      const auto path = run_of(row.model, run.seed, state_->out);
      const RunAhead ahead = state_->next(row, run, Work::done);
      const RunLeft left = left_of_run(path, run, state_->facts.of(run));
      if (left.failure) {
        observer.on_failure(ahead, *left.failure);
        state_->take_in_failure(row, {run.seed, path, *left.failure});
      } else if (left.work == Work::done) {
        observer.on_run(ahead);
        state_->take_in(row, state_->result_of(run, path, observer).value());
      }
    }
  if (state_->all.runs_done + state_->all.runs_failed > 0) write_comparison(so_far(), state_->out);
}

bool ComparisonRunner::carry_out_seed(std::int64_t number, CompareObserver& observer) {
  for (CompareRow& row : state_->all.rows) {
    const TrainOptions run = options_of_run(row, number);
    if (taken_in(row, run.seed)) continue;
    const auto path = run_of(row.model, run.seed, state_->out);
    const RunAhead ahead =
        state_->next(row, run, left_of_run(path, run, state_->facts.of(run)).work);
    observer.on_run(ahead);
    try {
      auto result = state_->result_of(run, path, observer);
      if (!result) return false;
      state_->take_in(row, std::move(*result));
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::model) throw;
      observer.on_failure(ahead, error.what());
      state_->take_in_failure(row, {run.seed, path, error.what()});
    }
    write_comparison(so_far(), state_->out);
  }
  return true;
}

Comparison ComparisonRunner::so_far() const {
  Comparison comparison = state_->all;
  std::erase_if(comparison.rows,
                [](const CompareRow& row) { return row.runs.empty() && row.failed.empty(); });
  std::ranges::stable_sort(comparison.rows, std::ranges::greater{}, [](const CompareRow& row) {
    return row.runs.empty() ? -1.0 : row.mean.mrr;
  });
  return comparison;
}

}  // namespace orrery
