// Training in a directory that holds config, model, state, metrics and summary. An interrupted run
// can be resumed and ends with the same bytes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/options.h"
#include "orrery/train.h"

namespace orrery {

enum class RunStage {
  fresh,      // there is no run yet
  resumable,  // begun, with epochs left to train
  finished,   // all requested epochs are trained
  failed,     // its model failed on the requested device and memory
};

// The run that a caller wants in a directory, which may hold a run already.
struct RunRequest {
  TrainOptions options = {};
  bool of_this_length = false;        // true: refuse a run that was begun with other epochs
  std::string otherwise = {};         // advice for the Error when another run is there
  std::string data_fingerprint = {};  // of the facts; empty: not known yet
};

struct RunStatus {
  RunStage stage = RunStage::fresh;
  std::string failure = {};                  // reason, when its model failed
  std::optional<TrainSummary> summary = {};  // as last saved
};

// A Run locks its directory: a second process that opens it gets a request Error. Of processes that
// train together (TrainTogether) all make the same calls, and only the leader touches the
// directory.
class Run {
 public:
  // A new run; a directory that holds one already is a request Error. A run on facts from memory
  // can only be resumed with the same Dataset given again.
  static Run begin(const std::filesystem::path& directory, const Dataset& data,
                   const TrainOptions& options = {});
  // The same, on the facts that `options.data` names.
  static Run begin(const std::filesystem::path& directory, const TrainOptions& options);
  // Continues a run. Options that may change on resume can be given ({"epochs", "60"}); any other
  // change is a request Error.
  static Run resume(const std::filesystem::path& directory, const OptionChanges& changes = {});
  static Run resume(const std::filesystem::path& directory, const Dataset& data,
                    const OptionChanges& changes = {});
  // Begins the run or, where it exists, resumes it. train() does nothing if it is finished.
  static Run begin_or_resume(const std::filesystem::path& directory, const RunRequest& wanted,
                             const Dataset& data);
  // The status of a run, without opening it. A directory with another run, or with one that cannot
  // be resumed, is a request Error.
  static RunStatus status(const std::filesystem::path& directory, const RunRequest& wanted);

  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  const std::filesystem::path& directory() const;
  const TrainOptions& options() const;
  const RunStatus& status() const;             // when it was opened; updated by train()
  const std::optional<Dataset>& data() const;  // those it was given, or that train() has read

  // Trains the remaining epochs. On the same kind of device, a resumed run gives the same bytes as
  // an uninterrupted one. A model that fails is an Error of the kind `model`.
  TrainSummary train(TrainObserver* observer = nullptr);
  // Records that its model failed. The run is then skipped until it is resumed explicitly, or until
  // another device or memory is requested.
  void note_failure(const std::string& reason);
  void discard_model();  // removes embeddings and state; keeps the measurements

 private:
  struct State;
  explicit Run(std::unique_ptr<State> state);
  static State resumed(const std::filesystem::path& directory, const OptionChanges& changes);
  bool leads() const;
  std::unique_ptr<State> state_;
};

// Contents of a run directory, also while another process has it locked.
TrainOptions run_options(const std::filesystem::path& directory);
bool holds_model(const std::filesystem::path& directory);
TrainRecord run_record(const std::filesystem::path& directory);
// A directory that holds a run, a sweep or parts of a run is a request Error.
void require_free_directory(const std::filesystem::path& directory);
// Whether two fingerprints are of the same data, also across versions of Orrery.
bool same_data(std::string_view one, std::string_view other);

}  // namespace orrery
