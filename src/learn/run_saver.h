// What a training leaves in a run's directory, and when. A save that fails on the way ends nothing.
#pragma once

#include <chrono>
#include <string>

#include "base/paths.h"
#include "learn/run_directory.h"
#include "learn/run_progress.h"
#include "orrery/train.h"

namespace orrery {

class Trainer;

// Its caller holds the directory.
class RunSaver {
 public:
  RunSaver(RunDirectory run, TrainObserver& observer,
           std::chrono::milliseconds interval = std::chrono::minutes(1));

  // A run begins: its config is written, and metrics of before are dropped.
  void begin(const TrainOptions& options);

  struct TakenUp {
    RunProgress progress;
    double seconds = 0;        // spent in the run
    double epoch_seconds = 0;  // in the epoch in hand
  };
  bool has_state() const { return run_.has_state(); }
  // Fills the engine with what was saved last, which must be this run's.
  TakenUp take_up(const TrainOptions& options, const std::string& data_fingerprint, Engine& engine);

  // The best model so far, from the file.
  struct BestModel {
    TableRows rows = {};
    bool fitted = false;      // its history was fitted on validation
    bool calibrated = false;  // and its probabilities
  };
  BestModel best_model() const;

  void note_epoch(const EpochReport& report);
  // The best model is another now, and still to be saved.
  void note_best() { best_is_saved_ = false; }
  bool is_due() const { return Clock::now() - saved_ >= interval_; }
  void save_on_the_way(Trainer& trainer);
  void save_at_the_end(Trainer& trainer, const TrainSummary& summary);

 private:
  using Clock = std::chrono::steady_clock;

  void require_own_model(const TrainOptions& options, const std::string& data_fingerprint,
                         const RunProgress& progress) const;
  void require_place() const;
  void save(Trainer& trainer, const TrainSummary& summary);
  void save_metrics();
  void save_model(Trainer& trainer);

  RunDirectory run_;
  TrainObserver& observer_;
  std::chrono::milliseconds interval_;
  DirectoryIdentity place_;  // where the run was when it began
  Clock::time_point saved_ = Clock::now();
  bool best_is_saved_ = true;
  std::string unwritten_metrics_;  // lines for which there was no room so far
};

}  // namespace orrery
