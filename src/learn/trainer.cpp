#include "learn/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "data/fingerprint.h"
#include "learn/clock.h"
#include "learn/final_values.h"
#include "learn/options.h"
#include "learn/run_saver.h"
#include "learn/setup.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr auto report_interval = std::chrono::milliseconds(50);

ModelHeader header_of(const TrainOptions& options, const TemporalGraph& data,
                      std::string fingerprint) {
  ModelHeader header;
  header.options = options;
  header.entities = data.entities;
  header.relations = data.relations;
  header.times = data.times;
  header.times.moments.clear();
  header.times.moment_names.clear();
  header.times.spans.clear();
  header.untrained = untrained_in(data);
  if (has_history(options)) header.history = known_facts(data);
  header.data_fingerprint = std::move(fingerprint);
  header.version = version();
  return header;
}

ModelPlan whole_plan_of(const TrainOptions& options, const TemporalGraph& data,
                        const PairHistory* history) {
  ModelPlan plan = plan_of(options, shape_of(options, data));
  plan.clock = clock_of(data.times);
  plan.features = history;
  return plan;
}

}  // namespace

Trainer::Trainer(const TrainOptions& options, const TemporalGraph& data,
                 std::string data_fingerprint, Validate validate, FinalFits fits,
                 TrainObserver& observer, RunSaver* saver)
    : options_(options),
      validate_(std::move(validate)),
      fits_(std::move(fits)),
      observer_(observer),
      saver_(saver),
      header_(header_of(options, data, std::move(data_fingerprint))),
      examples_(data, options.seed),
      history_(has_history(options) ? history_of(header_) : nullptr),
      engine_(make_engine(whole_plan_of(options, data, history_.get()),
                          engine_options_of(options, data))),
      rules_(step_rules_of(options)) {
  if (examples_.size() == 0)
    fail_request(About{.option = "data", .place = {options.data}}, "its train split is empty");
  if (options.eval_every > 0 && data.split(Split::valid).empty())
    fail_request(About{.option = "eval-every", .place = {options.data}},
                 "$eval-every needs a valid split, and it is empty");
  engine_->set_examples(examples_.of_epoch(1));
}

void Trainer::start_anew() {
  std::optional<StoredModel> from;
  if (!options_.from.empty()) from.emplace(model_to_start_from(options_, header_));
  if (saver_ != nullptr) saver_->begin(options_);
  start_randomly(*engine_, options_.seed, options_.init_scale, static_cast<int>(options_.threads));
  if (options_.algebra_warmup > 0) clear_later_components(*engine_);
  if (!from) return;
  known_rows_ = start_from(*engine_, header_, *from);
  progress_.started_from = from->fingerprint();
}

void Trainer::take_up() {
  if (!saver_->has_state()) {  // it ended before anything was saved: the config is all of it
    start_anew();
    return;
  }
  const RunSaver::TakenUp taken = saver_->take_up(options_, header_.data_fingerprint, *engine_);
  progress_ = taken.progress;
  seconds_before_ = taken.seconds;
  epoch_seconds_before_ = taken.epoch_seconds;
}

void Trainer::report_start(std::int64_t bad_lines, std::vector<std::string> first_bad_lines) {
  observer_.on_start(
      {.examples = examples_.size(),
       .parameters = parameters(),
       .entities = header_.entities.size(),
       .relations = header_.relations.size(),
       .times = header_.times.size(),
       .intervals = !header_.times.intervals ? ""
                    : header_.times.within   ? "within"
                                             : "ends",
       .first_bad_lines = std::move(first_bad_lines),
       .bad_lines = bad_lines,
       .resumed_epoch = progress_.epoch > 1 || progress_.step > 0 ? progress_.epoch : 0,
       .engine = engine_->description(),
       .started_from = options_.from,
       .from_entities = known_rows_.entities,
       .from_relations = known_rows_.relations,
       .from_times = known_rows_.times});
}

double Trainer::seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

std::int64_t Trainer::steps_per_epoch() const {
  return (examples_.size() + options_.batch - 1) / options_.batch;
}

TrainSummary Trainer::train() {
  started_ = Clock::now();
  while (progress_.epoch <= options_.epochs) {
    const bool counts = progress_.epoch > epochs_before_patience() + 1;
    if (counts && options_.patience > 0 && progress_.since_best >= options_.patience)
      return end(TrainSummary::Ending::early_stop);
    if (!run_epoch() || !finish_epoch()) return end(TrainSummary::Ending::interrupted);
  }
  return end(TrainSummary::Ending::finished);
}

