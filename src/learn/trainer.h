// The training loop: steps, validation, early stopping, averaging, saving.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/paths.h"
#include "data/temporal_graph.h"
#include "engine/engine.h"
#include "learn/run_directory.h"
#include "orrery/train.h"

namespace orrery {

// Scores the engine's current values on the validation split; judging lives in a layer above.
// Nothing: it was interrupted.
using Validate = std::function<std::optional<Scores>(Engine&)>;

// Works in a run's directory, which its caller holds.
class Trainer {
 public:
  Trainer(const TrainOptions& options, const TemporalGraph& data, std::string data_fingerprint,
          RunDirectory run, Validate validate, TrainObserver& observer,
          std::chrono::milliseconds save_interval = std::chrono::minutes(1));

  void start_anew();
  void take_up();  // the saved state
  void report_start(std::int64_t bad_lines, std::vector<std::string> first_bad_lines);
  TrainSummary train();

 private:
  using Clock = std::chrono::steady_clock;

  bool run_epoch();     // false: interrupted
  bool finish_epoch();  // false: interrupted, and the epoch's validation is still to come
  std::int64_t epochs_before_patience() const;
  void read_losses();
  void report_step(std::int64_t steps);
  void finish_steps();
  void note_metrics(const EpochReport& report);
  double epoch_seconds() const;
  std::optional<Scores> validate_model();
  void keep_as_best(const Scores& scores);
  void save_on_the_way();
  TrainSummary save_at_the_end(TrainSummary::Ending ending);
  TrainSummary save(TrainSummary::Ending ending);
  void require_own_model() const;
  void require_place() const;
  void save_metrics();
  void save_model();
  void save_current_as_model();
  std::uint64_t peak_memory() const;
  std::int64_t steps_per_epoch() const;
  static double seconds_since(Clock::time_point then);

  PeakMemory process_memory_;
  TrainOptions options_;
  RunDirectory run_;
  Validate validate_;
  TrainObserver& observer_;
  ModelCard card_;
  std::int64_t examples_ = 0;
  std::unique_ptr<Engine> engine_;
  StepRules rules_;
  std::chrono::milliseconds save_interval_;

  DirectoryIdentity place_;  // where the run was when it began
  RunProgress progress_;
  TableRows best_rows_;  // of the last best epoch of this process
  bool best_is_saved_ = true;
  std::int64_t steps_here_ = 0;  // by this process
  Clock::time_point started_ = Clock::now(), saved_ = started_, reported_ = started_,
                    epoch_started_ = started_;
  double seconds_before_ = 0;        // spent in this run by earlier processes
  double epoch_seconds_before_ = 0;  // in the epoch in hand, before epoch_started_
  std::string unwritten_metrics_;    // lines for which there was no room so far
};

}  // namespace orrery
