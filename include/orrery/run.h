// Training in a directory: config, model, state, metrics and summary on disk, resumable after any
// accident, to the same bytes.
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
  fresh,      // nothing is there
  resumable,  // it was begun, and more of it is wanted
  finished,   // it is trained as far as is wanted
  failed,     // its model failed, on the device and with the memory that are wanted
};

// What is wanted of a directory that may hold a run already.
struct RunRequest {
  TrainOptions options = {};
  bool of_this_length = false;        // else one of other epochs may be gone on with
  std::string otherwise = {};         // advice where another run is there
  std::string data_fingerprint = {};  // of the facts; empty: not known yet
};

struct RunStanding {
  RunStage stage = RunStage::fresh;
  std::string failure = {};                  // why its model failed
  std::optional<TrainSummary> summary = {};  // of the last time it was saved
};

// A Run holds its directory: of several processes that want one, one is let in.
class Run {
 public:
  // A fresh run; a directory that holds one is a request Error. Facts from memory can be resumed
  // with the same facts only.
  static Run begin(const std::filesystem::path& directory, const Dataset& data,
                   const TrainOptions& options = {});
  // The same, of the facts that `options.data` names.
  static Run begin(const std::filesystem::path& directory, const TrainOptions& options);
  // A run that was begun, with other options of those that may change on resume ({"epochs", "60"});
  // any other change is a request Error.
  static Run resume(const std::filesystem::path& directory, const OptionChanges& changes = {});
  static Run resume(const std::filesystem::path& directory, const Dataset& data,
                    const OptionChanges& changes = {});
  // Whatever is left to do of the run that is wanted: begin, resume, or nothing.
  static Run take_up(const std::filesystem::path& directory, const RunRequest& wanted,
                     const Dataset& data);
  // Where it stands, without taking it up. What holds another run, or one that cannot go on, is a
  // request Error.
  static RunStanding look(const std::filesystem::path& directory, const RunRequest& wanted);

  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  const std::filesystem::path& directory() const;
  const TrainOptions& options() const;
  const RunStanding& standing() const;  // when it was taken up

  // Trains what is left. With the same epochs on the same kind of device a resumed run ends as an
  // uninterrupted one, to the byte. A model that fails is an Error of the kind `model`.
  TrainSummary train(TrainObserver* observer = nullptr);
  // Keeps why its model failed, so that it is passed over until a person resumes the run or another
  // device or memory is wanted.
  void note_failure(const std::string& reason);
  void discard_model();  // embeddings and state go; what is measured of the run stays

 private:
  struct State;
  explicit Run(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What a run's directory says, whether anyone holds it or not.
TrainOptions run_options(const std::filesystem::path& directory);
bool holds_model(const std::filesystem::path& directory);
TrainRecord run_record(const std::filesystem::path& directory);
// A directory that holds a run, a sweep or parts of a run is a request Error.
void require_free_directory(const std::filesystem::path& directory);
// True for the fingerprints of one data set, whichever version wrote them.
bool same_data(std::string_view one, std::string_view other);

}  // namespace orrery
