#include "learn/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/agreement.h"
#include "base/error.h"
#include "base/random.h"
#include "data/fingerprint.h"
#include "learn/clock.h"
#include "learn/final_values.h"
#include "learn/options.h"
#include "learn/run_saver.h"
#include "learn/setup.h"
#include "learn/state_file.h"
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
                 TrainObserver& observer, RunSaver* saver, Communicator* processes)
    : options_(options),
      validate_(std::move(validate)),
      fits_(std::move(fits)),
      observer_(observer),
      saver_(saver),
      processes_(processes),
      header_(header_of(options, data, std::move(data_fingerprint))),
      examples_(data, options.seed),
      history_(has_history(options) ? history_of(header_) : nullptr),
      engine_(make_engine(whole_plan_of(options, data, history_.get()),
                          engine_options_of(options, data, processes))),
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
  by_leader(processes_, [&] {
    if (!options_.from.empty()) from.emplace(model_to_start_from(options_, header_));
    if (saver_ != nullptr) saver_->begin(options_);
  });
  start_randomly(*engine_, options_.seed, options_.init_scale, static_cast<int>(options_.threads));
  if (options_.algebra_warmup > 0) clear_later_components(*engine_);
  if (options_.from.empty()) return;
  engine_->lead([&] {
    known_rows_ = start_from(*engine_, header_, *from);
    progress_.started_from = from->fingerprint();
  });
  tell_progress();
}

void Trainer::take_up() {
  bool has_state = saver_ != nullptr && saver_->has_state();
  if (processes_ != nullptr) has_state = processes_->decided_by_leader(has_state);
  if (!has_state) {  // it ended before anything was saved: the config is all of it
    start_anew();
    return;
  }
  engine_->lead([&] {
    const RunSaver::TakenUp taken = saver_->take_up(options_, header_.data_fingerprint, *engine_);
    progress_ = taken.progress;
    seconds_before_ = taken.seconds;
    epoch_seconds_before_ = taken.epoch_seconds;
  });
  tell_progress();
}

// What the leader has found on disk.
void Trainer::tell_progress() {
  if (processes_ != nullptr)
    progress_ = progress_from_json(processes_->told_by_leader(progress_to_json(progress_)));
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
  try {
    if (ending != TrainSummary::Ending::interrupted) fit_model();
  } catch (const StoppedJudging&) {
    ending = TrainSummary::Ending::interrupted;  // a resumed run fits it
  }
  TrainSummary result = summary(ending);
  engine_->lead([&] {
    if (saver_ != nullptr) saver_->save_at_the_end(*this, result);
  });
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

// A signal may come to any process; clocks and disks are the leader's.
Trainer::Orders Trainer::next_orders() {
  enum : unsigned { stop = 1, save = 2, report = 4 };
  unsigned orders = observer_.stop_requested() ? stop : 0U;
  if (saver_ != nullptr && saver_->is_due()) orders |= save;
  if (leads() && Clock::now() - reported_ >= report_interval) orders |= report;
  if (processes_ != nullptr) orders = processes_->any_of(orders);
  return {(orders & stop) != 0, (orders & save) != 0, (orders & report) != 0};
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
    const Orders orders = next_orders();
    if (orders.stop || orders.save) read_losses();
    if (orders.stop) return false;
    if (orders.save) engine_->lead([&] { saver_->save_on_the_way(*this); });
    const std::int64_t first = progress_.step * options_.batch;
    rules.steps_before = (progress_.epoch - 1) * steps + progress_.step;
    engine_->step(key, first, std::min(options_.batch, examples_.size() - first), rules);
    ++steps_here_;
    const bool last = progress_.step + 1 == steps;
    if (last || orders.report) report_step(steps);
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
  engine_->lead([&] {
    const FinalValues model(*engine_);
    best_rows_ = read_rows(*engine_, State::value, std::move(best_rows_));
  });
  if (saver_ != nullptr) saver_->note_best();
}

std::int64_t Trainer::parameters() const { return parameter_count(engine_->tables()); }

// A GPU's memory is its own; on a CPU everything of the process counts.
std::uint64_t Trainer::peak_memory() const {
  const auto process = is_gpu(options_.device) ? std::nullopt : process_memory_.bytes();
  return process.value_or(engine_->memory_bytes());
}

}  // namespace orrery
