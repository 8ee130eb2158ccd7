#include "learn/growth.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "data/examples.h"
#include "data/fingerprint.h"
#include "learn/align_data.h"
#include "learn/clock.h"
#include "learn/grown_header.h"
#include "learn/setup.h"

namespace orrery {
namespace {

constexpr auto report_interval = std::chrono::milliseconds(50);
constexpr std::int64_t steps_wanted = 10;              // an epoch
constexpr std::size_t fewest_known_facts = 1000;       // beside the new ones, an epoch
constexpr std::uint64_t order_key = 0x67726f7774686f;  // of examples
constexpr std::uint64_t drawing_key = 0x6b6e6f776e;    // of known facts

// As the model was trained, but for what needs all of it: averages, auxiliary losses, validation.
TrainOptions training_options(const TrainOptions& model, const AddOptions& options) {
  TrainOptions training = model;
  training.device = "cpu";
  training.threads = options.threads;
  training.memory = options.memory;
  training.epochs = options.epochs;
  training.seed = options.seed;
  if (options.lr > 0) training.lr = options.lr;
  training.ema = training.self_distillation = 0;
  training.aux_relation = training.aux_time = 0;
  training.eval_every = training.patience = training.algebra_warmup = 0;
  return training;
}

std::vector<Fact> sorted(std::vector<Fact> facts) {
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

std::int64_t batch_for(std::int64_t examples, const AddOptions& options) {
  if (options.batch > 0) return std::min(options.batch, std::max<std::int64_t>(examples, 1));
  return std::clamp<std::int64_t>(examples / steps_wanted, 32, 1000);
}

ModelPlan plan_of_grown(const ModelHeader& header, const PairHistory* history) {
  ModelPlan plan = plan_of(header.options, header.shape());
  plan.clock = clock_of(header.times, header.clock_axis);
  plan.features = history;
  return plan;
}

Addition addition_of(const StoredModel& model, const ModelHeader& grown, const TemporalGraph& facts,
                     const AddOptions& options) {
  const ModelHeader& before = model.header();
  return {.facts = static_cast<std::int64_t>(facts.split(Split::train).size()),
          .entities = grown.entities.size() - before.entities.size(),
          .relations = grown.relations.size() - before.relations.size(),
          .times = grown.times.size() - before.times.size(),
          .touched = options.touched,
          .first_time = facts.times.first_time(),
          .last_time = facts.times.last_time(),
          .facts_fingerprint = fingerprint_of_facts(facts),
          .model_fingerprint = model.fingerprint()};
}

}  // namespace

Growth::Growth(const StoredModel& model, const TemporalGraph& facts, const TemporalGraph* known,
               const AddOptions& options, TrainObserver& observer)
    : model_(model),
      options_(options),
      observer_(observer),
      header_(grown_header(model.header(), facts)),
      map_(row_map(model.header(), header_)),
      facts_(align_data(header_, facts)),
      training_(training_options(model.header().options, options)) {
  header_.additions.push_back(addition_of(model, header_, facts, options));
  if (known != nullptr && options.rehearse > 0) known_ = align_data(header_, *known);
  for (TemporalGraph* graph : {&facts_, &known_}) {
    auto& train = graph->facts[static_cast<std::size_t>(Split::train)];
    train = sorted(std::move(train));
  }
  const auto per_epoch = static_cast<std::int64_t>(examples_of_epoch(1).size());
  training_.batch = batch_for(per_epoch, options);
  rules_ = step_rules_of(training_);
  rules_.loss.feature_rate = 0;
  if (has_history(header_.options)) history_ = history_of(header_);
  engine_ =
      make_engine(plan_of_grown(header_, history_.get()), engine_options_of(training_, facts_));
  forget_untrained();
  trained_rows_ = rows_to_train();
  const bool nothing =
      std::ranges::all_of(trained_rows_, [](const auto& rows) { return rows.empty(); });
  if (nothing && !history_)
    fail_request(About{.option = "facts",
                       .advice = worded("add $touched to train those that the facts have")},
                 "these facts have no new entity, relation or time, and embeddings of known ones "
                 "are frozen: nothing would change");
  if (nothing) training_.epochs = 0;
}

// What training never saw, and the new facts have, is as good as new.
void Growth::forget_untrained() {
  const ModelHeader& before = model_.header();
  const auto forget = [](std::vector<std::int32_t>& map, const auto& untrained, const auto& still,
                         std::int32_t names_before, std::int32_t names_now) {
    for (std::size_t row = 0; row < map.size(); ++row)
      if (map[row] != RowMap::none &&
          std::ranges::binary_search(untrained, map[row] % names_before) &&
          !std::ranges::binary_search(still, static_cast<std::int32_t>(row) % names_now))
        map[row] = RowMap::none;
  };
  forget(map_.entities, before.untrained.entities, header_.untrained.entities,
         before.entities.size(), header_.entities.size());
  forget(map_.relation_rows, before.untrained.relations, header_.untrained.relations,
         before.relations.size(), header_.relations.size());
  forget(map_.times, before.untrained.times, header_.untrained.times, before.times.size(),
         header_.times.size());
}

// Rows of what is new; on request also those that the new facts have.
std::vector<std::vector<std::int32_t>> Growth::rows_to_train() const {
  std::set<std::int32_t> entities, relations, times;
  if (options_.touched)
    for (const Example& e : examples_of(facts_, facts_.split(Split::train))) {
      entities.insert({e.query.subject, e.object});
      relations.insert(e.query.relation);
      times.insert(e.query.time);
    }
  const auto is_touched = [&](RowOf of, std::int32_t row) {
    if (of == RowOf::entity) return entities.contains(row);
    if (of == RowOf::relation) return relations.contains(row);
    return of == RowOf::time && times.contains(row);
  };
  std::vector<std::vector<std::int32_t>> rows;
  for (const TableSpec& table : engine_->tables()) {
    auto& trained = rows.emplace_back();
    if (table.row == no_row || !map_.maps(table.of)) continue;
    const auto earlier = map_.of(table.of);
    for (std::int32_t row = 0; row < table.count; ++row)
      if (earlier[static_cast<std::size_t>(row)] == RowMap::none || is_touched(table.of, row))
        trained.push_back(row);
  }
  return rows;
}

// New names at random, new times like their neighbours, and all others as they are. History fitted
// on validation had no part in training, and has none here.
void Growth::start_rows() {
  start_randomly(*engine_, training_.seed, training_.init_scale,
                 static_cast<int>(training_.threads));
  for (std::size_t t = 0; t < engine_->tables().size(); ++t) {
    const TableSpec& table = engine_->tables()[t];
    if (is_history(t) && training_.history_from == "valid") continue;
    std::vector<float> rows = read_table(*engine_, t, State::value);
    copy_known_rows(map_, table, model_.rows(t), rows);
    if (table.of == RowOf::time || table.of == RowOf::window) place_new_times(table, rows);
    engine_->write(t, State::value, rows);
  }
}

// Between two known rows by its distance to them, else like the nearest one.
void Growth::place_new_times(const TableSpec& table, std::span<float> rows) const {
  const auto earlier = map_.of(table.of);
  const auto count = static_cast<std::int32_t>(earlier.size());
  const auto width = static_cast<std::size_t>(table.width);
  const auto row_at = [&](std::int32_t row) {
    return rows.subspan(static_cast<std::size_t>(row) * width, width);
  };
  const auto is_new = [&](std::int32_t row) {
    return earlier[static_cast<std::size_t>(row)] == RowMap::none;
  };
  const auto point_of = [&](std::int32_t row) {
    const std::int32_t time = table.of == RowOf::window ? row * model_.plan().shape.window : row;
    return static_cast<double>(header_.times.rows[static_cast<std::size_t>(time)].first);
  };
  for (std::int32_t row = 0; row < count; ++row) {
    if (!is_new(row)) continue;
    std::int32_t before = row, after = row;
    while (before >= 0 && is_new(before)) --before;
    while (after < count && is_new(after)) ++after;
    if (before < 0) before = after;
    if (after == count) after = before;
    const double length = point_of(after) - point_of(before);
    const auto share =
        static_cast<float>(length > 0 ? (point_of(row) - point_of(before)) / length : 0);
    const auto from = row_at(before), to = row_at(after), here = row_at(row);
    for (std::size_t i = 0; i < width; ++i) here[i] = (1 - share) * from[i] + share * to[i];
  }
}

// The new facts and some of the known ones, others in each epoch.
std::vector<Example> Growth::examples_of_epoch(std::int64_t epoch) const {
  const Draw draw{options_.seed, epoch};
  const auto& facts = facts_.split(Split::train);
  const auto& known = known_.split(Split::train);
  std::vector<Example> examples = examples_of(facts_, facts, draw);
  const std::size_t wanted = facts.size() * static_cast<std::size_t>(options_.rehearse);
  const std::size_t count = std::min(known.size(), std::max(wanted, fewest_known_facts));
  const RandomPermutation order(known.size(), random_bits(options_.seed ^ mix(drawing_key),
                                                          static_cast<std::uint64_t>(epoch)));
  std::vector<Fact> drawn;
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(known[order(i)]);
  const auto more = examples_of(known_, drawn, draw);
  examples.insert(examples.end(), more.begin(), more.end());
  return examples;
}

TrainSummary Growth::train() {
  started_ = Clock::now();
  std::vector<Example> first = examples_of_epoch(1);
  observer_.on_start({.examples = static_cast<std::int64_t>(first.size()),
                      .parameters = parameter_count(engine_->tables()),
                      .entities = header_.entities.size(),
                      .relations = header_.relations.size(),
                      .times = header_.times.size(),
                      .intervals = {},
                      .first_bad_lines = {},
                      .engine = engine_->description(),
                      .started_from = {}});
  engine_->set_examples(std::move(first));
  engine_->train_only(trained_rows_);
  start_rows();
  TrainSummary summary;
  for (std::int64_t epoch = 1; epoch <= training_.epochs; ++epoch) {
    if (run_epoch(epoch)) continue;
    summary.ending = TrainSummary::Ending::interrupted;
    break;
  }
  summary.epochs_done = static_cast<std::int64_t>(epochs_.size());
  if (!epochs_.empty()) summary.loss = epochs_.back().loss;
  summary.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  summary.data_fingerprint = header_.data_fingerprint;
  summary.engine = engine_->description();
  return summary;
}

bool Growth::run_epoch(std::int64_t epoch) {
  const auto begun = Clock::now();
  std::vector<Example> examples = examples_of_epoch(epoch);
  const auto count = static_cast<std::int64_t>(examples.size());
  const std::int64_t steps = (count + training_.batch - 1) / training_.batch;
  engine_->set_examples(std::move(examples));
  engine_->set_losses({});
  const std::uint64_t key =
      random_bits(options_.seed ^ mix(order_key), static_cast<std::uint64_t>(epoch));
  for (std::int64_t step = 0; step < steps; ++step) {
    if (observer_.stop_requested()) return false;
    const std::int64_t first = step * training_.batch;
    engine_->step(key, first, std::min(training_.batch, count - first), rules_);
    ++rules_.steps_before;
    if (step + 1 == steps || Clock::now() - reported_ >= report_interval)
      report_step(epoch, step + 1, steps);
  }
  const LossSums sums = engine_->losses();
  const auto each = static_cast<double>(std::max<std::int64_t>(sums.steps, 1));
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  epochs_.push_back({.epoch = epoch,
                     .loss = sums.total() / each,
                     .cross_entropy = sums.cross_entropy / each,
                     .n3 = sums.n3 / each,
                     .time = sums.time / each,
                     .seconds = seconds,
                     .examples_per_second = static_cast<double>(count) / seconds,
                     .valid = {}});
  observer_.on_epoch(epochs_.back());
  return true;
}

void Growth::report_step(std::int64_t epoch, std::int64_t step, std::int64_t steps) {
  reported_ = Clock::now();
  const LossSums sums = engine_->losses();
  if (!std::isfinite(sums.total()))
    fail_model(About{.option = "lr", .advice = worded("take a smaller $lr")},
               "the loss is not a finite number: the new embeddings have grown out of bounds");
  const double seconds = std::chrono::duration<double>(reported_ - started_).count();
  const auto done = static_cast<double>((epoch - 1) * steps + step);
  const auto all = static_cast<double>(training_.epochs * steps);
  observer_.on_step({.epoch = epoch,
                     .epochs = training_.epochs,
                     .step = step,
                     .steps = steps,
                     .loss = sums.total() / static_cast<double>(sums.steps),
                     .examples_per_second = done * static_cast<double>(training_.batch) / seconds,
                     .seconds_left = (all - done) * seconds / done});
}

// What history is worth stays; it says nothing of new relations.
TableRows Growth::take_rows() {
  TableRows rows = read_rows(*engine_, State::value);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!is_history(t)) continue;
    std::ranges::fill(rows[t], 0.0F);
    copy_known_rows(map_, engine_->tables()[t], model_.rows(t), rows[t]);
  }
  return rows;
}

}  // namespace orrery
