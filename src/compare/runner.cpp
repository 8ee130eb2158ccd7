#include "compare/runner.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "compare/contenders.h"
#include "compare/single_run.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "learn/run_lifecycle.h"
#include "learn/setup.h"
#include "orrery/scores.h"
#include "report/comparison.h"

namespace orrery {
namespace {

using Work = RunAhead::Work;

// The facts of a run, read once for all runs that read the same.
class Facts {
 public:
  const TemporalGraph& of(const TrainOptions& options) {
    // A seed cuts a single file.
    Key key{options.data,  options.granularity, options.min_facts,
            options.split, options.skip_bad,    options.split.empty() ? 0 : options.seed};
    if (key != key_) {
      data_ = load_facts(options.data, load_options_of(options));
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
  TemporalGraph data_;
  std::string fingerprint_;
};

CompareRow planned_row(const Contender& model, std::int64_t budget, Facts& facts) {
  CompareRow row;
  row.model = model;
  TrainOptions& options = row.model.options;
  const TemporalGraph& data = facts.of(options);
  for (const Split split : all_splits)
    if (data.split(split).empty())
      fail_request("{}: a comparison needs train, valid and test, and {} is empty", options.data,
                   name_of(split));
  if (budget > 0) options.dim = widest_dim(options, data, budget);
  row.parameters = parameters_of(options, data);
  return row;
}

bool taken_in(const CompareRow& row, std::uint64_t seed) {
  return std::ranges::count(row.runs, seed, &ComparedRun::seed) +
             std::ranges::count(row.failed, seed, &FailedRun::seed) >
         0;
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

// Two comparisons in one folder would overwrite each other's table.
HeldDirectory held_folder(const std::filesystem::path& out) {
  if (out.empty()) fail_request("name a directory for the runs with --out DIR");
  auto held = HeldDirectory::make(out);
  require_free(out);  // may be a run itself
  return held;
}

}  // namespace

ComparisonRunner::ComparisonRunner(const CompareOptions& options, const std::filesystem::path& out)
    : options_(settled(options)), out_(out), held_(held_folder(out)) {
  plan();
}

void ComparisonRunner::plan() {
  all_.data = options_.models.front().options.data;
  all_.budget = options_.budget;
  all_.seeds = options_.seeds;
  Facts facts;
  for (const Contender& model : options_.models) {
    const CompareRow& row = all_.rows.emplace_back(planned_row(model, options_.budget, facts));
    for (std::int64_t number = 0; number < options_.seeds; ++number) {
      const TrainOptions run = options_of_run(row, number);
      const auto path = run_of(model, run.seed, out_);
      left_of_run(path, run, facts.fingerprint_of(run));  // refuses what cannot be
    }
  }
  all_.runs = static_cast<std::int64_t>(all_.rows.size()) * options_.seeds;
}

TrainOptions ComparisonRunner::options_of_run(const CompareRow& row, std::int64_t number) const {
  TrainOptions options = row.model.options;
  options.seed += static_cast<std::uint64_t>(number);
  return options;
}

RunAhead ComparisonRunner::next(const CompareRow& row, const TrainOptions& run, Work work) const {
  return {.model = row.model.name,
          .seed = run.seed,
          .number = all_.runs_done + all_.runs_failed + 1,
          .of = all_.runs,
          .work = work};
}

void ComparisonRunner::gather(CompareObserver& told) {
  for (std::int64_t number = 0; number < options_.seeds; ++number)
    for (CompareRow& row : all_.rows) {
      const TrainOptions run = options_of_run(row, number);
      const auto path = run_of(row.model, run.seed, out_);
      const RunAhead ahead = next(row, run, Work::done);
      const RunLeft left = left_of_run(path, run);
      if (left.failure) {
        told.on_failure(ahead, *left.failure);
        take_in_failure(row, {run.seed, path, *left.failure});
      } else if (left.work == Work::done) {
        told.on_run(ahead);
        take_in(row, *carry_out(run, path, told, options_.keep_models));
      }
    }
  if (all_.runs_done + all_.runs_failed > 0) write();
}

bool ComparisonRunner::carry_out_seed(std::int64_t number, CompareObserver& told) {
  for (CompareRow& row : all_.rows) {
    const TrainOptions run = options_of_run(row, number);
    if (taken_in(row, run.seed)) continue;
    const auto path = run_of(row.model, run.seed, out_);
    const RunAhead ahead = next(row, run, left_of_run(path, run).work);
    told.on_run(ahead);
    try {
      auto result = carry_out(run, path, told, options_.keep_models);
      if (!result) return false;
      take_in(row, std::move(*result));
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::model) throw;
      told.on_failure(ahead, error.what());
      take_in_failure(row, {run.seed, path, error.what()});
    }
    write();
  }
  return true;
}

void ComparisonRunner::take_in(CompareRow& row, ComparedRun run) {
  row.runs.push_back(std::move(run));
  std::ranges::sort(row.runs, {}, &ComparedRun::seed);
  summarise(row);
  ++all_.runs_done;
}

void ComparisonRunner::take_in_failure(CompareRow& row, FailedRun run) {
  row.failed.push_back(std::move(run));
  std::ranges::sort(row.failed, {}, &FailedRun::seed);
  ++all_.runs_failed;
}

Comparison ComparisonRunner::so_far() const {
  Comparison comparison = all_;
  std::erase_if(comparison.rows,
                [](const CompareRow& row) { return row.runs.empty() && row.failed.empty(); });
  std::ranges::stable_sort(comparison.rows, std::ranges::greater{}, [](const CompareRow& row) {
    return row.runs.empty() ? -1.0 : row.mean.mrr;
  });
  return comparison;
}

void ComparisonRunner::write() const { write_comparison(so_far(), out_); }

}  // namespace orrery