TrainSummary Trainer::end(TrainSummary::Ending ending) {
  if (ending != TrainSummary::Ending::interrupted) fit_model();
  TrainSummary result = summary(ending);
  if (saver_ != nullptr) saver_->save_at_the_end(*this, result);
  return result;
}

TrainSummary Trainer::summary(TrainSummary::Ending ending) const {
  return {.ending = ending,
          .epochs_done = progress_.epoch - 1,
          .best_epoch = progress_.best_epoch,
          .best_valid = progress_.best,
          .loss = progress_.last_loss,
          .seconds = seconds_before_ + seconds_since(started_),
          .epoch_seconds = epoch_seconds(),
          .peak_memory = peak_memory(),
          .data_fingerprint = header_.data_fingerprint,
          .engine = engine_->description()};
}

// The algebra's warm-up, and what comes before self-distillation: patience begins to count after
// them.
std::int64_t Trainer::epochs_before_patience() const {
  return std::max(options_.algebra_warmup,
                  options_.self_distillation > 0 ? options_.self_distillation_from : 0);
}

bool Trainer::run_epoch() {
  if (progress_.validation_is_due) return true;
  epoch_started_ = Clock::now();
  const std::int64_t steps = steps_per_epoch();
  const std::uint64_t key = random_bits(options_.seed ^ mix(0x73687566666c65),
                                        static_cast<std::uint64_t>(progress_.epoch));
  if (examples_.differ_by_epoch()) engine_->set_examples(examples_.of_epoch(progress_.epoch));
  engine_->set_losses(progress_.sums);
  // Doing these twice, after a stop right here, changes nothing.
  const bool begun = progress_.step > 0;
  if (options_.algebra_warmup > 0 && progress_.epoch == options_.algebra_warmup + 1 && !begun)
    start_later_components(*engine_, options_.seed, options_.init_scale);
  if (epochs_before_patience() > 0 && progress_.epoch == epochs_before_patience() + 1 && !begun)
    progress_.since_best = 0;
  StepRules rules = rules_;
  if (progress_.epoch <= options_.self_distillation_from) rules.loss.teacher_share = 0;
  for (; progress_.step < steps; ++progress_.step) {
    if (observer_.stop_requested()) {
      read_losses();
      return false;
    }
    if (saver_ != nullptr && saver_->is_due()) {
      read_losses();
      saver_->save_on_the_way(*this);
    }
    const std::int64_t first = progress_.step * options_.batch;
    rules.steps_before = (progress_.epoch - 1) * steps + progress_.step;
    engine_->step(key, first, std::min(options_.batch, examples_.size() - first), rules);
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
        About{.option = "lr",
              .advice = saver_ != nullptr && saver_->has_state()
                            ? worded("take a smaller $lr or $init-scale in a new run (what "
                                     "was saved of this one before can be used, but going "
                                     "on from it ends here again)")
                            : worded("take a smaller $lr or $init-scale")},
        "the loss is not a finite number in epoch {}: the embeddings have grown out of bounds",
        progress_.epoch);
}

// Not after every step: a device would have to finish it first.
void Trainer::report_step(std::int64_t steps) {
  reported_ = Clock::now();
  read_losses();
  const double rate = static_cast<double>(steps_here_) / seconds_since(started_);
  const std::int64_t left = (options_.epochs - progress_.epoch + 1) * steps - progress_.step - 1;
  observer_.on_step({.epoch = progress_.epoch,
                     .epochs = options_.epochs,
                     .step = progress_.step + 1,
                     .steps = steps,
                     .loss = progress_.sums.total() / static_cast<double>(progress_.sums.steps),
                     .examples_per_second =
                         rate * static_cast<double>(std::min(options_.batch, examples_.size())),
                     .seconds_left = static_cast<double>(left) / rate});
}

