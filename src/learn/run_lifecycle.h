// The life of a run: where it stands is told from its directory and from what is wanted of it, here
// and nowhere else. Whoever asks holds the directory (base/held_directory.h), and goes on holding
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "learn/run_directory.h"
#include "orrery/run.h"

namespace orrery {

// What is there and is not the run that is wanted, or cannot be gone on with, is a request Error.
RunStatus status_of(const RunDirectory& run, const RunRequest& wanted);

// The options of a run; its state is not to blame where they cannot be read, and the Error says so.
TrainOptions config_of(const RunDirectory& run);

// failed.txt: why a model failed, so that it is not tried again until that file is removed, another
// device or budget of memory is wanted, or a person resumes the run.
void note_failure(const RunDirectory& run, const TrainOptions& options, const std::string& reason);
void forget_failure(const RunDirectory& run);

}  // namespace orrery
