#include "learn/setup.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/memory_budget.h"
#include "data/examples.h"

namespace orrery {
namespace {

// "80/10/10"
std::vector<double> parse_shares(const std::string& text) {
  std::vector<double> shares;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    double share = 0;
    const auto [stop, error] = std::from_chars(at, end, share);
    if (error != std::errc() || share < 0) break;
    shares.push_back(share);
    at = stop;
    if (shares.size() == 3 || at == end || *at != '/') break;
    ++at;
  }
  if (at != end || shares.size() != 3)
    fail_request("--split is '{}', but must be three shares such as 80/10/10", text);
  return shares;
}

Precision precision_named(const std::string& name) {
  if (name == "fp32") return Precision::fp32;
  if (name == "tf32") return Precision::tf32;
  if (name == "bf16") return Precision::bf16;
  return Precision::automatic;
}

// Where side questions are asked there must be answers that are trained.
void check_side(SideQuestion question, std::string_view option, double weight,
                const ModelVariant& variant, const std::vector<std::string>& without) {
  if (weight == 0) return;
  const int row = variant.side_answers[static_cast<std::size_t>(question)];
  if (row < 0)
    fail_request("--{}: the model '{}' cannot be asked that; leave the option out", option,
                 variant.name);
  const std::string_view answers = variant.rows[static_cast<std::size_t>(row)].name;
  if (std::ranges::find(without, answers) != without.end())
    fail_request("--{} asks for rows of {}, which --without switches off", option, answers);
}

}  // namespace

LoadOptions load_options_of(const TrainOptions& options) {
  LoadOptions load;
  if (options.granularity != "auto") {
    load.granularity = granularity_named(options.granularity);
    if (!load.granularity) fail_request("--granularity '{}' is unknown", options.granularity);
  }
  load.min_facts = options.min_facts;
  load.skip_bad = options.skip_bad;
  if (!options.split.empty()) load.split_shares = parse_shares(options.split);
  load.split_seed = options.seed;
  return load;
}

std::uint64_t memory_budget(const std::string& option) {
  return option.empty() ? 0 : parse_memory(option);
}

std::uint64_t memory_of(const TemporalGraph& data) {
  constexpr std::uint64_t filter_entries = 2 * (sizeof(std::uint64_t) + sizeof(std::int32_t));
  std::uint64_t facts = 0;
  for (const auto& split : data.facts) facts += split.size();
  return facts * (sizeof(Fact) + filter_entries);
}

EngineOptions engine_options_of(const TrainOptions& options, const TemporalGraph& data) {
  const ModelShape shape = shape_of(options, data);
  const ModelPlan plan = plan_of(options, shape);
  const auto tables = tables_of(*plan.variant, shape, plan.without);
  const auto model = static_cast<std::uint64_t>(parameter_count(tables, shape)) * sizeof(float);
  const auto longest = std::ranges::max(tables, {}, &TableSpec::count).count;
  const auto largest =
      static_cast<std::uint64_t>(longest) * static_cast<std::uint64_t>(shape.dim) * sizeof(float);
  const std::uint64_t copies = (options.average > 0 ? 1 : 0) + (options.eval_every > 0 ? 1 : 0);
  const std::uint64_t examples =
      data.split(Split::train).size() * (data.times.intervals ? 4 : 2) * sizeof(Example);
  EngineOptions engine;
  engine.device = options.device;
  engine.threads = static_cast<int>(options.threads);
  engine.precision = precision_named(options.precision);
  engine.memory = memory_budget(options.memory);
  engine.batch = options.batch;
  engine.negatives = options.negatives;
  engine.sides = options.relation_loss > 0 || options.time_loss > 0;
  engine.averages = options.average > 0;
  engine.teacher = options.teacher > 0;
  engine.reserved = memory_of(data) + examples + copies * model + largest;
  return engine;
}

StepRules step_rules_of(const TrainOptions& options) {
  StepRules rules;
  rules.learning_rate = options.lr;
  rules.loss.lambda_n3 = options.lambda_n3;
  rules.loss.lambda_time = options.lambda_time;
  rules.loss.norm.norm = options.norm == "complex" ? Norm::complex : Norm::element;
  rules.loss.norm.exponent = static_cast<float>(options.exponent);
  rules.loss.time_exponent = static_cast<float>(options.time_exponent);
  rules.loss.dropout = static_cast<float>(options.dropout);
  rules.loss.drop_lanes = options.dropout_of == "lane";
  rules.loss.negatives = static_cast<std::int32_t>(options.negatives);
  rules.loss.sides = {options.relation_loss, options.time_loss};
  rules.loss.teacher_share = static_cast<float>(options.teacher);
  return rules;
}

ModelShape shape_of(const TrainOptions& options, const TemporalGraph& data) {
  return {data.entities.size(), data.relation_rows(), data.times.size(),
          static_cast<std::int32_t>(options.dim), static_cast<std::int32_t>(options.window)};
}

const ModelVariant& variant_of(const TrainOptions& options) {
  std::map<std::string, std::string> choices;
  for (const auto& [name, value] : options.choices)
    if (!value.empty()) choices.emplace(name, value);
  const ModelVariant& variant = find_variant(options.model, choices);
  if (options.warmup > 0 && variant.later_components.empty())
    fail_request("--warmup: the model '{}' has no smaller algebra inside to begin with",
                 options.model);
  check_side(SideQuestion::relation, "relation-loss", options.relation_loss, variant,
             options.without);
  check_side(SideQuestion::time, "time-loss", options.time_loss, variant, options.without);
  return variant;
}

ModelPlan plan_of(const TrainOptions& options, const ModelShape& shape) {
  return {&variant_of(options), shape, options.without, {}};
}

}  // namespace orrery
