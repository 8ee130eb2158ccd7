// Facts of valid and test that train gives away.
#pragma once

#include <span>
#include <vector>

#include "data/temporal_graph.h"
#include "orrery/data_check.h"

namespace orrery {

// Fills in the members of `check` that compare a fact with train: reversed, at another time, at a
// shared time, inverse. `train` is sorted and free of duplicates.
void count_leaks(const TemporalGraph& data, const std::vector<Fact>& train,
                 std::span<const InverseRelation> inverses, Split split, SplitCheck& check);

}  // namespace orrery
