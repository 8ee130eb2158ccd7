// One run of a comparison: what is left to do of it, and doing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "orrery/compare.h"

namespace orrery {

// What holds a run of other options or of other facts, and what can be no directory, are request
// Errors. The facts may have moved: their fingerprint is what counts.
void check_run(const std::filesystem::path& run, const TrainOptions& wanted,
               const std::string& fingerprint);

RunAhead::Work work_on(const std::filesystem::path& run, const TrainOptions& wanted);

// Nothing: it was interrupted. A model that fails is an Error of the kind `model`.
std::optional<ComparedRun> carry_out(const TrainOptions& options, const std::filesystem::path& run,
                                     RunAhead::Work work, TrainObserver& observer, bool keep_model);

// failed.txt: why a model failed, so that it is not tried again until that file is removed, or
// another device or budget of memory is wanted.
void note_failure(const std::filesystem::path& run, const TrainOptions& options,
                  const std::string& reason);
std::optional<std::string> failure_of(const std::filesystem::path& run,
                                      const TrainOptions& wanted);  // nothing: it has not
void forget_failure(const std::filesystem::path& run);

}  // namespace orrery
