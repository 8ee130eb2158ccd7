#include "sweep/effect.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "learn/setup.h"
#include "sweep/refusal.h"

namespace orrery {
namespace {

bool trains_rows_of(const TrainOptions& trial, std::initializer_list<RowOf> kinds) {
  return std::ranges::any_of(variant_of(trial).rows, [&](const RowSpec& row) {
    return row.trained && std::ranges::find(kinds, row.of) != kinds.end() &&
           std::ranges::find(trial.without, row.name) == trial.without.end();
  });
}

// Of all that a model's formula makes.
int largest_number(const TrainOptions& trial) {
  const ModelVariant& variant = variant_of(trial);
  return std::max(
      {variant.algebra_size, variant.formula_size, variant.query_size, variant.candidate_size});
}

// Why the value of an option makes no difference in a trial; empty: it may make one.
std::string why_idle(std::string_view option, const TrainOptions& trial,
                     const TemporalGraph& data) {
  const bool of_times = option == "lambda-time" || option == "time-exponent";
  if (option == "min-facts" && !data.times.intervals)
    return "it pools the years of interval facts, and these have points in time";
  if (option == "window" && !trains_rows_of(trial, {RowOf::window}))
    return "there are no windows of time (`orrery models` lists the models with --window)";
  if (of_times && !trains_rows_of(trial, {RowOf::time, RowOf::window}))
    return "there are no rows of times";
  if (option == "time-exponent" && trial.lambda_time == 0) return "lambda-time is 0";
  if (option == "norm" && largest_number(trial) <= 2)
    return "there are no numbers of more than two components";
  if (option == "dropout-of" && trial.dropout == 0) return "nothing is dropped: dropout is 0";
  if (option == "dropout-of" && largest_number(trial) == 1)
    return "a lane has one component, whichever is dropped";
  if (option == "teacher-from" && trial.self_distillation == 0)
    return "nobody teaches: teacher is 0";
  if (option.starts_with("teacher") && trial.epochs <= trial.self_distillation_from)
    return fmt::format(
        "the average begins to teach after epoch {} (teacher-from), and trials are compared after "
        "epoch {}",
        trial.self_distillation_from, trial.epochs);
  return "";
}

}  // namespace

EffectCheck::EffectCheck(const SweepOptions& options) {
  for (const SearchedOption& option : options.searched) idle_[option.name];
}

void EffectCheck::look_at(const TrainOptions& trial, const TemporalGraph& data) {
  models_.insert(trial.model);
  for (auto& [name, reason] : idle_) reason = why_idle(name, trial, data);
  std::erase_if(idle_, [](const auto& option) { return option.second.empty(); });
}

void EffectCheck::refuse_idle(const SweepOptions& options) const {
  for (const auto& [name, reason] : idle_)
    fail_at(options, name,
            "{} is searched, but changes nothing with {} on this data: {}; take the line out", name,
            fmt::join(models_, ", "), reason);
}

}  // namespace orrery
