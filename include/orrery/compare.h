// Several models on one data set, under one budget: trained, evaluated and set side by side.
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

struct Contender {
  std::string name;      // in the table, and of its runs; empty: its model with its choices
  TrainOptions options;  // of its runs; their seeds go up from this one
};

// As TrainOptions are, but validated every five epochs: models are compared at their best.
TrainOptions comparison_defaults();
// "bsca", with choices "bsca:attention=none+product=componentwise", or a config file ending in
// ".toml"; all else is as in `base`.
Contender contender_named(const std::string& words,
                          const TrainOptions& base = comparison_defaults());

// "38M", "500k", "1.5M" or plain digits: decimal, as the literature counts parameters.
std::int64_t parse_parameters(std::string_view text);

struct CompareOptions {
  std::vector<Contender> models;
  std::optional<Dataset> data = {};  // empty: the facts that the models' options name
  std::int64_t budget = 0;  // parameters: each model takes the largest dim that fits; 0: its own
  std::int64_t seeds = 1;   // runs of each model, at most 1000
  // false: once a run is evaluated its model is removed, and what is measured of it stays
  bool keep_models = true;
};

// Where a run was evaluated; empty: an earlier version did not say.
struct RunOrigin {
  std::string version;  // of Orrery
  std::string processor;
  std::int64_t cores = 0;
};

struct ComparedRun {
  std::uint64_t seed = 0;
  std::filesystem::path run;
  TrainSummary training;
  double seconds_per_epoch = 0;  // of training alone, the median
  Scores test;                   // pessimistic
  RunOrigin origin;
};

// Its model diverged, or needs more memory than there is. `run` holds the reason in failed.txt;
// once that is removed the same call tries it again.
struct FailedRun {
  std::uint64_t seed = 0;
  std::filesystem::path run;
  std::string reason;
};

struct CompareRow {
  Contender model;  // with the dim it was given
  std::int64_t parameters = 0;
  std::vector<ComparedRun> runs;  // that are done, by seed
  std::vector<FailedRun> failed;  // by seed
  Scores mean, deviation;         // of their tests; the deviation of a single run is 0
  double seconds_per_epoch = 0;   // mean of the runs
  std::uint64_t peak_memory = 0;  // the most of any run; 0: not known
};

struct Comparison {
  std::string data;
  std::int64_t budget = 0, seeds = 1;
  // Of models with a run that is done or has failed, best MRR first.
  std::vector<CompareRow> rows;
  std::int64_t runs_done = 0, runs_failed = 0, runs = 0;

  bool complete() const { return runs_done + runs_failed == runs; }  // else it was interrupted
};

// The run that comes next.
struct RunAhead {
  // `evaluate` where it is trained already, `done` where it is evaluated as well
  enum class Work { train, resume, evaluate, done };
  std::string model;
  std::uint64_t seed = 0;
  std::int64_t number = 0, of = 0;
  Work work = Work::train;
};

class CompareObserver : public TrainObserver {
 public:
  virtual void on_run(const RunAhead&) {}
  // Its model has failed and is passed over: told at once, and again by a later call that finds it
  // so (its work is `done`).
  virtual void on_failure(const RunAhead&, const std::string& /*reason*/) {}
};

// Runs are made in `out`, one directory a model and seed; one that is trained is only evaluated,
// one that is evaluated is only read (test.json), and one that was interrupted is resumed, so that
// the same call goes on where the last one stopped. One whose model fails is passed over. After
// each run compare.json and compare.md are written. What cannot be is an Error before anything is
// trained.
Comparison compare(const CompareOptions& options, const std::filesystem::path& out,
                   CompareObserver* observer = nullptr);

// The same seed by seed, for those who carry out several comparisons in turn.
class ComparisonRunner {
 public:
  // Everything that can be refused is, before anything is trained. Holds `out` until it ends.
  ComparisonRunner(const CompareOptions& options, const std::filesystem::path& out);
  ~ComparisonRunner();
  ComparisonRunner(ComparisonRunner&&) noexcept;
  ComparisonRunner& operator=(ComparisonRunner&&) noexcept;

  // Takes in the runs that are done or have failed, so that no report is less than what is there.
  void gather(CompareObserver& told);
  // Every model's run of one seed, counted from 0, that is still to do; false: interrupted.
  bool carry_out_seed(std::int64_t number, CompareObserver& told);
  Comparison so_far() const;  // best MRR first

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What a run was scored with, relation by relation or entity by entity (its test.json); a damaged
// file is a request Error.
std::vector<BreakdownRow> test_breakdown(const ComparedRun& run, By by);

}  // namespace orrery
