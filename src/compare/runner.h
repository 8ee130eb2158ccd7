// A comparison on its way: planned as a whole, what is done taken in first, then seed by seed.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/held_directory.h"
#include "orrery/compare.h"

namespace orrery {

class ComparisonRunner {
 public:
  // Everything that can be refused is, before anything is trained. Holds `out` until it ends.
  ComparisonRunner(const CompareOptions& options, const std::filesystem::path& out);

  // Takes in the runs that are done or have failed, so that no report is less than what is there.
  void gather(CompareObserver& told);
  // Every model's run of one seed, counted from 0, that is still to do; false: interrupted.
  bool carry_out_seed(std::int64_t number, CompareObserver& told);

  Comparison so_far() const;  // best MRR first

 private:
  void plan();
  TrainOptions options_of_run(const CompareRow& row, std::int64_t number) const;
  RunAhead next(const CompareRow& row, const TrainOptions& run, RunAhead::Work work) const;
  void take_in(CompareRow& row, ComparedRun run);
  void take_in_failure(CompareRow& row, FailedRun run);
  void write() const;

  CompareOptions options_;
  std::filesystem::path out_;
  HeldDirectory held_;
  Comparison all_;  // in the order of the models
};

}  // namespace orrery
