// What is often a mistake in a data set: found, counted and shown by examples.
#pragma once

#include <vector>

#include "data/fact_places.h"
#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

// By moment: 1 where both dates are known and stand the wrong way round. They are compared as
// finely as both are given: 2014-05 to 2014 is in order.
std::vector<char> moments_that_end_before_they_start(const Timeline& times);

// Those that occur, in the order in which they should be looked at. `check` has its counts and
// profiles; `files`, where their examples stand.
std::vector<Suspicion> find_suspicions(const TemporalGraph& data, const DataCheck& check,
                                       const FilesRead& files);

}  // namespace orrery
