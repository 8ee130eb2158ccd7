#include "learn/run_saver.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "data/fingerprint.h"
#include "learn/metrics_file.h"
#include "learn/options.h"
#include "learn/stored_model.h"
#include "learn/trainer.h"

namespace orrery {

RunSaver::RunSaver(RunDirectory run, TrainObserver& observer, std::chrono::milliseconds interval)
    : run_(std::move(run)), observer_(observer), interval_(interval) {}

void RunSaver::begin(const TrainOptions& options) {
  place_ = identity_of(run_.path());
  run_.drop_metrics_from(1);
  run_.drop_previous_model();
  run_.write_config(options);
}

RunSaver::TakenUp RunSaver::take_up(const TrainOptions& options,
                                    const std::string& data_fingerprint, Engine& engine) {
  place_ = identity_of(run_.path());
  TakenUp taken;
  taken.progress = run_.load_state(engine, data_fingerprint);
  const RunProgress& progress = taken.progress;
  if (options.epochs < progress.epoch - 1)
    fail_request(About{.option = "epochs", .place = {run_.path().string()}},
                 "has done {} epochs already; $epochs cannot be less", progress.epoch - 1);
  if (options.from.empty() != progress.started_from.empty())
    fail_request(About{.option = "from",
                       .place = {run_.path().string()},
                       .advice = worded("set it back in config.toml, or start a new run")},
                 "its training was started {} model, and now $from is '{}'",
                 progress.started_from.empty() ? "without a" : "from a", options.from);
  if (progress.best)
    run_.restore_previous_model(progress.best_epoch);
  else
    run_.drop_previous_model();
  if (progress.best && !run_.has_model())
    fail_request(About{.place = {run_.path().string()}},
                 "model.safetensors is gone, and with it the best model so far (of epoch {})",
                 progress.best_epoch);
  if (progress.best) require_own_model(options, data_fingerprint, progress);
  run_.write_config(options);
  if (const auto damaged = run_.drop_metrics_from(progress.epoch); damaged > 0)
    observer_.on_warning(fmt::format("{}: {} damaged lines of metrics.jsonl were left out",
                                     run_.path().string(), damaged));
  taken.seconds = run_.seconds_spent();
  const auto summary = run_.read_summary();
  if (summary && progress.step > 0 && summary->epochs_done == progress.epoch - 1)
    taken.epoch_seconds = summary->epoch_seconds;
  return taken;
}

RunSaver::BestModel RunSaver::best_model() const {
  const StoredModel stored(run_.path());
  BestModel best{.fitted = stored.header().history_fitted,
                 .calibrated = stored.header().calibration.has_value()};
  for (std::size_t t = 0; t < stored.tables().size(); ++t) {
    const auto rows = stored.rows(t);
    best.rows.emplace_back(rows.begin(), rows.end());
  }
  return best;
}

// The best model so far is only there: damaged, or another run's, it must not be the result.
void RunSaver::require_own_model(const TrainOptions& options, const std::string& data_fingerprint,
                                 const RunProgress& progress) const {
  const StoredModel best(run_.path());
  if (best.header().epoch != progress.best_epoch || !best.header().additions.empty() ||
      shaping_options_to_toml(best.header().options) != shaping_options_to_toml(options) ||
      !same_data(best.header().data_fingerprint, data_fingerprint))
    fail_request(About{.place = {run_.path().string()},
                       .advice = worded("bring that back, or start a new run with $config")},
                 "model.safetensors is not this run's best model, which is of epoch {}",
                 progress.best_epoch);
}

// Whoever moves a run away while it is trained may have begun another in its place.
void RunSaver::require_place() const {
  if (identity_of(run_.path()) != place_)
    fail_broken(About{.place = {run_.path().string()}, .advice = "put it back"},
                "was moved, removed or replaced while the run was trained");
}

// A full disk must not end a training: the lines are written when there is room again.
void RunSaver::note_epoch(const EpochReport& report) {
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

void RunSaver::save_on_the_way(Trainer& trainer) {
  try {
    save(trainer, trainer.summary(TrainSummary::Ending::interrupted));
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

void RunSaver::save_at_the_end(Trainer& trainer, const TrainSummary& summary) {
  try {
    save(trainer, summary);
  } catch (const Error& error) {
    throw Error(error.kind(),
                worded("{}; {}", error.message(),
                       run_.has_state() ? "the state that was saved last is as it was"
                                        : "nothing of the run was saved before"),
                {.option = error.option(),
                 .place = error.place(),
                 .advice = worded("go on with $resume {}", run_.path().string())});
  }
}

// Metrics that cannot be written must not keep the model from being saved.
void RunSaver::save_metrics() {
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
void RunSaver::save(Trainer& trainer, const TrainSummary& summary) {
  require_place();
  save_metrics();
  save_model(trainer);
  run_.save_state(trainer.engine(), trainer.progress(), trainer.data_fingerprint(),
                  shaping_options_to_toml(trainer.options()));
  run_.drop_previous_model();
  run_.write_summary(summary, trainer.options(), trainer.parameters());
}

void RunSaver::save_model(Trainer& trainer) {
  const bool validated = trainer.progress().best.has_value();
  if (validated && best_is_saved_) return;
  if (validated) run_.keep_previous_model();
  run_.save_model(trainer.model_header(), trainer.engine().tables(), trainer.model_rows());
  best_is_saved_ = true;
}

}  // namespace orrery
