// What a person sees while a run, or one of several, goes on; and Ctrl-C.
#pragma once

#include <chrono>
#include <string>

#include "orrery/compare.h"
#include "progress_line.h"
#include "stop_signals.h"

namespace orrery {

// On a terminal a bar that rewrites itself, elsewhere a plain line an epoch; all on stderr.
class TrainDisplay : public CompareObserver {
 public:
  void on_run(const RunAhead& run) override;
  void on_failure(const RunAhead& run, const std::string& reason) override;
  void on_start(const RunStart& start) override;
  void on_step(const StepReport& step) override;
  void on_epoch(const EpochReport& epoch) override;
  void on_warning(const std::string& warning) override;
  bool stop_requested() override;

  ProgressLine& line() { return line_; }

 private:
  Stoppable stoppable_;
  ProgressLine line_;
  std::int64_t epochs_ = 0;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace orrery
