// What a training leaves on the disk, and when. A save that fails on the way ends nothing.
#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "learn/final_values.h"
#include "learn/metrics_file.h"
#include "learn/options.h"
#include "learn/trainer.h"

namespace orrery {

// Whoever moves a run away while it is trained may have begun another in its place.
void Trainer::require_place() const {
  if (identity_of(run_.path()) != place_)
    fail_broken("{}: was moved, removed or replaced while the run was trained; put it back",
                run_.path().string());
}

// A full disk must not end a training: the lines are written when there is room again.
void Trainer::note_metrics(const EpochReport& report) {
  const bool told = !unwritten_metrics_.empty();
  unwritten_metrics_ += metrics_line(report);
  try {
    require_place();
    run_.append_metrics(unwritten_metrics_);
    unwritten_metrics_.clear();
  } catch (const Error& error) {
    if (!told)
      observer_.on_warning(
          fmt::format("{}; training goes on, and this is tried again", error.what()));
  }
}

void Trainer::keep_as_best(const Scores& scores) {
  progress_.best = scores;
  progress_.best_epoch = progress_.epoch;
  progress_.since_best = 0;
  const FinalValues model(*engine_);
  best_rows_ = read_rows(*engine_, State::value, std::move(best_rows_));
  best_is_saved_ = false;
}

void Trainer::save_on_the_way() {
  read_losses();
  try {
    save(TrainSummary::Ending::interrupted);
  } catch (const Error& error) {
    observer_.on_warning(fmt::format(
        "the run could not be saved ({}); training goes on, and saving is tried again soon",
        error.what()));
  } catch (const std::bad_alloc&) {
    observer_.on_warning(
        "the run could not be saved for want of memory; training goes on, and saving is tried "
        "again soon");
  }
  saved_ = Clock::now();
}

TrainSummary Trainer::save_at_the_end(TrainSummary::Ending ending) {
  try {
    return save(ending);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{}; {}: go on with orrery train --resume {}", error.what(),
                            run_.has_state() ? "the state that was saved last is as it was"
                                             : "nothing of the run was saved before",
                            run_.path().string()));
  }
}

// Metrics that cannot be written must not keep the model from being saved.
void Trainer::save_metrics() {
  try {
    if (!unwritten_metrics_.empty()) run_.append_metrics(unwritten_metrics_);
    unwritten_metrics_.clear();
    run_.sync_metrics();
  } catch (const Error& error) {
    observer_.on_warning(error.what());
  }
}

// The model first: a state must never speak of a best model that is not on disk. The summary is
// where the time spent is kept: the state holds none.
TrainSummary Trainer::save(TrainSummary::Ending ending) {
  require_place();
  save_metrics();
  save_model();
  run_.save_state(*engine_, progress_, card_.data_fingerprint, shaping_options_to_toml(options_));
  TrainSummary summary{.ending = ending,
                       .epochs_done = progress_.epoch - 1,
                       .best_epoch = progress_.best_epoch,
                       .best_valid = progress_.best,
                       .loss = progress_.last_loss,
                       .seconds = seconds_before_ + seconds_since(started_),
                       .epoch_seconds = epoch_seconds(),
                       .peak_memory = peak_memory(),
                       .data_fingerprint = card_.data_fingerprint,
                       .engine = engine_->description()};
  run_.write_summary(summary, card_, parameter_count(engine_->tables(), engine_->plan().shape));
  return summary;
}

void Trainer::save_model() {
  const bool validated = progress_.best.has_value();
  if (validated && best_is_saved_) return;
  card_.epoch = validated ? progress_.best_epoch : progress_.epoch - 1;
  if (validated)
    run_.save_model(card_, engine_->tables(),
                    [&](std::size_t t) { return std::span<const float>(best_rows_[t]); });
  else
    save_current_as_model();
  best_is_saved_ = true;
}

void Trainer::save_current_as_model() {
  std::vector<float> rows;  // of one table at a time
  const FinalValues model(*engine_);
  run_.save_model(card_, engine_->tables(), [&](std::size_t t) {
    rows = read_table(*engine_, t, State::value, std::move(rows));
    return std::span<const float>(rows);
  });
}

// A GPU's memory is its own; on a CPU everything of the process counts.
std::uint64_t Trainer::peak_memory() const {
  const auto process = is_gpu(options_.device) ? std::nullopt : process_memory_.bytes();
  return process.value_or(engine_->memory_bytes());
}

}  // namespace orrery
