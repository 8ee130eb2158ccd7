// The training loop: steps, validation, early stopping, averaging, saving.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/directory_lock.h"
#include "base/memory_budget.h"
#include "data/dataset.h"
#include "engine/engine.h"
#include "learn/run_directory.h"
#include "orrery/train.h"

namespace orrery {

// Scores the engine's current values on the validation split; judging lives in a layer above.
using Validate = std::function<Scores(Engine&)>;

class Trainer {
 public:
  Trainer(const TrainOptions& options, const Dataset& data, std::string data_fingerprint,
          RunDirectory run, Validate validate, TrainObserver& observer);

  void start_anew();
  void take_up();  // the saved state
  void report_start(std::int64_t bad_lines, std::vector<std::string> first_bad_lines);
  TrainSummary train();

 private:
  using Clock = std::chrono::steady_clock;

  void lock_run();
  bool run_epoch();  // false: interrupted
  std::int64_t epochs_before_patience() const;
  void read_losses();
  void report_step(std::int64_t steps);
  void finish_epoch();
  template <class Use>
  auto with_final_values(const Use& use);
  void keep_as_best(const Scores& scores);
  TrainSummary save(TrainSummary::Ending ending);
  void save_model();
  void save_current_as_model();
  std::uint64_t peak_memory() const;
  std::int64_t steps_per_epoch() const;

  PeakMemory process_memory_;
  TrainOptions options_;
  RunDirectory run_;
  std::optional<DirectoryLock> lock_;
  Validate validate_;
  TrainObserver& observer_;
  ModelCard card_;
  std::int64_t examples_ = 0;
  std::unique_ptr<Engine> engine_;
  StepRules rules_;

  RunProgress progress_;
  TableRows best_rows_;  // of the last best epoch of this process
  bool best_is_saved_ = true;
  std::int64_t steps_here_ = 0;  // by this process
  Clock::time_point started_ = Clock::now(), saved_ = started_, reported_ = started_,
                    epoch_started_ = started_;
  double seconds_before_ = 0;  // spent in this run by earlier processes
};

}  // namespace orrery
