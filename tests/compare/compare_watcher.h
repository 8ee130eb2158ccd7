// An observer of comparisons, for tests.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "api/small_runs.h"
#include "orrery/compare.h"

namespace orrery::testing {

// Keeps what it is told, and wants to stop after so many steps.
class Watcher : public CompareObserver {
 public:
  explicit Watcher(int most = std::numeric_limits<int>::max()) : left_(most) {}
  void on_run(const RunAhead& run) override { runs.push_back(run); }
  void on_failure(const RunAhead& run, const std::string& reason) override {
    failed.push_back({run, reason, runs.size()});
  }
  void on_epoch(const EpochReport&) override { ++epochs; }
  bool stop_requested() override { return left_-- <= 0; }

  struct Failure {
    RunAhead run;
    std::string reason;
    std::size_t after = 0;  // so many runs were announced by then
  };
  std::vector<RunAhead> runs;
  std::vector<Failure> failed;
  int epochs = 0;

 private:
  int left_;
};

}  // namespace orrery::testing
