// The training loop: steps, validation, early stopping, averaging. It works in memory; what is to
// outlive it goes to a RunSaver.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "data/examples.h"
#include "data/temporal_graph.h"
#include "engine/engine.h"
#include "learn/model_file.h"
#include "learn/run_progress.h"
#include "learn/warm_start.h"
#include "orrery/train.h"

namespace orrery {

class RunSaver;

// Thrown by what follows, where the observer wants to stop.
struct StoppedJudging {};

// Scores the engine's current values on the validation split; judging lives in a layer above.
// Nothing: it was interrupted.
using Validate = std::function<std::optional<Scores>(Engine&)>;

// What candidates' features are worth when the engine's values are asked, from what they are worth
// now; see judge/fit_history.h.
using FitHistory = std::function<std::vector<float>(Engine&, std::span<const float> worth)>;

// What the engine's answers mean; see judge/calibration.h and judge/fit_when.h. Nothing: too little
// says so.
struct AnswerFits {
  std::optional<Calibration> calibration = {};
  std::optional<WhenFit> when = {};
};
using FitAnswers = std::function<AnswerFits(Engine&)>;

// What is left to do with a model when its embeddings are trained.
struct FinalFits {
  FitHistory history = {};  // none leaves a pair's history as it was learned
  FitAnswers answers = {};
};

class Trainer {
 public:
  // `saver`: none trains in memory alone. `processes`: those that train with this one, or null; all
  // of them make the same calls, and only the leader has a saver. They and the data must outlive
  // the trainer.
  Trainer(const TrainOptions& options, const TemporalGraph& data, std::string data_fingerprint,
          Validate validate, FinalFits fits, TrainObserver& observer, RunSaver* saver = nullptr,
          Communicator* processes = nullptr);

  void start_anew();
  void take_up();  // the state that the saver has
  void report_start(std::int64_t bad_lines, std::vector<std::string> first_bad_lines);
  TrainSummary train();

  // The model is of the best validated epoch, else of the last one.
  const ModelHeader& model_header();
  // Its embeddings, one table at a time; what is given lasts until the next is asked for. The best
  // ones must be of this process.
  RowSource model_rows();
  // All of it; the trainer is of no use after that.
  ModelHeader take_model_header();
  TableRows take_model_rows();

  const TrainOptions& options() const { return options_; }
  const Engine& engine() const { return *engine_; }
  const RunProgress& progress() const { return progress_; }
  const std::string& data_fingerprint() const { return header_.data_fingerprint; }
  const std::vector<EpochReport>& epochs() const { return epochs_; }
  std::int64_t parameters() const;
  TrainSummary summary(TrainSummary::Ending ending) const;

 private:
  using Clock = std::chrono::steady_clock;

  // What is to be done around a step: of several processes, the same by all.
  struct Orders {
    bool stop = false, save = false, report = false;
  };
  Orders next_orders();
  bool leads() const { return processes_ == nullptr || processes_->leads(); }
  void tell_progress();

  bool run_epoch();     // false: interrupted
  bool finish_epoch();  // false: interrupted, and the epoch's validation is still to come
  TrainSummary end(TrainSummary::Ending ending);
  std::int64_t epochs_before_patience() const;
  void read_losses();
  void report_step(std::int64_t steps);
  void finish_steps();
  EpochReport report_of_epoch() const;
  double epoch_seconds() const;
  std::optional<Scores> validate_model();
  void keep_as_best(const Scores& scores);
  bool is_history(std::size_t table) const;
  void fit_model();
  void fit_best_model(bool history, bool answers);
  void exchange_with_best();
  void fit_engine(bool history, bool answers);
  std::uint64_t peak_memory() const;
  std::int64_t steps_per_epoch() const;
  static double seconds_since(Clock::time_point then);

  PeakMemory process_memory_;
  TrainOptions options_;
  Validate validate_;
  FinalFits fits_;
  TrainObserver& observer_;
  RunSaver* saver_;
  Communicator* processes_;
  ModelHeader header_;
  TrainingExamples examples_;
  std::unique_ptr<const PairHistory> history_;  // which the engine asks
  std::unique_ptr<Engine> engine_;
  StepRules rules_;

  RunProgress progress_;
  KnownRows known_rows_;             // of the model it started from
  std::vector<EpochReport> epochs_;  // of this process
  TableRows best_rows_;              // of the last best epoch of this process; the leader has them
  std::vector<float> fitted_worth_;  // of history, in the model; empty: as it was learned
  std::vector<float> asked_table_;   // of model_rows()
  std::int64_t steps_here_ = 0;      // by this process
  Clock::time_point started_ = Clock::now(), reported_ = started_, epoch_started_ = started_;
  double seconds_before_ = 0;        // spent in this run by earlier processes
  double epoch_seconds_before_ = 0;  // in the epoch in hand, before epoch_started_
};

}  // namespace orrery
