// How facts are spread over time.
#pragma once

#include <vector>

#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

// Stretches of one length, `most` of them at most, from the first time to the last; times without
// facts are counted too, in the largest steps that all dates keep. An interval fact counts in every
// stretch in which it is valid, and an open side reaches to the end of the axis.
std::vector<TimeCount> count_per_time(const TemporalGraph& data, std::size_t most);

}  // namespace orrery
