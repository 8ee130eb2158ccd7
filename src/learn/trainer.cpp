#include "learn/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "data/examples.h"
#include "learn/clock.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr auto save_interval = std::chrono::seconds(60);
constexpr auto report_interval = std::chrono::milliseconds(50);

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

ModelCard card_of(const TrainOptions& options, const Dataset& data, std::string fingerprint) {
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

ModelPlan timed_plan_of(const TrainOptions& options, const Dataset& data) {
  ModelPlan plan = plan_of(options, shape_of(options, data));
  plan.clock = clock_of(data.times);
  return plan;
}

}  // namespace

Trainer::Trainer(const TrainOptions& options, const Dataset& data, std::string data_fingerprint,
                 RunDirectory run, Validate validate, TrainObserver& observer)
    : options_(options),
      run_(std::move(run)),
      validate_(std::move(validate)),
      observer_(observer),
      card_(card_of(options, data, std::move(data_fingerprint))),
      engine_(make_engine(timed_plan_of(options, data), engine_options_of(options, data))),
      rules_(step_rules_of(options)) {
  auto examples = examples_of(data, Split::train);
  if (examples.empty()) fail_request("{}: its train split holds no facts", options.data);
  if (options.eval_every > 0 && data.split(Split::valid).empty())
    fail_request("{}: --eval-every needs a valid split, and it is empty", options.data);
  std::ranges::sort(examples);  // the order of lines in a file must not matter
  examples_ = static_cast<std::int64_t>(examples.size());
  engine_->set_examples(std::move(examples));
}

void Trainer::lock_run() {
  run_.make();
  lock_.emplace(run_.path());
}

void Trainer::start_anew() {
  if (!lock_) lock_run();
  run_.write_config(options_);
  start_randomly(*engine_, options_.seed, options_.start_scale, static_cast<int>(options_.threads));
  if (options_.warmup > 0) clear_later_components(*engine_);
}

void Trainer::take_up() {
  lock_run();
  if (!run_.has_state()) {  // it ended before anything was saved: the config is all of it
    run_.drop_metrics_from(progress_.epoch);
    start_anew();
    return;
  }
  progress_ = run_.load_state(*engine_, card_.data_fingerprint);
  if (options_.epochs < progress_.epoch - 1)
    fail_request("{}: has done {} epochs already; --epochs cannot be less", run_.path().string(),
                 progress_.epoch - 1);
  run_.write_config(options_);
  run_.drop_metrics_from(progress_.epoch);
  seconds_before_ = run_.seconds_spent();
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

std::int64_t Trainer::steps_per_epoch() const {
  return (examples_ + options_.batch - 1) / options_.batch;
}

TrainSummary Trainer::train() {
  started_ = saved_ = Clock::now();
  while (progress_.epoch <= options_.epochs) {
    const bool counts = progress_.epoch > epochs_before_patience() + 1;
    if (counts && options_.patience > 0 && progress_.since_best >= options_.patience)
      return save(TrainSummary::Ending::early_stop);
    if (!run_epoch()) return save(TrainSummary::Ending::interrupted);
    finish_epoch();
  }
  return save(TrainSummary::Ending::finished);
}

// The warm-up, and what comes before the teacher: patience begins to count after them.
std::int64_t Trainer::epochs_before_patience() const {
  return std::max(options_.warmup, options_.teacher > 0 ? options_.teacher_from : 0);
}

bool Trainer::run_epoch() {
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
    if (Clock::now() - saved_ >= save_interval) {
      read_losses();
      save(TrainSummary::Ending::interrupted);
    }
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
        "take a smaller --lr or --start-scale",
        progress_.epoch);
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

// The model is the average where one is kept.
template <class Use>
auto Trainer::with_final_values(const Use& use) {
  engine_->swap_average();
  auto result = use();
  engine_->swap_average();
  return result;
}

void Trainer::finish_epoch() {
  if (options_.average > 0) engine_->update_average(options_.average);
  const double steps = static_cast<double>(progress_.sums.steps);
  const double seconds = seconds_since(epoch_started_);
  EpochReport report{.epoch = progress_.epoch,
                     .loss = progress_.sums.total() / steps,
                     .cross_entropy = progress_.sums.cross_entropy / steps,
                     .n3 = progress_.sums.n3 / steps,
                     .time = progress_.sums.time / steps,
                     .sides = progress_.sums.sides / steps,
                     .seconds = seconds,
                     .examples_per_second = static_cast<double>(examples_) / seconds,
                     .valid = {}};
  const bool due = options_.eval_every > 0 && (progress_.epoch % options_.eval_every == 0 ||
                                               progress_.epoch == options_.epochs);
  if (due) {
    report.valid = with_final_values([&] { return validate_(*engine_); });
    report.best = !progress_.best || report.valid->mrr > progress_.best->mrr;
    ++progress_.since_best;
    if (report.best) keep_as_best(*report.valid);
  }
  progress_.last_loss = report.loss;
  progress_.sums = {};
  progress_.step = 0;
  ++progress_.epoch;
  run_.append_metrics(report);
  observer_.on_epoch(report);
}

void Trainer::keep_as_best(const Scores& scores) {
  progress_.best = scores;
  progress_.best_epoch = progress_.epoch;
  progress_.since_best = 0;
  best_rows_ =
      with_final_values([&] { return read_rows(*engine_, State::value, std::move(best_rows_)); });
  best_is_saved_ = false;
}

// The model first: a state must never speak of a best model that is not on disk. The summary is
// where the time spent is kept: the state holds none.
TrainSummary Trainer::save(TrainSummary::Ending ending) {
  save_model();
  run_.save_state(*engine_, progress_, card_.data_fingerprint, shaping_options_to_toml(options_));
  saved_ = Clock::now();
  TrainSummary summary{.ending = ending,
                       .epochs_done = progress_.epoch - 1,
                       .best_epoch = progress_.best_epoch,
                       .best_valid = progress_.best,
                       .loss = progress_.last_loss,
                       .seconds = seconds_before_ + seconds_since(started_),
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
  with_final_values([&] {
    run_.save_model(card_, engine_->tables(), [&](std::size_t t) {
      rows = read_table(*engine_, t, State::value, std::move(rows));
      return std::span<const float>(rows);
    });
    return 0;
  });
}

// A GPU's memory is its own; on a CPU everything of the process counts.
std::uint64_t Trainer::peak_memory() const {
  const auto process = is_gpu(options_.device) ? std::nullopt : process_memory_.bytes();
  return process.value_or(engine_->memory_bytes());
}

}  // namespace orrery
