// Facts as columns in memory, to a graph and back.
#pragma once

#include <array>

#include "data/load.h"
#include "data/temporal_graph.h"

namespace orrery {

// By Split. Columns of unequal lengths and facts that are bad are request Errors that count from 1
// where; with `skip_bad` bad facts are left out and reported. `cut` applies where train is all.
TemporalGraph graph_of_columns(const std::array<const FactColumns*, 3>& splits,
                               const LoadOptions& options, LoadReport& report);

// The facts of all splits, one after the other.
FactColumns columns_of(const TemporalGraph& graph);

}  // namespace orrery
