// Comparing models: several are trained and evaluated on one data set, under one budget.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/evaluate.h"
#include "orrery/options.h"
#include "orrery/train.h"

namespace orrery {

struct ComparedModel {
  std::string name;      // in tables and directory names; empty: the model and its choices
  TrainOptions options;  // of the first run; each further run has the next seed
};

// The defaults of TrainOptions, but with validation every five epochs: models are compared at their
// best epochs.
TrainOptions comparison_defaults();
// "bsca", with choices "bsca:attention=none+product=componentwise", or a config file ending in
// ".toml"; other options are those of `base`.
ComparedModel compared_model(const std::string& words,
                             const TrainOptions& base = comparison_defaults());

// "38M", "500k", "1.5M" or plain digits; M is a million and k a thousand parameters.
std::int64_t parse_parameters(std::string_view text);

inline constexpr std::int64_t most_seeds = 1000;  // of a comparison, and of a sweep's trials

struct CompareOptions {
  std::vector<ComparedModel> models;
  std::optional<Dataset> data = {};  // empty: the models' `data` option
  // Parameters: each model gets the largest dim that fits; 0: the dim of its options.
  std::int64_t budget = 0;
  std::int64_t seeds = 1;  // runs of each model, at most most_seeds
  // false: a run's model is removed once it is evaluated; its measurements stay
  bool keep_models = true;
};

// Where a run was evaluated; empty: not recorded (by an earlier version).
struct RunOrigin {
  std::string version;  // of Orrery
  std::string processor;
  std::int64_t cores = 0;
};

struct ComparedRun {
  std::uint64_t seed = 0;
  std::filesystem::path run;
  TrainSummary training;
  double seconds_per_epoch = 0;                // median, training only
  Scores test;                                 // pessimistic
  std::optional<Scores> without_history = {};  // the same; empty: its model has no history
  RunOrigin origin;
};

// A run whose model diverged or did not fit into memory. The reason is in failed.txt in `run`; when
// that file is removed, the same call tries the run again.
struct FailedRun {
  std::uint64_t seed = 0;
  std::filesystem::path run;
  std::string reason;
};

struct CompareRow {
  ComparedModel model;  // with the dim it was trained with
  std::int64_t parameters = 0;
  std::vector<ComparedRun> runs;  // completed runs, by seed
  std::vector<FailedRun> failed;  // by seed
  Scores mean, deviation;         // of the test scores; the deviation of a single run is 0
  // Of the same models without what history adds to scores; empty: they have none.
  std::optional<ScoreStatistics> without_history = {};
  double seconds_per_epoch = 0;   // mean of the runs
  std::uint64_t peak_memory = 0;  // the most of any run; 0: not known
};

struct Comparison {
  std::string data;
  std::int64_t budget = 0, seeds = 1;
  // Models with at least one completed or failed run, best MRR first.
  std::vector<CompareRow> rows;
  std::int64_t runs_done = 0, runs_failed = 0, runs = 0;

  bool complete() const { return runs_done + runs_failed == runs; }  // false: interrupted
};

// The run that is about to start.
struct RunAhead {
  // `evaluate`: already trained; `done`: already evaluated
  enum class Work { train, resume, evaluate, done };
  std::string model;
  std::uint64_t seed = 0;
  std::int64_t number = 0, of = 0;
  Work work = Work::train;
};

class CompareObserver : public TrainObserver {
 public:
  virtual void on_run(const RunAhead&) {}
  // A run failed and is skipped. Called when it fails, and again by later calls to compare() that
  // find the failed run (then `work` is `done`).
  virtual void on_failure(const RunAhead&, const std::string& /*reason*/) {}
};

// Trains and evaluates every model, with one directory in `out` per model and seed. The same call
// continues an interrupted comparison: interrupted runs are resumed, trained runs are only
// evaluated, and evaluated runs are only read (test.json). Failed runs are skipped. compare.json
// and compare.md are written after each run. Wrong options are an Error before anything is trained.
Comparison compare(const CompareOptions& options, const std::filesystem::path& out,
                   CompareObserver* observer = nullptr);

// The same, one seed at a time, for callers that alternate between several comparisons.
class ComparisonRunner {
 public:
  // Wrong options are an Error here, before anything is trained. Locks `out` until destroyed.
  ComparisonRunner(const CompareOptions& options, const std::filesystem::path& out);
  ~ComparisonRunner();
  ComparisonRunner(ComparisonRunner&&) noexcept;
  ComparisonRunner& operator=(ComparisonRunner&&) noexcept;

  // Reads the runs in `out` that are completed or have failed, so that reports include them.
  void gather(CompareObserver& observer);
  // Trains and evaluates the remaining runs of one seed, counted from 0; false: interrupted.
  bool carry_out_seed(std::int64_t number, CompareObserver& observer);
  Comparison so_far() const;  // best MRR first

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The test scores of a run by relation, entity or history, from its test.json; a damaged file is a
// request Error, and so is one that lacks them. Without history there are none by entity.
std::vector<BreakdownRow> test_breakdown(const ComparedRun& run, By by, bool history = true);

}  // namespace orrery
