#include "orrery/models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "api/dataset_state.h"
#include "base/error.h"
#include "learn/setup.h"
#include "models/registry.h"

namespace orrery {
namespace {

// The values an option takes over all variants of a model, the default first.
std::vector<std::string> values_of(std::string_view model, std::string_view option) {
  std::vector<std::string> values;
  for (const ModelVariant& variant : all_variants()) {
    if (variant.name != model) continue;
    const std::string value(variant.choice(option));
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

std::string_view rows_of(RowOf of) {
  switch (of) {
    case RowOf::entity:
      return "entities";
    case RowOf::relation:
      return "relation embeddings";
    case RowOf::time:
      return "times";
    case RowOf::window:
      return "windows";
    case RowOf::core:
      return "dim²";
    case RowOf::shared:
    case RowOf::answer:
      break;
  }
  return "1";
}

// "dim · (entities + 3 relation embeddings + 3 times)"; a relation has two embeddings in each
// table, with interval facts four.
std::string parameters_of(const ModelVariant& model) {
  std::vector<std::string> terms;
  for (const RowOf of :
       {RowOf::entity, RowOf::relation, RowOf::time, RowOf::window, RowOf::shared, RowOf::core}) {
    const auto rows = std::ranges::count_if(
        model.rows, [&](const RowSpec& row) { return row.trained && row.of == of; });
    if (rows == 1) terms.emplace_back(rows_of(of));
    if (rows > 1) terms.push_back(fmt::format("{} {}", rows, rows_of(of)));
  }
  return fmt::format("dim · ({})", fmt::join(terms, " + "));
}

std::vector<std::string> special_options(const ModelVariant& model) {
  std::vector<std::string> names;
  if (std::ranges::find(model.rows, RowOf::window, &RowSpec::of) != model.rows.end())
    names.emplace_back("window");
  if (!model.later_components.empty()) names.emplace_back("algebra-warmup");
  const auto asks = [&](AuxiliaryLoss question) {
    return model.auxiliary_targets[static_cast<std::size_t>(question)] >= 0;
  };
  if (asks(AuxiliaryLoss::relation)) names.emplace_back("aux-relation");
  if (asks(AuxiliaryLoss::time)) names.emplace_back("aux-time");
  return names;
}

ModelInfo info_of(const ModelVariant& model) {
  ModelInfo info{.name = std::string(model.name),
                 .title = std::string(model.title),
                 .paper = std::string(model.paper),
                 .formula = std::string(model.formula),
                 .score = std::string(model.comparator),
                 .parameters = parameters_of(model),
                 .choices = {},
                 .without = {},
                 .special_options = special_options(model)};
  for (const Choice& choice : model.choices)
    info.choices.push_back({std::string(choice.option), values_of(model.name, choice.option)});
  for (const RowSpec& row : model.rows)
    if (row.without != Without::impossible) info.without.emplace_back(row.name);
  return info;
}

constexpr std::int64_t widest_row = 1 << 20;  // the bound of --dim

}  // namespace

std::vector<ModelInfo> models() {
  std::vector<ModelInfo> infos;
  for (const auto name : model_names()) infos.push_back(info_of(find_variant(name, {})));
  return infos;
}

std::int64_t dim_unit(const TrainOptions& options) { return variant_of(options).algebra_size; }

std::int64_t parameter_count(const TrainOptions& options, const Dataset& data) {
  return parameter_count(tables_of(plan_of(options, shape_of(options, data.state().graph))));
}

std::int64_t widest_dim(const TrainOptions& options, const Dataset& data, std::int64_t budget) {
  const std::int64_t step = std::lcm<std::int64_t>(variant_of(options).algebra_size, 8);
  const auto parameters = [&](std::int64_t steps) {
    TrainOptions tried = options;
    tried.dim = steps * step;
    return parameter_count(tried, data);
  };
  if (parameters(1) > budget)
    fail_request(About{.option = "budget", .advice = worded("take a larger $budget")},
                 "the model '{}' has {} parameters on these facts with {} dimensions, its "
                 "smallest, and the budget is {}",
                 options.model, parameters(1), step, budget);
  // By doubling, since some counts grow with the cube and must not be asked for far beyond it.
  const std::int64_t most = (variant_of(options).has_core ? widest_core : widest_row) / step;
  std::int64_t fits = 1;
  while (2 * fits <= most && parameters(2 * fits) <= budget) fits *= 2;
  std::int64_t too_wide = std::min(2 * fits, most + 1);
  while (too_wide - fits > 1) {
    const std::int64_t middle = fits + (too_wide - fits) / 2;
    (parameters(middle) <= budget ? fits : too_wide) = middle;
  }
  return fits * step;
}

bool same_model(const TrainOptions& first, const TrainOptions& second) {
  if (&variant_of(first) != &variant_of(second)) return false;
  TrainOptions one = first, other = second;
  one.choices.clear();
  other.choices.clear();
  return differences(one, other).empty();
}

}  // namespace orrery
