// What a person sees of a sweep.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "orrery/sweep.h"
#include "train_display.h"

namespace orrery {

// Two lines a trial, and a bar while it goes on; all on stderr.
class SweepDisplay : public SweepObserver {
 public:
  void on_trial(const TrialAhead& ahead) override;
  void on_result(const Trial& trial) override;
  void on_start(const RunStart& start) override;
  void on_step(const StepReport& step) override { run_.on_step(step); }
  void on_warning(const std::string& warning) override { run_.on_warning(warning); }
  bool stop_requested() override { return run_.stop_requested(); }

 private:
  // By the speed of what was done since the first run began; 0: nothing was.
  double seconds_left(std::int64_t epochs_left);

  TrainDisplay run_;
  bool started_ = false;
  std::optional<double> best_;
  std::optional<std::pair<std::chrono::steady_clock::time_point, std::int64_t>> first_;
};

}  // namespace orrery
