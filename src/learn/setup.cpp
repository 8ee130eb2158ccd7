#include "learn/setup.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/memory_budget.h"
#include "base/processes.h"
#include "base/thread_pool.h"
#include "data/examples.h"
#include "data/pair_history.h"

namespace orrery {
namespace {

Precision precision_named(const std::string& name) {
  if (name == "fp32") return Precision::fp32;
  if (name == "tf32") return Precision::tf32;
  if (name == "bf16") return Precision::bf16;
  return Precision::automatic;
}

// What an auxiliary loss predicts must be trained.
void check_auxiliary(AuxiliaryLoss question, std::string_view option, double weight,
                     const ModelVariant& variant, const std::vector<std::string>& without) {
  if (weight == 0) return;
  const int row = variant.auxiliary_targets[static_cast<std::size_t>(question)];
  if (row < 0)
    fail_request(About{.option = std::string(option), .advice = "leave the option out"},
                 "{}: the model '{}' has no such auxiliary loss", option_mark(std::string(option)),
                 variant.name);
  const std::string_view answers = variant.rows[static_cast<std::size_t>(row)].name;
  if (std::ranges::find(without, answers) != without.end())
    fail_request(About{.option = std::string(option)},
                 "{} predicts embeddings of {}, which $without leaves out",
                 option_mark(std::string(option)), answers);
}

// What nobody has set is cut evenly among those on the same cores, and on the same machine. (GPUs
// see to their own memory.)
void share_machine(EngineOptions& engine, Communicator& processes) {
  engine.processes = &processes;
  const int on_cores = sharers_of_cores(processes), on_machine = sharers_of_machine(processes);
  if (engine.threads == 0) engine.threads = std::max(1, available_cores() / on_cores);
  if (engine.memory == 0 && !is_gpu(engine.device))
    engine.memory = default_memory_budget() / static_cast<std::uint64_t>(on_machine);
}

}  // namespace

std::uint64_t memory_budget(const std::string& option) {
  return option.empty() ? 0 : parse_memory(option);
}

std::uint64_t memory_of(const TemporalGraph& data) {
  const std::uint64_t span = data.times.within ? sizeof(TimeSpan) : 0;
  const std::uint64_t filter_entries = 2 * (sizeof(std::uint64_t) + sizeof(std::int32_t) + span);
  std::uint64_t facts = 0;
  for (const auto& split : data.facts) facts += split.size();
  return facts * (sizeof(Fact) + filter_entries);
}

EngineOptions engine_options_of(const TrainOptions& options, const TemporalGraph& data,
                                Communicator* processes) {
  const ModelShape shape = shape_of(options, data);
  const ModelPlan plan = plan_of(options, shape);
  const auto tables = tables_of(plan);
  const auto model = static_cast<std::uint64_t>(parameter_count(tables)) * sizeof(float);
  const auto longest = std::ranges::max(tables, {}, &TableSpec::count).count;
  const auto largest =
      static_cast<std::uint64_t>(longest) * static_cast<std::uint64_t>(shape.dim) * sizeof(float);
  const bool leads = processes == nullptr || processes->leads();
  const std::uint64_t averages =
      options.ema > 0 ? model / static_cast<std::uint64_t>(processes ? processes->size() : 1) : 0;
  const std::uint64_t best = options.eval_every > 0 && leads ? model : 0;
  // Where they differ by epoch, those of the next are made beside those of the last, from facts of
  // their own order.
  const std::uint64_t examples_of_fact =
      static_cast<std::uint64_t>(examples_per_fact(data)) * sizeof(Example);
  const std::uint64_t examples =
      data.split(Split::train).size() *
      (data.times.within ? 2 * examples_of_fact + sizeof(Fact) : examples_of_fact);
  // Its facts, and both orders of what is found in them.
  const std::uint64_t history =
      plan.feature_count > 0
          ? data.split(Split::train).size() *
                (sizeof(KnownFact) + examples_per_fact(data) * PairHistory::bytes_per_example)
          : 0;
  EngineOptions engine;
  engine.device = options.device;
  engine.threads = static_cast<int>(options.threads);
  engine.precision = precision_named(options.precision);
  engine.optimizer = options.optimizer;
  engine.memory = memory_budget(options.memory);
  engine.direct = options.exchange == "nccl";
  engine.batch = options.batch;
  engine.negatives = options.negatives;
  engine.auxiliary = options.aux_relation > 0 || options.aux_time > 0;
  engine.averages = options.ema > 0;
  engine.teacher = options.self_distillation > 0;
  engine.features = options.history_from != "valid";
  engine.reserved = memory_of(data) + examples + history + averages + best + largest;
  if (processes != nullptr) share_machine(engine, *processes);
  return engine;
}

StepRules step_rules_of(const TrainOptions& options) {
  StepRules rules;
  rules.learning_rate = options.lr;
  rules.epsilon = find_optimizer(options.optimizer).epsilon;
  rules.loss.lambda_n3 = options.lambda_n3;
  rules.loss.lambda_time = options.lambda_time;
  rules.loss.norm.norm = options.norm == "complex" ? Norm::complex : Norm::element;
  rules.loss.norm.exponent = static_cast<float>(options.exponent);
  rules.loss.time_exponent = static_cast<float>(options.time_exponent);
  rules.loss.dropout = static_cast<float>(options.dropout);
  rules.loss.drop_lanes = options.dropout_of == "lane";
  rules.loss.negatives = static_cast<std::int32_t>(options.negatives);
  rules.loss.auxiliary = {options.aux_relation, options.aux_time};
  rules.loss.lambda_features = options.lambda_history;
  rules.loss.with_features = options.history_from != "valid";
  rules.loss.teacher_share = static_cast<float>(options.self_distillation);
  return rules;
}

ModelShape shape_of(const TrainOptions& options, const TemporalGraph& data) {
  return {data.entities.size(), data.relation_ids().count(), data.times.size(),
          static_cast<std::int32_t>(options.dim), static_cast<std::int32_t>(options.window)};
}

const ModelVariant& variant_of(const TrainOptions& options) {
  std::map<std::string, std::string> choices;
  for (const auto& [name, value] : options.choices)
    if (!value.empty()) choices.emplace(name, value);
  const ModelVariant& variant = find_variant(options.model, choices);
  if (options.algebra_warmup > 0 && variant.later_components.empty())
    fail_request(About{.option = "algebra-warmup"},
                 "$algebra-warmup: the model '{}' has no components to begin with", options.model);
  check_auxiliary(AuxiliaryLoss::relation, "aux-relation", options.aux_relation, variant,
                  options.without);
  check_auxiliary(AuxiliaryLoss::time, "aux-time", options.aux_time, variant, options.without);
  return variant;
}

ModelPlan plan_of(const TrainOptions& options, const ModelShape& shape) {
  return {.variant = &variant_of(options),
          .shape = shape,
          .without = options.without,
          .feature_count = features_per_relation(history_kind_named(options.history))};
}

}  // namespace orrery
