#include "learn/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "data/examples.h"
#include "data/fingerprint.h"
#include "learn/clock.h"
#include "learn/final_values.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr auto report_interval = std::chrono::milliseconds(50);

ModelCard card_of(const TrainOptions& options, const TemporalGraph& data, std::string fingerprint) {
  ModelCard card;
  card.options = options;
  card.entities = data.entities;
  card.relations = data.relations;
  card.times = data.times;
  card.times.moments.clear();
  card.times.moment_names.clear();
  card.data_fingerprint = std::move(fingerprint);
  return card;
}

ModelPlan timed_plan_of(const TrainOptions& options, const TemporalGraph& data) {
  ModelPlan plan = plan_of(options, shape_of(options, data));
  plan.clock = clock_of(data.times);
  return plan;
}

}  // namespace

Trainer::Trainer(const TrainOptions& options, const TemporalGraph& data,
                 std::string data_fingerprint, RunDirectory run, Validate validate,
                 TrainObserver& observer, std::chrono::milliseconds save_interval)
    : options_(options),
      run_(std::move(run)),
      validate_(std::move(validate)),
      observer_(observer),
      card_(card_of(options, data, std::move(data_fingerprint))),
      engine_(make_engine(timed_plan_of(options, data), engine_options_of(options, data))),
      rules_(step_rules_of(options)),
      save_interval_(save_interval) {
  auto examples = examples_of(data, Split::train);
  if (examples.empty()) fail_request("{}: its train split holds no facts", options.data);
  if (options.eval_every > 0 && data.split(Split::valid).empty())
    fail_request("{}: --eval-every needs a valid split, and it is empty", options.data);
  std::ranges::sort(examples);  // the order of lines in a file must not matter
  examples_ = static_cast<std::int64_t>(examples.size());
  engine_->set_examples(std::move(examples));
}

void Trainer::start_anew() {
  place_ = identity_of(run_.path());
  run_.drop_metrics_from(progress_.epoch);
  run_.write_config(options_);
  start_randomly(*engine_, options_.seed, options_.start_scale, static_cast<int>(options_.threads));
  if (options_.warmup > 0) clear_later_components(*engine_);
}

void Trainer::take_up() {
  if (!run_.has_state()) {  // it ended before anything was saved: the config is all of it
    start_anew();
    return;
  }
  place_ = identity_of(run_.path());
  progress_ = run_.load_state(*engine_, card_.data_fingerprint);
  if (options_.epochs < progress_.epoch - 1)
    fail_request("{}: has done {} epochs already; --epochs cannot be less", run_.path().string(),
                 progress_.epoch - 1);
  if (progress_.best && !run_.has_model())
    fail_request("{}: model.safetensors is gone, and with it the best rows so far (of epoch {})",
                 run_.path().string(), progress_.best_epoch);
  if (progress_.best) require_own_model();
  run_.write_config(options_);
  if (const auto damaged = run_.drop_metrics_from(progress_.epoch); damaged > 0)
    observer_.on_warning(fmt::format("{}: {} damaged lines of metrics.jsonl were left out",
                                     run_.path().string(), damaged));
  seconds_before_ = run_.seconds_spent();
  const auto summary = run_.read_summary();
  if (summary && progress_.step > 0 && summary->epochs_done == progress_.epoch - 1)
    epoch_seconds_before_ = summary->epoch_seconds;
}

// The best rows so far are only there: damaged, or another run's, they must not be the result.
void Trainer::require_own_model() const {
  const ModelFile best(run_.path());
  if (best.card().epoch != progress_.best_epoch ||
      shaping_options_to_toml(best.card().options) != shaping_options_to_toml(options_) ||
      !same_data(best.card().data_fingerprint, card_.data_fingerprint))
    fail_request(
        "{}: model.safetensors is not this run's best model, which is of epoch {}; bring "
        "that back, or start a new run with --config",
        run_.path().string(), progress_.best_epoch);
}

void Trainer::report_start(std::int64_t bad_lines, std::vector<std::string> first_bad_lines) {
  observer_.on_start(
      {.examples = examples_,
       .parameters = parameter_count(engine_->tables(), engine_->plan().shape),
       .entities = card_.entities.size(),
       .relations = card_.relations.size(),
       .times = card_.times.size(),
       .first_bad_lines = std::move(first_bad_lines),
       .bad_lines = bad_lines,
       .resumed_epoch = progress_.epoch > 1 || progress_.step > 0 ? progress_.epoch : 0,
       .engine = engine_->description()});
}

double Trainer::seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

std::int64_t Trainer::steps_per_epoch() const {
  return (examples_ + options_.batch - 1) / options_.batch;
}

TrainSummary Trainer::train() {
  started_ = saved_ = Clock::now();
  while (progress_.epoch <= options_.epochs) {
    const bool counts = progress_.epoch > epochs_before_patience() + 1;
    if (counts && options_.patience > 0 && progress_.since_best >= options_.patience)
      return save_at_the_end(TrainSummary::Ending::early_stop);
    if (!run_epoch() || !finish_epoch()) return save_at_the_end(TrainSummary::Ending::interrupted);
  }
  return save_at_the_end(TrainSummary::Ending::finished);
}

