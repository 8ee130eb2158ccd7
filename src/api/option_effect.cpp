// Options that a model, or facts, have no use for.
#include <fmt/format.h>

#include <algorithm>

#include "api/dataset_state.h"
#include "base/processes.h"
#include "learn/setup.h"
#include "orrery/models.h"

namespace orrery {
namespace {

bool trains_rows_of(const TrainOptions& options, std::initializer_list<RowOf> kinds) {
  return std::ranges::any_of(variant_of(options).rows, [&](const RowSpec& row) {
    return row.trained && std::ranges::find(kinds, row.of) != kinds.end() &&
           std::ranges::find(options.without, row.name) == options.without.end();
  });
}

// Of all that a model's formula makes.
int largest_number(const TrainOptions& options) {
  const ModelVariant& variant = variant_of(options);
  return std::max(
      {variant.algebra_size, variant.formula_size, variant.query_size, variant.candidate_size});
}

}  // namespace

std::string why_no_effect(std::string_view option, const TrainOptions& options,
                          const Dataset& data) {
  const bool of_times = option == "lambda-time" || option == "time-exponent";
  if (option == "min-facts" && !data.intervals())
    return "it pools the years of interval facts, and these have points in time";
  if ((option == "intervals" || option == "horizon") && !data.intervals())
    return "it is about interval facts, and these have points in time";
  if (option == "horizon" && data.options().intervals != "within")
    return "it is for facts that hold within their intervals, and these are read by their ends";
  if (option == "window" && !trains_rows_of(options, {RowOf::window}))
    return "there are no windows of time (`orrery models` lists the models that have them)";
  if (of_times && !trains_rows_of(options, {RowOf::time, RowOf::window}))
    return "there are no embeddings of times";
  if (option == "time-exponent" && options.lambda_time == 0) return "lambda-time is 0";
  if (option == "exchange" && (current_processes() == nullptr || !is_gpu(options.device)))
    return "it is about GPUs of several processes";
  if (option == "norm" && largest_number(options) <= 2)
    return "there are no numbers of more than two components";
  if ((option == "lambda-history" || option == "history-from") && options.history == "none")
    return "history is none";
  if (option == "lambda-history" && options.history_from == "valid")
    return "history is fitted on validation, not learned in training";
  if (option == "dropout-of" && options.dropout == 0) return "nothing is dropped: dropout is 0";
  if (option == "dropout-of" && largest_number(options) == 1)
    return "a lane has one component, whichever is dropped";
  if (option == "self-distillation-from" && options.self_distillation == 0)
    return "self-distillation is 0";
  if (option.starts_with("self-distillation") && options.epochs <= options.self_distillation_from)
    return fmt::format(
        "self-distillation begins after epoch {} (self-distillation-from), and the training ends "
        "after epoch {}",
        options.self_distillation_from, options.epochs);
  return "";
}

}  // namespace orrery
