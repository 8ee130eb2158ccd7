// Training in memory: facts and options in, a model out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/options.h"
#include "orrery/scores.h"

namespace orrery {

struct RunStart {
  std::int64_t examples = 0;  // a pass, reciprocals included
  std::int64_t parameters = 0;
  std::int32_t entities = 0, relations = 0, times = 0;
  std::string intervals;  // how they are read: within or ends; empty: points in time
  std::vector<std::string> first_bad_lines;  // "file:line: reason"
  std::int64_t bad_lines = 0;                // left out by skip_bad
  std::int64_t resumed_epoch = 0;            // 0: a fresh run
  std::string engine;
};

struct StepReport {
  std::int64_t epoch = 0, epochs = 0;
  std::int64_t step = 0, steps = 0;  // of this epoch
  double loss = 0;                   // mean of this epoch so far
  double examples_per_second = 0;
  double seconds_left = 0;
};

struct EpochReport {
  std::int64_t epoch = 0;
  double loss = 0, cross_entropy = 0, n3 = 0, time = 0;  // cross_entropy: with self-distillation
  double auxiliary = 0;  // the auxiliary losses, weighted as in the loss
  double seconds = 0, examples_per_second = 0;
  std::optional<Scores> valid;
  bool best = false;
};

// The library never prints: it tells an observer.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_start(const RunStart&) {}
  virtual void on_step(const StepReport&) {}
  virtual void on_epoch(const EpochReport&) {}
  // What a person should know, and what ends nothing: a save that failed and is tried again.
  virtual void on_warning(const std::string&) {}
  // Asked between steps, and in long validations; true ends the training (a run: with its state
  // saved).
  virtual bool stop_requested() { return false; }
};

struct TrainSummary {
  enum class Ending { finished, early_stop, interrupted };
  Ending ending = Ending::finished;
  std::int64_t epochs_done = 0;
  std::int64_t best_epoch = 0;  // 0: no validation was asked for
  std::optional<Scores> best_valid;
  double loss = 0;
  double seconds = 0;
  double epoch_seconds = 0;   // of an epoch that was interrupted, its steps so far
  bool was_finished = false;  // before: this time there was nothing to do
  // Bytes: of a GPU what was taken of it, else the most that the process had, the last time it ran.
  std::uint64_t peak_memory = 0;
  std::string data_fingerprint;
  std::string engine;  // what it ran on, this time
};
std::string_view name_of(TrainSummary::Ending ending);

// What came of a training, epoch by epoch.
struct TrainRecord {
  TrainSummary summary;
  std::vector<EpochReport> epochs;
};

class Model;

// Nothing is written. The data options of `options` are those of `data`, which was read already.
// The model is of the best validated epoch, else of the last one, and Model::training() is its
// record. Stopped by the observer it is as far as it came.
Model train(const Dataset& data, const TrainOptions& options = {},
            TrainObserver* observer = nullptr);

}  // namespace orrery
