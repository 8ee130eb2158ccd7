// state.safetensors: what a run needs to go on as if it had never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "learn/run_progress.h"
#include "orrery/train.h"

namespace orrery {

// `options`: those that shape the model, as in config files.
// As a state file has it, and as several processes tell each other.
std::string progress_to_json(const RunProgress& progress);
RunProgress progress_from_json(const std::string& text);

void write_state(const std::filesystem::path& path, const Engine& engine,
                 const RunProgress& progress, const std::string& data_fingerprint,
                 const std::string& options);
// What the state was trained with, as it was written; nothing: an earlier version did not say.
std::optional<std::string> options_of_state(const std::filesystem::path& path);
// Fills the engine; the state must be of the same data.
RunProgress read_state(const std::filesystem::path& path, Engine& engine,
                       const std::string& data_fingerprint);

}  // namespace orrery
