// Looking a data set over before anyone trains on it.
#pragma once

#include "data/fact_places.h"
#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

// With `files`, suspicious facts and names are looked up in them.
DataCheck check_data(const TemporalGraph& data, const FilesRead& files = {});

}  // namespace orrery
