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
  std::int64_t examples = 0;  // per epoch, reciprocals included
  std::int64_t parameters = 0;
  std::int32_t entities = 0, relations = 0, times = 0;
  std::string intervals;  // how they are read: within or ends; empty: points in time
  std::vector<std::string> first_bad_lines;  // "file:line: reason"
  std::int64_t bad_lines = 0;                // left out by skip_bad
  std::int64_t resumed_epoch = 0;            // 0: a fresh run
  std::string engine;
  // The model it starts from, and how many of the data's names and times that knows; empty: none.
  std::string started_from;
  std::int32_t from_entities = 0, from_relations = 0, from_times = 0;
};

struct StepReport {
  std::int64_t epoch = 0, epochs = 0;
  std::int64_t step = 0, steps = 0;  // of this epoch
  double loss = 0;                   // mean over this epoch so far
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

// Receives progress; the library itself never prints.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_start(const RunStart&) {}
  virtual void on_step(const StepReport&) {}
  virtual void on_epoch(const EpochReport&) {}
  // A problem that does not end the training, such as a failed save that will be tried again.
  virtual void on_warning(const std::string&) {}
  // Called between steps and in long validations; true stops the training (a Run saves its state
  // first).
  virtual bool stop_requested() { return false; }
};

struct TrainSummary {
  enum class Ending { finished, early_stop, interrupted };
  Ending ending = Ending::finished;
  std::int64_t epochs_done = 0;
  std::int64_t best_epoch = 0;  // 0: there was no validation
  std::optional<Scores> best_valid;
  double loss = 0;
  double seconds = 0;
  double epoch_seconds = 0;   // of an interrupted epoch: its steps so far
  bool was_finished = false;  // already before this call, which did nothing
  // Bytes in the last session: allocated on the GPU, or the peak of the process on a CPU.
  std::uint64_t peak_memory = 0;
  std::string data_fingerprint;
  std::string engine;  // what the last session ran on
};
std::string_view name_of(TrainSummary::Ending ending);

// The history of a training, epoch by epoch.
struct TrainRecord {
  TrainSummary summary;
  std::vector<EpochReport> epochs;
};

class Model;

// Trains in memory; nothing is written. The data options of `options` are ignored, since `data` has
// been read already. The model has the embeddings of the best validated epoch, or of the last epoch
// without validation; Model::training() is its history. When the observer stops the training, the
// model is what was trained so far.
Model train(const Dataset& data, const TrainOptions& options = {},
            TrainObserver* observer = nullptr);

}  // namespace orrery