// The warm-up, and what comes before the teacher: patience begins to count after them.
std::int64_t Trainer::epochs_before_patience() const {
  return std::max(options_.warmup, options_.teacher > 0 ? options_.teacher_from : 0);
}

bool Trainer::run_epoch() {
  if (progress_.validation_is_due) return true;
  epoch_started_ = Clock::now();
  const std::int64_t steps = steps_per_epoch();
  const std::uint64_t key = random_bits(options_.seed ^ mix(0x73687566666c65),
                                        static_cast<std::uint64_t>(progress_.epoch));
  engine_->set_losses(progress_.sums);
  // Doing these twice, after a stop right here, changes nothing.
  const bool begun = progress_.step > 0;
  if (options_.warmup > 0 && progress_.epoch == options_.warmup + 1 && !begun)
    start_later_components(*engine_, options_.seed, options_.start_scale);
  if (epochs_before_patience() > 0 && progress_.epoch == epochs_before_patience() + 1 && !begun)
    progress_.since_best = 0;
  StepRules rules = rules_;
  if (progress_.epoch <= options_.teacher_from) rules.loss.teacher_share = 0;
  for (; progress_.step < steps; ++progress_.step) {
    if (observer_.stop_requested()) {
      read_losses();
      return false;
    }
    if (Clock::now() - saved_ >= save_interval_) save_on_the_way();
    const std::int64_t first = progress_.step * options_.batch;
    engine_->step(key, first, std::min(options_.batch, examples_ - first), rules);
    ++steps_here_;
    const bool last = progress_.step + 1 == steps;
    if (last || Clock::now() - reported_ >= report_interval) report_step(steps);
  }
  return true;
}

// A run that has diverged must not replace what was saved of it.
void Trainer::read_losses() {
  progress_.sums = engine_->losses();
  if (!std::isfinite(progress_.sums.total()))
    fail_model(
        "the loss is no finite number in epoch {}: the rows have grown out of bounds; "
        "take a smaller --lr or --start-scale{}",
        progress_.epoch,
        run_.has_state()
            ? " in a new run (what was saved of this one before can be used, but going "
              "on from it ends here again)"
            : "");
}

// Not after every step: a device would have to finish it first.
void Trainer::report_step(std::int64_t steps) {
  reported_ = Clock::now();
  read_losses();
  const double rate = static_cast<double>(steps_here_) / seconds_since(started_);
  const std::int64_t left = (options_.epochs - progress_.epoch + 1) * steps - progress_.step - 1;
  observer_.on_step(
      {.epoch = progress_.epoch,
       .epochs = options_.epochs,
       .step = progress_.step + 1,
       .steps = steps,
       .loss = progress_.sums.total() / static_cast<double>(progress_.sums.steps),
       .examples_per_second = rate * static_cast<double>(std::min(options_.batch, examples_)),
       .seconds_left = static_cast<double>(left) / rate});
}

void Trainer::finish_steps() {
  if (options_.average > 0) engine_->update_average(options_.average);
  epoch_seconds_before_ += seconds_since(epoch_started_);
}

double Trainer::epoch_seconds() const {
  if (progress_.step == 0) return 0;
  return epoch_seconds_before_ +
         (progress_.validation_is_due ? 0.0 : seconds_since(epoch_started_));
}

std::optional<Scores> Trainer::validate_model() {
  const FinalValues model(*engine_);
  return validate_(*engine_);
}

bool Trainer::finish_epoch() {
  if (!progress_.validation_is_due) finish_steps();
  const double steps = static_cast<double>(progress_.sums.steps);
  const double seconds = epoch_seconds_before_;  // 0: a lost summary knew them
  EpochReport report{
      .epoch = progress_.epoch,
      .loss = progress_.sums.total() / steps,
      .cross_entropy = progress_.sums.cross_entropy / steps,
      .n3 = progress_.sums.n3 / steps,
      .time = progress_.sums.time / steps,
      .sides = progress_.sums.sides / steps,
      .seconds = seconds,
      .examples_per_second = seconds > 0 ? static_cast<double>(examples_) / seconds : 0,
      .valid = {}};
  const bool due = options_.eval_every > 0 && (progress_.epoch % options_.eval_every == 0 ||
                                               progress_.epoch == options_.epochs);
  if (due) {
    progress_.validation_is_due = true;
    report.valid = validate_model();
    if (!report.valid) return false;
    report.best = !progress_.best || report.valid->mrr > progress_.best->mrr;
    ++progress_.since_best;
    if (report.best) keep_as_best(*report.valid);
  }
  progress_.last_loss = report.loss;
  progress_.sums = {};
  progress_.step = 0;
  progress_.validation_is_due = false;
  epoch_seconds_before_ = 0;
  ++progress_.epoch;
  note_metrics(report);
  observer_.on_epoch(report);
  return true;
}

}  // namespace orrery
