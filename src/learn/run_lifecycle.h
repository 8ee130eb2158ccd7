// The life of a run: where it stands is told from its directory and from what is wanted of it, here
// and nowhere else. Whoever asks holds the directory (base/held_directory.h), and goes on holding
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "learn/run_directory.h"
#include "orrery/error.h"
#include "orrery/train.h"

namespace orrery {

enum class RunStage {
  fresh,      // nothing is there
  resumable,  // it was begun, and more of it is wanted
  finished,   // it is trained as far as is wanted
  failed,     // its model failed, on the device and with the memory that are wanted
  refused,    // what is there is not the run that is wanted, or cannot be gone on with
};

struct RunRequest {
  TrainOptions options;
  std::string otherwise;              // what to do where it is refused
  bool of_this_length = false;        // else one of other epochs may be gone on with
  std::string data_fingerprint = {};  // of the facts; empty: not known yet
};

struct RunStanding {
  RunStage stage = RunStage::fresh;
  std::string reason = {};                   // of what is failed
  std::optional<Error> refusal = {};         // of what is refused
  std::optional<TrainSummary> summary = {};  // of the last time it was saved
};

RunStanding standing_of(const RunDirectory& run, const RunRequest& wanted);

// A directory that holds a run, a sweep or parts of a run is a request Error.
void require_free(const std::filesystem::path& path);
// The options of a run; its state is not to blame where they cannot be read, and the Error says so.
TrainOptions config_of(const RunDirectory& run);

// failed.txt: why a model failed, so that it is not tried again until that file is removed, another
// device or budget of memory is wanted, or a person resumes the run.
void note_failure(const RunDirectory& run, const TrainOptions& options, const std::string& reason);
void forget_failure(const RunDirectory& run);

}  // namespace orrery
