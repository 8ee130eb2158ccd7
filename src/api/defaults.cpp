#include "orrery/defaults.h"

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

}  // namespace orrery
