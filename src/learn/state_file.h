// state.safetensors: what a run needs to go on as if it had never stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "orrery/train.h"

namespace orrery {

// Where a run stands, beside its rows.
struct RunProgress {
  std::int64_t epoch = 1;  // the one in hand, from 1
  std::int64_t step = 0;   // steps of it that are done
  LossSums sums;           // of those steps
  std::int64_t best_epoch = 0;
  std::optional<Scores> best;
  std::int64_t since_best = 0;     // validations since
  double last_loss = 0;            // of the last whole epoch
  bool validation_is_due = false;  // the epoch's steps and its average are done
};

// `options`: those that shape the model, as in config files.
void write_state(const std::filesystem::path& path, const Engine& engine,
                 const RunProgress& progress, const std::string& data_fingerprint,
                 const std::string& options);
// What the state was trained with, as it was written; nothing: an earlier version did not say.
std::optional<std::string> options_of_state(const std::filesystem::path& path);
// Fills the engine; the state must be of the same data.
RunProgress read_state(const std::filesystem::path& path, Engine& engine,
                       const std::string& data_fingerprint);

}  // namespace orrery
