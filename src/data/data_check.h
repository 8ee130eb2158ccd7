// Looking a data set over before anyone trains on it.
#pragma once

#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

DataCheck check_data(const TemporalGraph& data);

}  // namespace orrery
