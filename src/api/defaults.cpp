#include "orrery/defaults.h"

#include <algorithm>

#include "api/dataset_state.h"
#include "data/examples.h"
#include "learn/fitting_options.h"

namespace orrery {

FittingOptions fitting_options(const Dataset& data, const OptionChanges& given) {
  const TemporalGraph& graph = data.state().graph;
  FittingOptions fitting = fitting_options(
      DataCounts{.train = static_cast<std::int64_t>(graph.split(Split::train).size()),
                 .valid = static_cast<std::int64_t>(graph.split(Split::valid).size()),
                 .entities = graph.entities.size(),
                 .times = graph.times.size(),
                 .examples_per_fact = examples_per_fact(graph)},
      given);
  fitting.options = options_on(data, std::move(fitting.options));
  return fitting;
}

OptionChanges options_to_start_from(const Model& model, const OptionChanges& given) {
  const ModelCard& card = model.card();
  OptionChanges changes = given;
  const auto add = [&](const std::string& name, const std::string& value) {
    const bool named = std::ranges::any_of(
        given, [&](const auto& change) { return option_named(change.first).name == name; });
    if (!named && !value.empty()) changes.emplace_back(name, value);
  };
  for (const OptionInfo& info : option_table())
    if (info.is_choice) add(info.name, option_text(card.options, info.name));
  for (const char* const name : {"model", "dim", "without", "window"})
    add(name, option_text(card.options, name));
  add("granularity", card.granularity);
  if (card.intervals) add("intervals", card.options.reading.intervals);
  return changes;
}

}  // namespace orrery
