// Several models on one data set, under one budget: trained, judged and set side by side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

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

struct CompareOptions {
  std::vector<Contender> models;
  std::int64_t budget = 0;  // parameters: each model takes the widest rows that fit; 0: its own dim
  std::int64_t seeds = 1;   // runs of each model, at most 1000
  // false: once a run is judged its rows are removed, and what is measured of it stays
  bool keep_models = true;
};

// Where a run was judged; empty: an earlier version did not say.
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
  // `judge` where it is trained already, `done` where it is judged as well
  enum class Work { train, resume, judge, done };
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

// Runs are made in `out`, one directory a model and seed; one that is trained is only judged, one
// that is judged is only read (test.json), and one that was interrupted is resumed, so that the
// same call goes on where the last one stopped. One whose model fails is passed over.
// After each run compare.json and compare.md are written. What cannot be is an Error before
// anything is trained.
Comparison compare(const CompareOptions& options, const std::filesystem::path& out,
                   CompareObserver* observer = nullptr);

}  // namespace orrery