void Trainer::finish_steps() {
  if (options_.ema > 0) engine_->update_average(options_.ema);
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

EpochReport Trainer::report_of_epoch() const {
  const double steps = static_cast<double>(progress_.sums.steps);
  const double seconds = epoch_seconds_before_;  // 0: a lost summary knew them
  return {.epoch = progress_.epoch,
          .loss = progress_.sums.total() / steps,
          .cross_entropy = progress_.sums.cross_entropy / steps,
          .n3 = progress_.sums.n3 / steps,
          .time = progress_.sums.time / steps,
          .auxiliary = progress_.sums.auxiliary / steps,
          .seconds = seconds,
          .examples_per_second = seconds > 0 ? static_cast<double>(examples_.size()) / seconds : 0,
          .valid = {}};
}

bool Trainer::finish_epoch() {
  if (!progress_.validation_is_due) finish_steps();
  EpochReport report = report_of_epoch();
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
  epochs_.push_back(report);
  if (saver_ != nullptr) saver_->note_epoch(report);
  observer_.on_epoch(report);
  return true;
}

void Trainer::keep_as_best(const Scores& scores) {
  fitted_worth_.clear();
  header_.history_fitted = false;
  header_.calibration.reset();
  header_.when.reset();
  progress_.best = scores;
  progress_.best_epoch = progress_.epoch;
  progress_.since_best = 0;
  const FinalValues model(*engine_);
  best_rows_ = read_rows(*engine_, State::value, std::move(best_rows_));
  if (saver_ != nullptr) saver_->note_best();
}

std::int64_t Trainer::parameters() const { return parameter_count(engine_->tables()); }

const ModelHeader& Trainer::model_header() {
  header_.started_from = progress_.started_from;
  header_.epoch = progress_.best ? progress_.best_epoch : progress_.epoch - 1;
  return header_;
}

ModelHeader Trainer::take_model_header() {
  model_header();
  return std::move(header_);
}

bool Trainer::is_history(std::size_t table) const { return engine_->tables()[table].row == no_row; }

// Of the rows that the engine has. It is left with the history that was fitted, since that is asked
// for what answers mean.
void Trainer::fit_engine(bool history, bool answers) {
  if (history) {
    const std::size_t table = engine_->tables().size() - 1;
    fitted_worth_ = fits_.history(*engine_, read_table(*engine_, table, State::value));
    engine_->write(table, State::value, fitted_worth_);
    header_.history_fitted = true;
  }
  if (!answers) return;
  AnswerFits found = fits_.answers(*engine_);
  header_.calibration = found.calibration;
  header_.when = std::move(found.when);
}

void Trainer::fit_model() {
  const bool history = has_history(options_) && fits_.history;
  const bool answers = static_cast<bool>(fits_.answers);
  if (progress_.best) {
    fit_best_model(history, answers);
    return;
  }
  const FinalValues model(*engine_);
  const std::size_t table = engine_->tables().size() - 1;
  const std::vector<float> learned =
      history ? read_table(*engine_, table, State::value) : std::vector<float>();
  fit_engine(history, answers);
  if (history) engine_->write(table, State::value, learned);
}

// The engine has other rows by now; it gets them back.
void Trainer::fit_best_model(bool history, bool answers) {
  if (best_rows_.empty()) {  // of an earlier process, which may have fitted it
    auto best = saver_->best_model();
    history = history && !best.fitted;
    answers = answers && !best.calibrated;
    header_.history_fitted = best.fitted;
    if (!history && !answers) return;
    best_rows_ = std::move(best.rows);
  }
  const auto exchange = [this] {
    for (std::size_t t = 0; t < best_rows_.size(); ++t) {
      std::vector<float> held = read_table(*engine_, t, State::value);
      engine_->write(t, State::value, best_rows_[t]);
      best_rows_[t] = std::move(held);
    }
  };
  exchange();
  fit_engine(history, answers);
  exchange();
  if (saver_ != nullptr) saver_->note_best();
}

RowSource Trainer::model_rows() {
  if (progress_.best)
    return [this](std::size_t t) {
      return std::span<const float>(is_history(t) && !fitted_worth_.empty() ? fitted_worth_
                                                                            : best_rows_.at(t));
    };
  return [this](std::size_t t) {
    if (is_history(t) && !fitted_worth_.empty()) return std::span<const float>(fitted_worth_);
    const FinalValues model(*engine_);
    asked_table_ = read_table(*engine_, t, State::value, std::move(asked_table_));
    return std::span<const float>(asked_table_);
  };
}

TableRows Trainer::take_model_rows() {
  const FinalValues model(*engine_);
  TableRows rows = progress_.best ? std::move(best_rows_) : read_rows(*engine_, State::value);
  if (!fitted_worth_.empty()) rows.back() = std::move(fitted_worth_);
  return rows;
}

// A GPU's memory is its own; on a CPU everything of the process counts.
std::uint64_t Trainer::peak_memory() const {
  const auto process = is_gpu(options_.device) ? std::nullopt : process_memory_.bytes();
  return process.value_or(engine_->memory_bytes());
}

}  // namespace orrery
